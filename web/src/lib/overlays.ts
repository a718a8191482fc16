// Colours of overlays, and the overlays that the page makes itself from what a view shows.

import type { Grid } from './geometry';
import type { Overlay, Side, SideInfo, View } from './protocol';

/** Eight colours that people with any colour vision can tell apart (Okabe and Ito). */
const PALETTE = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b5a400', '#444444'];

/** Words that several games use for the same thing. */
const KNOWN: Record<string, string> = {
  both: '#7b5ea7',
  out: '#000000',
  reach: '#d55e00',
  far: '#e69f00',
  threat: '#d55e00',
  fort: '#7a5230',
  heavy: '#43290f',
  stalin: '#b4884d',
  down: '#8a8a8a',
  clear: '#e6c229',
  overcast: '#8a8a8a',
  overcastw: '#6b7280',
  rain: '#0072b2',
  dry: '#e6c229',
  mud: '#7a5230',
  lightmud: '#b4884d',
  frost: '#56b4e9',
  snow: '#2f6fb0',
  storm: '#2b2f77',
  arctic: '#2b2f77',
  changed: '#cc79a7',
  front: '#e6007e',
};

/** The colour of a class: a side's own, a known word's, else one of the palette by its place in the legend. */
export function tint(kind: string, sides: SideInfo[], legend: [string, string][]): string {
  const base = kind.replace(/-cut$/, '');
  const side = sides.find((s, i) => s.id === base || base === (i === 0 ? 'one' : 'two'));
  if (side) return side.colour;
  const known = KNOWN[base.toLowerCase().replace(/[^a-z]/g, '')];
  if (known) return known;
  const i = legend.findIndex(([k]) => k === kind);
  return PALETTE[(i < 0 ? 0 : i) % PALETTE.length]!;
}

/** Whether a class means that something is missing: drawn hatched, so that it does not hang on the colour alone. */
export function hatched(kind: string): boolean {
  return kind.endsWith('-cut') || kind === 'out' || kind === 'down' || kind === 'reach' || kind === 'threat';
}

/** Overlays of the page's own, offered beside those of the game. */
export const OWN: [string, string][] = [
  ['changed', 'What changed on the map since my last turn'],
  ['front', 'The line between the two sides’ counters'],
];

function contents(view: View): Map<string, string> {
  const out = new Map<string, string>();
  for (const s of view.stacks) {
    const what = s.units.map((u) => `${u.code}:${u.steps[0]}`).sort().join(',');
    out.set(s.hex, `${s.side} ${what} ${s.unseen}`);
  }
  for (const c of view.control) out.set(c.hex, `${out.get(c.hex) ?? ''}|${c.side}`);
  return out;
}

/** The hexes that look otherwise than before. */
export function changed(before: View, now: View): Overlay {
  const [a, b] = [contents(before), contents(now)];
  const hexes: Overlay['hexes'] = [];
  for (const hex of new Set([...a.keys(), ...b.keys()])) {
    if (a.get(hex) === b.get(hex)) continue;
    const why = !b.has(hex) ? 'left since' : !a.has(hex) ? 'came here since' : 'changed since';
    hexes.push([hex, 'changed', why]);
  }
  return { hexes, sides: [], paths: [], legend: [['changed', 'changed since your last turn']] };
}

/** The line half-way between the counters of the two sides: a picture of the front, not a rule. */
export function front(view: View, grid: Grid): Overlay {
  const owner = new Map<string, Side>();
  let edge: string[] = [];
  for (const s of view.stacks) {
    owner.set(s.hex, s.side);
    edge.push(s.hex);
  }
  for (const c of view.control) {
    if (owner.has(c.hex)) continue;
    owner.set(c.hex, c.side);
    edge.push(c.hex);
  }
  while (edge.length) {
    const next: string[] = [];
    for (const hex of edge) {
      for (const n of grid.neighbours(hex)) {
        if (owner.has(n)) continue;
        owner.set(n, owner.get(hex)!);
        next.push(n);
      }
    }
    edge = next;
  }
  const sides: Overlay['sides'] = [];
  for (const [hex, side] of owner) {
    if (side !== 'one') continue;
    for (const n of grid.neighbours(hex)) if (owner.get(n) === 'two') sides.push([`${hex}/${n}`, 'front']);
  }
  return { hexes: [], sides, paths: [], legend: [['front', 'half-way between the counters']] };
}
