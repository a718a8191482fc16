// The player's hands at the table: which hex is open, which unit is chosen, how a click or a key becomes a choice.

import { tick } from 'svelte';
import { deeds, foesOf, litAtFirst, litHexes, onHex, sorted } from './intent';
import type { Grid } from './geometry';
import { setsUp, type Play } from './play.svelte';
import type { ChoiceView, Refusal } from './protocol';

export class Hands {
  /** The hex whose stack is open. */
  open = $state<string | null>(null);
  /** The unit that waits for a place. */
  chosen = $state<string | null>(null);
  /** Choices that one click could mean. */
  several = $state.raw<ChoiceView[]>([]);
  hover = $state<string | null>(null);
  /** Whether the open stack is spread out on the map. */
  fanned = $state(false);
  /** What the frame that keys move has come to, for those who listen. */
  said = $state('');
  /** Hexes that the next path shall lead over. */
  bends = $state.raw<string[]>([]);

  /** The kind of deed that is lit alone, by its verb; otherwise the usual ones of the question are. */
  deed = $state<string | null>(null);
  /** What kinds of deeds the question offers. */
  readonly deeds = $derived.by(() => deeds(this.play.asked));
  readonly shown = $derived.by(() => (this.deed ? new Set([this.deed]) : litAtFirst(this.deeds, this.play.inHand !== null || (this.play.asked?.hexes.length ?? 0) > 0, foesOf(this.play.asked?.side, this.stacks))));
  readonly sort = $derived.by(() => sorted(this.play.asked, this.shown));
  readonly stacks = $derived.by(() => this.play.shown?.stacks ?? []);
  readonly lit = $derived.by(() => litHexes(this.sort, this.stacks, this.chosen));
  readonly litSet = $derived(new Set(this.lit.map((l) => l.hex)));

  /** `done`, when that is the only answer there is: nothing can be decided. */
  readonly only = $derived.by(() => {
    const asked = this.play.asked;
    const first = this.sort.buttons[0];
    return asked?.choices.length === 1 && first?.verb === 'done' && !this.play.inHand ? first : null;
  });

  /** What ends the move of units that stand where they went and may still go on; it goes by this verb in every game. */
  get halt(): ChoiceView | null {
    return this.play.inHand ? null : (this.play.asked?.choices.find((c) => c.verb === 'stop' && c.mine) ?? null);
  }

  /** The units of the open stack that can answer, in the order of the fan. */
  readonly spread = $derived.by(() =>
    this.fanned
      ? this.stacks.filter((s) => s.hex === this.open).flatMap((s) => s.units.map((u) => u.code)).filter((u) => this.sort.byUnit.has(u) || this.sort.places.has(u))
      : [],
  );

  /** The path that a click on the hex under the pointer would take; a finger has no hover, and sees how far it is bent. */
  readonly path = $derived.by(() => {
    const to = this.hover ?? this.bends.at(-1);
    return to ? this.pathTo(to) : [];
  });

  /** Whether something that was clicked is still on its way. */
  readonly busy = $derived.by(() => this.waiting > 0);
  private waiting = $state(0);
  private last: Promise<unknown> = Promise.resolve();
  /** When something was last taken in hand by a click. */
  private took = 0;

  constructor(
    private readonly play: Play,
    private readonly grid: () => Grid | null,
  ) {}

  /** One thing after the other: what is done while the last click is on its way is understood by what that one brings. */
  inTurn<T>(does: () => Promise<T> | T): Promise<T> {
    this.waiting += 1;
    const next = this.last.then(async () => {
      try {
        await tick();
        return await does();
      } finally {
        await tick();
        this.waiting -= 1;
      }
    });
    this.last = next.catch(() => {});
    return next;
  }

  /** What was meant for the old question no longer holds. */
  clear(): void {
    this.chosen = null;
    this.several = [];
    this.bends = [];
    this.fanned = false;
    if (!this.deeds.some((d) => d.verb === this.deed)) this.deed = null;
    // When the question is about one unit only, that is the one in hand: its places are lit at once.
    const { places, byHex, byUnit } = this.sort;
    if (places.size === 1 && !byHex.size && !byUnit.size) this.chosen = [...places.keys()][0]!;
  }

  private pathTo(hex: string): string[] {
    const listed = this.sort.byHex.get(hex)?.find((c) => c.path)?.path;
    const grid = this.grid();
    const start = (listed ?? [...this.sort.byHex.values()].flat().find((c) => c.path)?.path)?.[0];
    if (!this.bends.length || !grid || !start) return listed ?? [];
    const first = this.bends[0]!;
    const out = [...(this.sort.byHex.get(first)?.find((c) => c.path)?.path ?? grid.line(start, first))];
    for (const next of [...this.bends.slice(1), hex]) out.push(...grid.line(out.at(-1)!, next).slice(1));
    return out;
  }

  /** Makes a choice, unless the question it answered has passed. */
  choose(c: ChoiceView): Promise<void> {
    const n = this.play.n;
    return this.inTurn(() => (this.play.n === n ? this.chose(c) : undefined));
  }

