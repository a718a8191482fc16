// Hints for newcomers, by the key of the question. They say how to use the page; the rules speak for themselves. Each is
// told for a mouse and keys or, where that is another thing, for a finger.

import type { Ask } from './protocol';

type Told = string | { mouse: string; finger: string };

const DRILL: Record<string, Told> = {
  hide: 'Red has two face-down counters. Click the one that shall be the real Guards; the other is a decoy. Blue will not know which.',
  deploy: 'Open Forces, click a unit that waits there, then a green hex. Press Done when all stand.',
  arrivals: 'A reinforcement waits off the map. Open Forces, click it, then the green hex; or press Done to let it wait.',
  movement: {
    mouse: 'Units that can still move lie on blue. Click one to take it in hand, or drag it. Aim: cross the river by the bridges and take towns; Corvane counts most. When you have moved enough, press Done.',
    finger: 'Units that can still move lie on blue. Tap one to take it in hand. Aim: cross the river by the bridges and take towns; Corvane counts most. When you have moved enough, press Done.',
  },
  go: {
    mouse: 'Yellow hexes are in reach; the figure is what the way costs. Hover to see the path, click to go there. Shift-click a hex to bend the path over it. A click on a hex that is not lit says why not. Esc puts the unit back.',
    finger: 'Yellow hexes are in reach; the figure is what the way costs. Tap one to go there. Hold a finger on a yellow hex to lead the path over it; on a hex that is not lit a tap says why not. Put back lays the unit down again.',
  },
  combat: 'Hexes with stripes can be attacked. Click one to see the odds before you decide; nothing is thrown yet. Press Done to end your turn.',
  battle: {
    mouse: 'Click your units beside the target to join them. The panel shows the sum, the column and the chance of each result. Resolve throws the die and cannot be taken back; Esc calls the attack off.',
    finger: 'Tap your units beside the target to join them. The panel below shows the sum, the column and the chance of each result. Resolve throws the die and cannot be taken back; Put back calls the attack off.',
  },
  losses: 'Steps were lost. Click the unit that shall lose one.',
  retreat: 'The stack must go back. Click a lit hex, or stand fast if that is offered.',
  advance: 'The hex is empty. Click a unit to move it in for free, or press Done to stay.',
};

const PATH: Told = {
  mouse: 'Yellow hexes are in reach. Click one to go there; Shift-click to bend the path; Esc puts back.',
  finger: 'Yellow hexes are in reach. Tap one to go there; hold a finger on one to lead the path over it.',
};
const PLACE = 'Choose a unit (in Forces, or in its stack), then a green hex or a box.';
const TARGET = 'Click one of the striped hexes; a click elsewhere says why not.';
const UNIT: Told = {
  mouse: 'Units that can answer lie on blue: click one, or press n for the next.',
  finger: 'Units that can answer lie on blue: tap one.',
};
const BUTTON: Told = {
  mouse: 'Answer with one of the buttons; the number keys press them.',
  finger: 'Answer with one of the buttons.',
};

/** The words for the hand that is used: a finger taps where a mouse clicks. */
function said(told: Told, finger: boolean): string {
  if (typeof told !== 'string') return finger ? told.finger : told.mouse;
  return finger ? told.replaceAll('Click', 'Tap').replaceAll('click', 'tap') : told;
}

/** A hint for a question of a game; for games without hints of their own, by the shape of its answers. */
export function hint(game: string, ask: Ask, finger = false): string {
  const own = game === 'drill' ? DRILL[ask.key] : undefined;
  const some = (f: (c: Ask['choices'][number]) => unknown) => ask.choices.some((c) => f(c));
  const byShape = () => {
    if (some((c) => c.path)) return PATH;
    if (some((c) => c.unit && (c.hex || c.box))) return PLACE;
    if (some((c) => c.hex && !c.unit)) return TARGET;
    return some((c) => c.unit) ? UNIT : BUTTON;
  };
  return said(own ?? byShape(), finger);
}

/** Whether the page is played with a finger: what points here is coarse and cannot hover. */
export const byFinger = (): boolean => globalThis.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false;
