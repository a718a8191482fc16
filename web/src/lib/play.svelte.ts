// A match on the screen: what the server last said, what the player has in hand, and how a click becomes a choice.

import { api } from './api';
import { patched } from './patch';
import { LAST, SetUps } from './setups';
import { Wire, type Link } from './socket';
import { eyesOf, unfolded } from './protocol';
import type {
  Ask,
  Chat,
  ChoiceView,
  Eyes,
  Forecast,
  FromServer,
  Line,
  Match,
  Overlay,
  Refusal,
  Side,
  Undo,
  View,
  Waits,
} from './protocol';

/** Whether a question is one of setting up; games call it so by its key. */
export function setsUp(ask: Ask | null): boolean {
  return ask?.key === 'set-up' || ask?.key === 'deploy';
}

/** A choice that would throw dice at once, with what it would bring. */
export interface Aimed {
  choice: ChoiceView;
  forecast: Forecast;
  /** What was asked and in hand then: with anything else in hand it would be another battle. */
  n: number;
  with: InHand | null;
}

/** Choices not yet sent: shown by the server on a copy of the game, so that a reach or a battle can be looked at. */
export interface InHand {
  texts: string[];
  ask: Ask | null;
  forecast: Forecast | null;
  view: View | null;
}

export class Play {
  match = $state.raw<Match | null>(null);
  /** When the server last told about the match, in this page's own time. */
  told = 0;
  view = $state.raw<View | null>(null);
  ask = $state.raw<Ask | null>(null);
  waits = $state.raw<Waits | null>(null);
  story = $state.raw<Line[]>([]);
  undo = $state.raw<Undo[]>([]);
  forecast = $state.raw<Forecast | null>(null);
  chat = $state.raw<Chat[]>([]);
  eyes = $state.raw<Eyes>('spectator');
  handover = $state<Side | null>(null);
  since = $state<number | null>(null);
  step = $state(0);
  n = $state(0);
  link = $state<Link>('connecting');
  refusal = $state.raw<Refusal | null>(null);
  thinking = $state.raw<{ seat: string; share: number; text: string } | null>(null);
  inHand = $state.raw<InHand | null>(null);
  private pointed = $state.raw<Aimed | null>(null);
  busy = $state(false);

  /** The question as the player sees it: after what he has in hand. */
  readonly asked = $derived(this.inHand ? this.inHand.ask : this.ask);
  readonly shown = $derived(this.inHand?.view ?? this.view);
  /** A target that was pointed at: its battle is shown, and nothing is thrown until it is pointed at again. */
  readonly aimed = $derived(this.pointed?.n === this.n && this.pointed.with === this.inHand ? this.pointed : null);
  readonly battle = $derived(this.aimed?.forecast ?? (this.inHand ? this.inHand.forecast : this.forecast));

  private wire: Wire;
  private readonly setUps = new SetUps();
  /** Who waits for the next question to be on the screen. */
  private waiters: (() => void)[] = [];