  private async chose(c: ChoiceView): Promise<void> {
    this.several = [];
    if (c.held) {
      await this.play.hold(c.text);
      return;
    }
    // The screen clears what was meant for this question when the next one comes.
    if (!(await this.play.play(c.text)) || !c.path) return;
    this.open = null;
    const asked = this.play.asked;
    if (this.halt && !asked?.choices.some((x) => x.hex || x.box)) await this.play.play(this.halt.text);
  }

  /** A unit of the fan: it answers, or it waits for a place. */
  take(unit: string): void {
    const c = this.sort.byUnit.get(unit)?.[0];
    this.fanned = false;
    if (c) void this.choose(c);
    else if (this.sort.places.has(unit)) this.chosen = unit;
  }

  /** Takes all units of a stack that can be taken, one after the other. */
  chooseAll(choices: ChoiceView[]): Promise<void> {
    return this.inTurn(async () => {
      for (const c of choices) {
        // With the first in hand a game may call it adding what was picking before.
        const now = this.play.held.has(c.unit ?? '') ? [] : (this.sort.byUnit.get(c.unit ?? '') ?? []);
        const still = now.find((x) => x.text === c.text) ?? now.find((x) => x.held);
        if (still?.held) await this.play.hold(still.text);
      }
      this.fanned = false;
    });
  }

  /** A click on a hex, with `bend` when the path shall lead over it. */
  click(hex: string, bend = false): Promise<void> {
    return this.inTurn(() => this.clicked(hex, bend));
  }

  private async clicked(hex: string, bend: boolean): Promise<void> {
    this.play.refusal = null;
    const can = onHex(this.sort, hex, this.stacks, this.chosen);
    const goes = can.find((c) => c.path);
    if (bend && (goes || this.bends.length)) {
      this.bends = [...this.bends, hex];
      return;
    }
    if (this.bends.length) {
      const verb = goes?.verb ?? [...this.sort.byHex.values()].flat().find((c) => c.path)?.verb;
      const path = this.pathTo(hex);
      this.bends = [];
      if (verb && path.length > 1) await this.play.play(`${verb} ${path.join('-')}`);
      return;
    }
    // Units that go to a place of their choice: the one that stands here is chosen, of several one is asked for.
    const movers = can.length ? [] : this.stacks.filter((s) => s.hex === hex).flatMap((s) => s.units).filter((u) => this.sort.places.has(u.code));
    if (movers.length) {
      this.open = hex;
      if (movers.length === 1) this.chosen = movers[0]!.code;
      else this.fanned = true;
      return;
    }
    // What is in hand already, clicked again: it is put back.
    const held = this.play.held;
    const again = this.stacks.filter((s) => s.hex === hex).flatMap((s) => s.units).filter((u) => held.has(u.code));
    if (!can.length && again.length) {
      // The second half of a double click does not undo the first.
      if (performance.now() - this.took < 400) return;
      await this.play.putBack(held.get(again.at(-1)!.code)!);
      return;
    }
    // Something else of one's own: put back what is in hand, and take that.
    if (!can.length && this.play.inHand && this.play.ask) {
      const without = onHex(sorted(this.play.ask, litAtFirst(deeds(this.play.ask), false, new Set())), hex, this.play.view?.stacks ?? [], null);
      if (without.length) {
        await this.play.drop();
        return this.clicked(hex, false);
      }
    }
    // Another stack of one's own, while the last one could still go on: that one stays where it is.
    const side = this.play.asked?.side;
    if (!can.length && this.halt && this.stacks.some((s) => s.hex === hex && s.side === side)) {
      if (await this.play.play(this.halt.text)) {
        await tick();
        return this.clicked(hex, false);
      }
    }
    const units = can.every((c) => c.unit && !c.hex);
    if (can.length === 1) {
      if (units) this.open = hex;
      if (await this.aims(can[0]!)) return;
      await this.chose(can[0]!);
      this.took = performance.now();
    } else if (can.length > 1) {
      this.open = hex;
      if (units) this.fanned = true;
      else this.several = can;
    } else {
      if (this.play.asked && this.targets()) await this.why(hex);
      const here = this.stacks.filter((s) => s.hex === hex);
      this.fanned = this.open === hex && !this.fanned && here.some((s) => s.units.length > 1);
      this.open = hex;
    }
  }

  /** Dice cannot be taken back: the first click on a target that would throw them shows what it would bring, the second throws. */
  private async aims(c: ChoiceView): Promise<boolean> {
    if (c.held || c.path || c.unit || !c.hex || this.play.aimed?.choice.text === c.text) return false;
    if (!(await this.play.aim(c))) return false;
    this.said = `${c.label} ${c.hex}: once more to throw the dice`;
    return true;
  }

  /** Whether the question is answered by pointing at hexes. */
  private targets(): boolean {
    return this.sort.byHex.size > 0 || (this.chosen !== null && this.sort.places.has(this.chosen));
  }

