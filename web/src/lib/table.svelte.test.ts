import { describe, expect, it } from 'vitest';
import { Hands } from './table.svelte';
import type { Play } from './play.svelte';
import type { Ask, ChoiceView, Stack, Unit } from './protocol';

const choice = (c: Partial<ChoiceView> & { text: string; verb: string }): ChoiceView => ({ label: c.verb, help: '', mine: true, ...c });
const ask = (key: string, choices: ChoiceView[]): Ask => ({ n: 1, side: 'one', key, rule: '1.1', prompt: '', hexes: [], todo: [], choices });
const unit = (code: string): Unit => ({ code, name: code, side: 'one', nation: 'blue', kind: 'infantry', size: 'XX', figures: '4', steps: [1, 1], status: [] });
const stacks: Stack[] = [{ hex: '0101', side: 'one', units: [unit('A')], unseen: 0 }];

const PICK = ask('movement', [choice({ text: 'pick A', verb: 'pick', unit: 'A', held: true }), choice({ text: 'done', verb: 'done' })]);
const GO = ask('go', [choice({ text: 'go 0101-0102', verb: 'go', hex: '0102', path: ['0101', '0102'] })]);

/** A table whose server answers when told to. */
class Slow {
  n = $state(1);
  asked = $state.raw<Ask | null>(PICK);
  ask = PICK;
  shown = { stacks };
  view = { stacks };
  refusal = null;
  inHand: object | null = null;
  held = new Map<string, string>();
  done: string[] = [];
  private answers: (() => void)[] = [];

  answer(): void {
    this.answers.shift()?.();
  }
  private wait = () => new Promise<void>((go) => this.answers.push(go));
  async hold(text: string): Promise<boolean> {
    await this.wait();
    this.done.push(`hold ${text}`);
    this.asked = GO;
    this.inHand = {};
    return true;
  }
  async play(text: string): Promise<boolean> {
    await this.wait();
    this.done.push(`play ${text}`);
    this.n += 1;
    this.asked = PICK;
    this.inHand = null;
    return true;
  }
  async why(): Promise<null> {
    this.done.push('why');
    return null;
  }
}

const soon = () => new Promise((done) => setTimeout(done));

describe('the hands at the table', () => {
  it('understand a click made too early by what the one before it brings', async () => {
    const slow = new Slow();
    const hands = new Hands(slow as unknown as Play, () => null);
    const first = hands.click('0101');
    const second = hands.click('0102');
    await soon();
    expect(hands.busy).toBe(true);
    slow.answer();
    await first;
    await soon();
    slow.answer();
    await second;
    expect(slow.done).toEqual(['hold pick A', 'play go 0101-0102']);
    expect(hands.busy).toBe(false);
  });

  it('take up a whole stack where the first is picked and the others are added', async () => {
    const slow = new Slow();
    const pick = (unit: string) => choice({ text: `pick ${unit}`, verb: 'pick', unit, held: true });
    const add = (unit: string) => choice({ text: `add ${unit}`, verb: 'add', unit, held: true });
    const done: string[] = [];
    slow.asked = ask('movement', [pick('A'), pick('B'), pick('C')]);
    slow.hold = async (text: string) => {
      done.push(text);
      const [, unit] = text.split(' ');
      slow.held = new Map([...slow.held, [unit!, text]]);
      const less = [...slow.held.keys()].map((u) => choice({ text: `less ${u}`, verb: 'less', unit: u, held: true }));
      slow.asked = ask('hand', [...['A', 'B', 'C'].filter((u) => !slow.held.has(u)).map(add), ...less]);
      return true;
    };
    const hands = new Hands(slow as unknown as Play, () => null);
    await hands.chooseAll([pick('A'), pick('B'), pick('C')]);
    expect(done).toEqual(['pick A', 'add B', 'add C']);
  });

  it('take the unit that a question about one unit is about, and by a click the one that stands there', async () => {
    const slow = new Slow();
    const place = (unit: string, hex: string) => choice({ text: `retreat ${unit} ${hex}`, verb: 'retreat', unit, hex });
    slow.asked = ask('retreat', [place('A', '0102'), place('A', '0201')]);
    const hands = new Hands(slow as unknown as Play, () => null);
    hands.clear();
    expect(hands.chosen).toBe('A');
    expect(hands.lit.map((l) => `${l.kind} ${l.hex}`)).toContain('place 0201');
    slow.asked = ask('retreat', [place('A', '0102'), place('B', '0201')]);
    hands.clear();
    expect(hands.chosen).toBe(null);
    await hands.click('0101');
    expect(hands.chosen).toBe('A');
  });

  it('do not press a button twice when the first press has changed the question', async () => {
    const slow = new Slow();
    const hands = new Hands(slow as unknown as Play, () => null);
    const done = PICK.choices[1]!;
    const both = [hands.choose(done), hands.choose(done)];
    await soon();
    slow.answer();
    await Promise.all(both);
    expect(slow.done).toEqual(['play done']);
  });

  it('show a battle at the first click on a target that would throw dice, and throw them at the second', async () => {
    const slow = new Slow();
    const assault = choice({ text: 'assault 0102', verb: 'assault', hex: '0102' });
    const other = choice({ text: 'assault 0103', verb: 'assault', hex: '0103' });
    const retreat = choice({ text: 'retreat 0104', verb: 'retreat', hex: '0104' });
    slow.asked = ask('hand', [assault, other, retreat]);
    slow.inHand = {};
    const seen: string[] = [];
    let aimed: { choice: ChoiceView } | null = null;
    const play = Object.assign(slow, {
      aim: async (c: ChoiceView) => {
        if (c.verb !== 'assault') return false;
        seen.push(`aim ${c.hex}`);
        aimed = { choice: c };
        return true;
      },
      play: async (text: string) => {
        seen.push(`play ${text}`);
        return true;
      },
    });
    Object.defineProperty(play, 'aimed', { get: () => aimed });
    const hands = new Hands(play as unknown as Play, () => null);
    await hands.click('0102');
    await hands.click('0103');
    await hands.click('0102');
    await hands.click('0102');
    // What cannot be foretold is done at once.
    await hands.click('0104');
    expect(seen).toEqual(['aim 0102', 'aim 0103', 'aim 0102', 'play assault 0102', 'play retreat 0104']);
  });
});
