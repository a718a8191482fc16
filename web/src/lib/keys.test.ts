import { describe, expect, it } from 'vitest';
import { keys, type Desk } from './keys';
import { Hands } from './table.svelte';
import type { Play } from './play.svelte';
import type { Ask, ChoiceView, Stack, Unit } from './protocol';

const choice = (c: Partial<ChoiceView> & { text: string; verb: string }): ChoiceView => ({ label: c.verb, help: '', mine: true, ...c });
const ask = (choices: ChoiceView[]): Ask => ({ n: 1, side: 'one', key: 'movement', rule: '1.1', prompt: '', hexes: [], todo: [], choices });
const unit: Unit = { code: 'A', name: 'A', side: 'one', nation: 'blue', kind: 'infantry', size: 'XX', figures: '4', steps: [1, 1], status: [] };
const stacks: Stack[] = [{ hex: '0101', side: 'one', units: [unit], unseen: 0 }];
const DONE = choice({ text: 'done', verb: 'done' });
const PICK = choice({ text: 'pick A', verb: 'pick', unit: 'A', held: true });

/** A desk with a question on it; what is done there is written down. */
function desk(choices: ChoiceView[], replaying = false): { done: string[]; hands: Hands; press: (key: string, at?: HTMLElement) => Promise<void> } {
  const done: string[] = [];
  const asked = ask(choices);
  const play = {
    n: 1,
    asked,
    ask: asked,
    shown: { stacks },
    view: { stacks },
    refusal: null,
    inHand: null,
    held: new Map<string, string>(),
    hold: async (text: string) => void done.push(`hold ${text}`),
    play: async (text: string) => void done.push(`play ${text}`),
    why: async () => null,
  } as unknown as Play;
  const hands = new Hands(play, () => null);
  const nothing = () => {};
  const heard = keys({ hands, play, map: () => null, replaying: () => replaying, leave: nothing, replay: nothing, help: nothing, search: nothing, overlay: nothing } satisfies Desk);
  return {
    done,
    hands,
    press: async (key, at = document.body) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      const hear = (e: Event) => heard(e as KeyboardEvent);
      addEventListener('keydown', hear);
      at.dispatchEvent(event);
      removeEventListener('keydown', hear);
      await new Promise((then) => setTimeout(then, 5));
    },
  };
}

describe('Enter', () => {
  it('goes on when nothing can be done', async () => {
    const table = desk([DONE]);
    await table.press('Enter');
    expect(table.done).toEqual(['play done']);
  });

  it('goes on also when the stack that was clicked last has the focus, but presses a button of the bar', async () => {
    const map = Object.assign(document.createElement('div'), { className: 'map' });
    const [stack, button] = [document.createElement('button'), document.createElement('button')];
    map.append(stack);
    document.body.append(map, button);
    const table = desk([DONE]);
    await table.press('Enter', stack);
    expect(table.done).toEqual(['play done']);
    await table.press('Enter', button);
    expect(table.done).toEqual(['play done']);
    map.remove();
    button.remove();
  });

  it('is the browser’s on a box that was ticked, where other keys are still ours', async () => {
    const box = Object.assign(document.createElement('input'), { type: 'checkbox' });
    document.body.append(box);
    const table = desk([DONE]);
    await table.press('Enter', box);
    await table.press(' ', box);
    expect(table.done).toEqual([]);
    await table.press('d', box);
    expect(table.done).toEqual(['play done']);
    box.remove();
  });

  it('never ends a phase in which something can still be done', async () => {
    const table = desk([PICK, DONE]);
    await table.press('Enter');
    expect(table.done).toEqual([]);
    table.hands.hover = '0101';
    await table.press('Enter');
    expect(table.done).toEqual(['hold pick A']);
  });

  it('does nothing while a replay runs, and leaves a focused button to the browser', async () => {
    const replay = desk([DONE], true);
    await replay.press('Enter');
    expect(replay.done).toEqual([]);
    const table = desk([DONE]);
    const button = document.body.appendChild(document.createElement('button'));
    await table.press('Enter', button);
    button.remove();
    expect(table.done).toEqual([]);
  });
});