  /** A finger that rests on a hex, or a right click: the path is led over one that a path leads to; of any other it is told why not. */
  hold(hex: string): Promise<void> {
    return this.inTurn(async () => {
      const goes = onHex(this.sort, hex, this.stacks, this.chosen).some((c) => c.path);
      if (goes) await this.clicked(hex, true);
      else await this.why(hex);
    });
  }

  /** The last hex that the path was led over is left out again. */
  straighten(): void {
    this.bends = this.bends.slice(0, -1);
  }

  /** Shows why a hex is not among the answers. */
  async why(hex: string): Promise<void> {
    const reason = await this.reason(hex);
    if (reason) this.play.refusal = reason;
  }

  /** Why a hex is not among the answers: the rule and the sum, from the game. */
  async reason(hex: string): Promise<Refusal | null> {
    if (this.litSet.has(hex) && !(this.chosen && this.sort.places.has(this.chosen))) return null;
    const all = (this.play.asked?.choices ?? []).filter((c) => this.shown.has(c.verb));
    const placing = this.chosen ? this.sort.places.get(this.chosen)?.[0] : undefined;
    const going = all.find((c) => c.path);
    const aiming = all.find((c) => c.hex && !c.unit);
    if (placing) return this.play.why(`${placing.verb} ${this.chosen} ${hex}`);
    if (going?.path) {
      if (hex === going.path[0]) return null;
      return this.play.why(`${going.verb} ${(this.grid()?.line(going.path[0]!, hex) ?? [going.path[0]!, hex]).join('-')}`);
    }
    return aiming ? this.play.why(`${aiming.verb} ${hex}`) : null;
  }

  /** Why a unit is not among the answers. */
  async whyUnit(code: string): Promise<void> {
    const like = this.play.asked?.choices.find((c) => c.unit && !c.hex && !c.box);
    if (like && !this.sort.byUnit.has(code)) this.play.refusal = await this.play.why(`${like.verb} ${code}`);
  }

  /** Hexes on which something was placed that can still be placed elsewhere. */
  readonly placed = $derived.by(() => {
    if (!setsUp(this.play.ask)) return new Set<string>();
    return new Set(this.play.undo.map((u) => u.text.slice(u.text.lastIndexOf(' ') + 1)));
  });

  /** While setting up: the unit placed last on a hex is placed on another instead. */
  resettle(from: string, to: string): Promise<boolean> {
    return this.inTurn(async () => {
      const mine = this.play.mine;
      const i = mine.findLastIndex((t) => t.endsWith(` ${from}`));
      if (i < 0) return false;
      const moved = `${mine[i]!.slice(0, -from.length)}${to}`;
      return this.play.instead(i, [moved, ...mine.slice(i + 1)]);
    });
  }

  /** The next kind of deed is lit alone; after the last, the usual ones again. */
  nextDeed(): void {
    const verbs = [null, ...this.deeds.map((d) => d.verb)];
    this.light(verbs[(verbs.indexOf(this.deed) + 1) % verbs.length] ?? null);
  }

  /** One kind of deed is lit alone, or the usual ones. */
  light(verb: string | null): void {
    this.deed = verb;
    [this.several, this.fanned, this.chosen] = [[], false, null];
    const deed = this.deeds.find((d) => d.verb === verb);
    this.said = deed ? `${deed.label}: ${deed.count}` : 'The usual choices';
  }

  /** Escape: the nearest thing is put back or closed. */
  back(): Promise<void> {
    return this.inTurn(() => this.backed());
  }

  private async backed(): Promise<void> {
    if (this.play.refusal) this.play.refusal = null;
    else if (this.several.length) this.several = [];
    else if (this.play.aimed) this.play.unaim();
    else if (this.bends.length) this.bends = this.bends.slice(0, -1);
    else if (this.fanned) this.fanned = false;
    else if (this.chosen) this.chosen = null;
    else if (this.deed) this.light(null);
    else if (this.play.inHand) await this.play.drop(this.play.inHand.texts.length < 2);
    else this.open = null;
  }

  /** The next stack, forward or back, that the question is about. */
  next(by = 1): string | null {
    const all = this.lit.map((l) => l.hex).sort();
    if (!all.length) return null;
    const i = this.open ? all.indexOf(this.open) : -1;
    const hex = all[(i + by + all.length) % all.length] ?? all[0]!;
    this.open = hex;
    this.hover = hex;
    this.fanned = false;
    this.tell(hex);
    return hex;
  }

  /** The lit hex that lies in a direction from the one that is open. */
  step(dx: number, dy: number): string | null {
    const grid = this.grid();
    const from = this.hover ?? this.open ?? this.play.asked?.hexes[0];
    if (!grid || !this.lit.length) return null;
    const hex = from ? grid.toward(from, dx, dy, this.litSet) : this.lit[0]!.hex;
    if (hex) {
      this.hover = hex;
      this.tell(hex);
    }
    return hex;
  }

  private tell(hex: string): void {
    this.said = this.lit.find((l) => l.hex === hex)?.label ?? hex;
  }
}
