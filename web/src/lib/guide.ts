// Hints for newcomers, by the key of the question. They say how to use the page; the rules speak for themselves.

import type { Ask } from './protocol';

const DRILL: Record<string, string> = {
  hide: 'Red has two face-down counters. Click the one that shall be the real Guards; the other is a decoy. Blue will not know which.',
  deploy: 'Open Forces, click a unit that waits there, then a green hex. Press Done when all stand.',
  arrivals: 'A reinforcement waits off the map. Open Forces, click it, then the green hex; or press Done to let it wait.',
  movement: 'Units that can still move lie on blue. Click one to take it in hand, or drag it. Aim: cross the river by the bridges and take towns; Corvane counts most. When you have moved enough, press Done.',
  go: 'Yellow hexes are in reach; the figure is what the way costs. Hover to see the path, click to go there. Shift-click a hex to bend the path over it. A click on a hex that is not lit says why not. Esc puts the unit back.',
  combat: 'Hexes with stripes can be attacked. Click one to see the odds before you decide; nothing is thrown yet. Press Done to end your turn.',
  battle: 'Click your units beside the target to join them. The panel shows the sum, the column and the chance of each result. Resolve throws the die and cannot be taken back; Esc calls the attack off.',
  losses: 'Steps were lost. Click the unit that shall lose one.',
  retreat: 'The stack must go back. Click a lit hex, or stand fast if that is offered.',
  advance: 'The hex is empty. Click a unit to move it in for free, or press Done to stay.',
};

/** A hint for a question of a game; for games without hints of their own, by the shape of its answers. */
export function hint(game: string, ask: Ask): string {
  const own = game === 'drill' ? DRILL[ask.key] : undefined;
  if (own) return own;
  const some = (f: (c: Ask['choices'][number]) => unknown) => ask.choices.some((c) => f(c));
  if (some((c) => c.path)) return 'Yellow hexes are in reach. Click one to go there; Shift-click to bend the path; Esc puts back.';
  if (some((c) => c.unit && (c.hex || c.box))) return 'Choose a unit (in Forces, or in its stack), then a green hex or a box.';
  if (some((c) => c.hex && !c.unit)) return 'Click one of the striped hexes; a click elsewhere says why not.';
  if (some((c) => c.unit)) return 'Units that can answer lie on blue: click one, or press n for the next.';
  return 'Answer with one of the buttons; the number keys press them.';
}
