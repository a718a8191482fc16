// How a battle may end, as the panel lists it.
import type { End } from './protocol';

/** The likeliest ends first; of equals the one that costs least. */
export function likeliest(ends: End[]): End[] {
  const cost = (e: End) => e.attacker + e.defender;
  return [...ends].sort((a, b) => b.chance - a.chance || cost(a) - cost(b));
}

/** The ends that are shown unasked, and what the others come to together. No row is hidden alone. */
export function shown(ends: End[], most: number): { rows: End[]; others: number; rest: number } {
  const all = likeliest(ends);
  const rows = all.length > most + 1 ? all.slice(0, most) : all;
  const left = all.slice(rows.length);
  return { rows, others: left.length, rest: left.reduce((sum, e) => sum + e.chance, 0) };
}

/** The chance of all ends of a kind. */
export const chanceOf = (ends: End[], kind: (e: End) => boolean): number =>
  ends.reduce((sum, e) => sum + (kind(e) ? e.chance : 0), 0);

/** A chance in whole hundredths; what is possible is never shown as nothing, nor what is unsure as certain. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.005) return '<1%';
  if (chance < 1 - 1e-9 && chance > 0.995) return '>99%';
  return `${Math.round(chance * 100)}%`;
}

/** Steps lost, as one reads them: none is a dash. */
export const steps = (n: number): string => (n === 0 ? '–' : `−${n}`);
