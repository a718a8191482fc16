// How a click becomes a choice. The page knows no rules: it only sorts the choices on offer by what they point at.

import type { Ask, ChoiceView, Stack } from './protocol';

export interface Sorted {
  /** By the hex that a choice points at. */
  byHex: Map<string, ChoiceView[]>;
  /** By the unit that a choice is about, where no hex is named. */
  byUnit: Map<string, ChoiceView[]>;
  /** By unit and hex: where a unit can be put. */
  places: Map<string, ChoiceView[]>;
  /** By the box that a choice points at. */
  byBox: Map<string, ChoiceView[]>;
  /** Buttons: nothing on the map. */
  buttons: ChoiceView[];
}

/** A kind of deed that the question offers: all choices of one verb that point at something. */
export interface Deed {
  verb: string;
  label: string;
  help: string;
  count: number;
  /** Whether it begins or goes on with something: it is taken in hand, or follows a path. */
  main: boolean;
  /** Whether each of its choices is about a unit. */
  units: boolean;
  /** The hexes that it points at, where it points at nothing else. */
  hexes: string[];
}

/** So many hexes lit at once hide everything else that could be done. */
const FLOOD = 60;

export function deeds(ask: Ask | null): Deed[] {
  const by = new Map<string, ChoiceView[]>();
  for (const c of ask?.choices ?? []) {
    if (!c.mine || !(c.unit || c.hex || c.box || c.edge)) continue;
    const of = by.get(c.verb);
    if (of) of.push(c);
    else by.set(c.verb, [c]);
  }
  return [...by].map(([verb, of]) => ({
    verb,
    label: of[0]!.label,
    help: of[0]!.help,
    count: new Set(of.map((c) => c.unit ?? c.hex ?? c.box ?? c.edge?.join())).size,
    main: of.some((c) => c.held || c.path),
    units: of.every((c) => c.unit),
    hexes: of.every((c) => c.hex && !c.unit) ? of.map((c) => c.hex!) : [],
  }));
}

/**
 * The deeds that are lit without being asked for. Where one picks a unit or a target, a click must not do something rarer;
 * what is offered beside the unit or target in hand is lit with it, and so is what the unit in hand can do to the enemy: a click
 * on his stack means nothing else.
 */
export function litAtFirst(all: Deed[], inHand: boolean, foes: Set<string>): Set<string> {
  const some = all.some((d) => d.main);
  const against = (d: Deed) => d.hexes.length > 0 && d.hexes.every((h) => foes.has(h));
  const beside = (d: Deed) => inHand && (d.units || against(d));
  return new Set(all.filter((d) => (some ? d.main || beside(d) : d.count <= FLOOD || d.units)).map((d) => d.verb));
}

/** Where the enemy of a side stands. */
export function foesOf(side: string | undefined, stacks: Stack[]): Set<string> {
  return new Set(stacks.filter((s) => s.side !== side).map((s) => s.hex));
}

export function sorted(ask: Ask | null, verbs?: Set<string>): Sorted {
  const s: Sorted = { byHex: new Map(), byUnit: new Map(), places: new Map(), byBox: new Map(), buttons: [] };
  const push = (m: Map<string, ChoiceView[]>, key: string, c: ChoiceView) => {
    const list = m.get(key);
    if (list) list.push(c);
    else m.set(key, [c]);
  };
  for (const c of ask?.choices ?? []) {
    if (!c.mine || (verbs && (c.unit || c.hex || c.box || c.edge) && !verbs.has(c.verb))) continue;
    if (c.unit && (c.hex || c.box)) push(s.places, c.unit, c);
    else if (c.hex) push(s.byHex, c.hex, c);
    else if (c.unit) push(s.byUnit, c.unit, c);
    else if (c.box) push(s.byBox, c.box, c);
    else if (c.edge) for (const hex of c.edge) push(s.byHex, hex, c);
    else s.buttons.push(c);
  }
  return s;
}

export type Kind = 'go' | 'target' | 'unit' | 'place' | 'chosen' | 'ask';

export interface Lit {
  hex: string;
  kind: Kind;
  note?: string;
  label: string;
}

/** Every hex that a click would do something on, with what it would do. */
export function litHexes(s: Sorted, stacks: Stack[], chosenUnit: string | null): Lit[] {
  const lit = new Map<string, Lit>();
  const put = (l: Lit) => {
    if (!lit.has(l.hex)) lit.set(l.hex, l);
  };
  for (const [hex, choices] of s.byHex) {
    const c = choices[0]!;
    put({ hex, kind: c.path ? 'go' : 'target', note: c.note, label: `${c.label} ${hex}${c.note ? `, ${c.note}` : ''}` });
  }
  if (chosenUnit) {
    for (const c of s.places.get(chosenUnit) ?? []) {
      if (c.hex) put({ hex: c.hex, kind: 'place', note: c.note, label: `${c.label} ${chosenUnit} ${c.hex}` });
    }
  }
  for (const stack of stacks) {
    const can = stack.units.filter((u) => s.byUnit.has(u.code) || s.places.has(u.code));
    if (can.length > 0) {
      put({ hex: stack.hex, kind: 'unit', label: `${stack.hex}: ${can.map((u) => u.name).join(', ')}` });
    }
  }
  return [...lit.values()];
}

/** What a click on a hex can mean now; empty when it means nothing. */
export function onHex(s: Sorted, hex: string, stacks: Stack[], chosenUnit: string | null): ChoiceView[] {
  const direct = s.byHex.get(hex);
  if (direct) return direct;
  if (chosenUnit) {
    const put = (s.places.get(chosenUnit) ?? []).filter((c) => c.hex === hex);
    if (put.length > 0) return put;
  }
  return stacks
    .filter((t) => t.hex === hex)
    .flatMap((t) => t.units.flatMap((u) => s.byUnit.get(u.code) ?? []));
}
