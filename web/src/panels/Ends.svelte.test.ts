import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { chanceOf, likeliest, percent, shown, steps } from '../lib/ends';
import type { End } from '../lib/protocol';
import Ends from './Ends.svelte';

const end = (attacker: number, defender: number, chance: number, more: Partial<End> = {}): End => ({
  attacker,
  defender,
  retreat: false,
  taken: false,
  chance,
  ...more,
});
const FEW = [end(1, 0, 0.25), end(0, 1, 0.5, { retreat: true, taken: true }), end(0, 2, 0.25, { taken: true })];
const MANY = [0, 1, 2, 3, 4, 5, 6].map((n) => end(n, 0, n === 0 ? 0.4 : 0.1));

describe('how a battle may end', () => {
  it('is listed with the likeliest first, and of equals the cheapest', () => {
    expect(likeliest(FEW).map((e) => [e.attacker, e.defender])).toEqual([[0, 1], [1, 0], [0, 2]]);
  });

  it('leaves out no single end, and says what the others come to', () => {
    expect(shown(FEW, 2).others).toBe(0);
    const { rows, others, rest } = shown(MANY, 5);
    expect([rows.length, others]).toEqual([5, 2]);
    expect(rest).toBeCloseTo(0.2);
  });

  it('adds up ends of a kind', () => {
    expect(chanceOf(FEW, (e) => e.taken)).toBeCloseTo(0.75);
  });

  it('never calls what is possible nothing, nor what is unsure certain', () => {
    expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0%', '<1%', '50%', '>99%', '100%']);
    expect([steps(0), steps(2)]).toEqual(['–', '−2']);
  });
});

describe('the table of ends', () => {
  let gone = () => {};
  afterEach(() => gone());
  const show = (ends: End[]) => {
    const shownAt = mount(Ends, { target: document.body, props: { ends } });
    flushSync();
    gone = () => void unmount(shownAt);
  };
  const rows = () =>
    [...document.querySelectorAll('tbody tr')].map((r) =>
      [...r.children].map((cell) => cell.textContent!.trim()).filter(Boolean).join(' '),
    );

  it('says each end in words', () => {
    show(FEW);
    expect(rows()[0]).toMatch(/^50% – −1 taken, retreat$/);
    expect(document.querySelector('caption')!.textContent).toContain('retreats and lives in 50%');
    expect(document.querySelector('button')).toBeNull();
  });

  it('opens to all ends by a button that says whether it is open', () => {
    show(MANY);
    const button = document.querySelector('button')!;
    expect([rows().length, button.getAttribute('aria-expanded')]).toEqual([5, 'false']);
    expect(button.textContent).toContain('2 other ends, 20%');
    button.click();
    flushSync();
    expect([rows().length, button.getAttribute('aria-expanded')]).toEqual([7, 'true']);
  });
});