  constructor(readonly id: string) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.wire = new Wire(
      `${scheme}://${location.host}/api/matches/${id}/ws`,
      (m) => this.heard(m),
      (link) => (this.link = link),
    );
  }

  close(): void {
    this.wire.close();
  }

  private heard(m: FromServer): void {
    switch (m.t) {
      case 'state':
        this.match = m.match;
        this.told = performance.now();
        this.view = m.view;
        this.ask = unfolded(m.ask);
        this.waits = m.waits;
        this.story = m.story;
        this.undo = m.undo;
        this.forecast = m.forecast;
        this.chat = m.chat;
        this.eyes = eyesOf(m.eyes);
        this.handover = m.handover;
        this.since = m.since;
        this.step = m.step;
        this.n = m.n;
        this.inHand = null;
        if (m.view) void this.whole();
        this.wake();
        break;
      case 'update':
        if (!this.view || m.from !== this.n) {
          void this.wire.ask({ t: 'sync' });
          return;
        }
        this.view = patched(this.view, m.patch);
        this.ask = unfolded(m.ask);
        this.waits = m.waits;
        this.story = [...this.story.filter((l) => l.step <= m.step), ...m.story];
        this.undo = m.undo;
        this.forecast = m.forecast;
        this.step = m.step;
        this.n = m.n;
        this.since = m.since;
        this.inHand = null;
        this.wake();
        break;
      case 'handover':
        this.handover = m.to;
        this.view = null;
        this.ask = null;
        this.inHand = null;
        this.story = [];
        this.wake();
        break;
      case 'match':
        this.match = m.match;
        this.told = performance.now();
        break;
      case 'thinking':
        this.thinking = m.over ? null : m;
        break;
      case 'chat':
        this.chat = [...this.chat, m];
        break;
      case 'refused':
        // Another tab has answered, or the seat must be taken: what the screen shows is old.
        if (m.code === 'stale' || m.code === 'handover') void this.wire.ask({ t: 'sync' });
        else this.refusal = { why: m.why, rule: m.rule, sum: m.sum };
        break;
    }
  }

  private wake(): void {
    for (const w of this.waiters.splice(0)) w();
  }

  /** An answer may be acknowledged before the position that follows it has come: waits for that. */
  private async past(n: number): Promise<void> {
    while (this.n <= n && this.view) await new Promise<void>((done) => this.waiters.push(done));
  }

  /** The story from the beginning: a state tells only what happened since one's last choice. */
  private async whole(): Promise<void> {
    const at = this.n;
    try {
      const all = await api.story(this.id, this.eyes);
      if (at === this.n && this.view) this.story = all;
    } catch {
      // What the state told stands; the rest comes with the next state.
    }
  }

  /** The choices open now, after what is in hand, that this seat may make. */
  choices(): ChoiceView[] {
    return this.asked?.choices.filter((c) => c.mine) ?? [];
  }

  /** Plays one choice; together with what is in hand if something is. */
  async play(text: string): Promise<boolean> {
    const texts = [...(this.inHand?.texts ?? []), text];
    return this.send(texts);
  }

  /**
   * Takes a choice in hand without sending it: the server shows what would be asked next. A choice after which the same
   * question comes again as without anything in hand was a whole decision: it is sent.
   */
  async hold(text: string): Promise<boolean> {
    const texts = [...(this.inHand?.texts ?? []), text];
    const answer = await this.wire.ask({ t: 'preview', n: this.n, texts });
    if (answer.t !== 'preview' || answer.n !== this.n || !this.view) return false;
    if (answer.refused) {
      this.refusal = answer.refused;
      return false;
    }
    if (answer.ask?.key === this.ask?.key) return this.send(texts);
    this.refusal = null;
    this.inHand = {
      texts,
      ask: unfolded(answer.ask),
      forecast: answer.forecast,
      view: patched(this.view, answer.patch),
    };
    return true;
  }

  /** Points at a target that would throw dice at once: shows its battle. `false` when there is nothing to foretell. */
  async aim(choice: ChoiceView): Promise<boolean> {
    const [n, held] = [this.n, this.inHand];
    const answer = await this.wire.ask({ t: 'preview', n, texts: [...(held?.texts ?? []), choice.text] });
    if (answer.t !== 'preview' || answer.refused || answer.forecast?.hex !== choice.hex) return false;
    this.pointed = { choice, forecast: answer.forecast!, n, with: held };
    return true;
  }

  /** Points at nothing. */
  unaim(): void {
    this.pointed = null;
  }

  /** Puts back the last thing taken in hand, or everything. */
  async drop(all = true): Promise<void> {
    const texts = this.inHand?.texts.slice(0, -1) ?? [];
    this.inHand = null;
    if (!all && texts.length > 0) {
      const last = texts.pop() as string;
      this.inHand = texts.length > 0 ? { texts, ask: null, forecast: null, view: null } : null;
      await this.hold(last);
    }
  }

  /** Puts one thing back and keeps the rest in hand; everything, when the rest cannot stand without it. */
  async putBack(text: string): Promise<void> {
    const texts = this.inHand?.texts.filter((t) => t !== text) ?? [];
    if (!texts.length || !this.view) return this.drop();
    const answer = await this.wire.ask({ t: 'preview', n: this.n, texts });
    if (answer.t !== 'preview' || answer.n !== this.n || !this.view) return;
    if (answer.refused) return this.drop();
    this.inHand = { texts, ask: unfolded(answer.ask), forecast: answer.forecast, view: patched(this.view, answer.patch) };
  }

  /** The units in hand, each with the choice that took it. */
  get held(): Map<string, string> {
    return new Map((this.inHand?.texts ?? []).map((t) => [t.slice(t.indexOf(' ') + 1), t]));
  }

  /** Sends what is in hand as it stands. */
  async commit(): Promise<boolean> {
    return this.inHand ? this.send(this.inHand.texts) : false;
  }

  private async send(texts: string[]): Promise<boolean> {
    this.busy = true;
    this.refusal = null;
    try {
      const [one, n, before] = [texts.length === 1, this.n, this.mine];
      const m = this.match;
      const setting = m && this.ask && setsUp(this.ask) ? { game: m.game, scenario: m.scenario, side: this.ask.side } : null;
      const answer = await this.wire.ask({ t: one ? 'play' : 'orders', n, text: texts.join('; ') });
      if (answer.t === 'accepted' && answer.stopped) this.refusal = answer.stopped;
      else if (answer.t === 'accepted' && setting) this.setUps.keep({ ...setting, name: LAST, orders: [...before, ...texts] });
      if (answer.t === 'accepted') await this.past(n);
      return answer.t === 'accepted';
    } finally {
      this.busy = false;
    }
  }

  /** Takes back the last decision: a choice together with what was only taken in hand for it. */
  async takeBackLast(): Promise<void> {
    // A halt goes with the move that it ended.
    let i = this.undo[0]?.text === 'stop' && this.undo[1] ? 1 : 0;
    while (this.undo[i + 1] && this.undo[i + 1]!.held) i += 1;
    const last = this.undo[i];
    if (last && !this.inHand) await this.takeBack(last.to);
  }

  async takeBack(to: number): Promise<void> {
    const n = this.n;
    this.busy = true;
    try {
      const answer = await this.wire.ask({ t: 'undo', n, to });
      if (answer.t === 'accepted') await this.past(n);
    } finally {
      this.busy = false;
    }
  }

  /** The choices of this seat that could be taken back, the first first. */
  get mine(): string[] {
    return this.undo.map((u) => u.text).reverse();
  }

  /** Puts other choices in place of those from the i-th on that could be taken back; if they cannot stand, all is as before. */
  async instead(i: number, texts: string[]): Promise<boolean> {
    const old = this.mine.slice(i);
    const from = this.undo[old.length - 1];
    if (from) await this.takeBack(from.to);
    if (!texts.length || (await this.send(texts))) return true;
    const why = this.refusal;
    if (old.length) await this.send(old);
    this.refusal = why;
    return false;
  }

  /** Why a choice cannot be made, after what is in hand; `null` when it can. */
  async why(text: string): Promise<Refusal | null> {
    if (this.inHand) {
      const answer = await this.wire.ask({ t: 'preview', n: this.n, texts: [...this.inHand.texts, text] });
      return answer.t === 'preview' ? (answer.refused ?? null) : null;
    }
    const answer = await this.wire.ask({ t: 'why', n: this.n, text });
    if (answer.t !== 'why' || answer.legal || !answer.why) return null;
    return { why: answer.why, rule: answer.rule, sum: answer.sum };
  }

  /** A layer of knowledge, after what is in hand: the line of supply of the units that are picked. */
  async overlay(name: string): Promise<Overlay | null> {
    const texts = this.inHand?.texts ?? [];
    const answer = await this.wire.ask({ t: 'overlay', name, ...(texts.length ? { texts } : {}) });
    return answer.t === 'overlay' ? answer.overlay : null;
  }

  async take(side: Side): Promise<void> {
    await this.wire.ask({ t: 'take', side });
  }

  async say(text: string, to: 'all' | 'side'): Promise<void> {
    await this.wire.ask({ t: 'chat', text, to });
  }

  async stop(seat: string): Promise<void> {
    await this.wire.ask({ t: 'stop', seat });
  }
}
