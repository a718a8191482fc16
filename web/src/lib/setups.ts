// Set-ups that a player keeps: the choices of a set-up in their order, so that laying one out again is playing them again.
// They stay in this browser; as files they go anywhere.

import type { Side } from './protocol';

export interface SetUp {
  game: string;
  scenario: string;
  side: Side;
  name: string;
  orders: string[];
}

/** The name under which the last finished set-up is kept by itself. */
export const LAST = 'my last';

const KEY = 'verst-setups';
const HEAD = 'verst set-up 1';

export class SetUps {
  constructor(private readonly store: Pick<Storage, 'getItem' | 'setItem'> = localStorage) {}

  private all(): SetUp[] {
    try {
      const kept: unknown = JSON.parse(this.store.getItem(KEY) ?? '[]');
      return Array.isArray(kept) ? kept.filter((s): s is SetUp => typeof s?.name === 'string' && Array.isArray(s.orders)) : [];
    } catch {
      return [];
    }
  }

  private write(all: SetUp[]): void {
    try {
      this.store.setItem(KEY, JSON.stringify(all.slice(-40)));
    } catch {
      // A browser that keeps nothing can still save them as files.
    }
  }

  /** Those for a side of a scenario, by name. */
  of(game: string, scenario: string, side: Side): SetUp[] {
    return this.all()
      .filter((s) => s.game === game && s.scenario === scenario && s.side === side)
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  keep(s: SetUp): void {
    this.write([...this.all().filter((o) => !same(o, s)), s]);
  }

  forget(s: SetUp): void {
    this.write(this.all().filter((o) => !same(o, s)));
  }
}

function same(a: SetUp, b: SetUp): boolean {
  return a.game === b.game && a.scenario === b.scenario && a.side === b.side && a.name === b.name;
}

/** A set-up as a file: a head, then one choice on each line. */
export function written(s: SetUp): string {
  return `${HEAD}\ngame ${s.game}\nscenario ${s.scenario}\nside ${s.side}\nname ${s.name}\n\n${s.orders.join('\n')}\n`;
}

/** Reads such a file; a fault is a sentence that names the line. */
export function read(text: string): SetUp {
  const lines = text.split(/\r?\n/).map((l) => l.trim());
  if (lines[0] !== HEAD) throw new Error(`Line 1 should be "${HEAD}": this is not a set-up.`);
  const head = (i: number, word: string): string => {
    const line = lines[i] ?? '';
    if (!line.startsWith(`${word} `)) throw new Error(`Line ${i + 1} of the set-up should begin with "${word}".`);
    return line.slice(word.length + 1);
  };
  const side = head(3, 'side');
  if (side !== 'one' && side !== 'two') throw new Error('Line 4 of the set-up should be "side one" or "side two".');
  const orders = lines.slice(5).filter(Boolean);
  if (!orders.length) throw new Error('The set-up places nothing.');
  return { game: head(1, 'game'), scenario: head(2, 'scenario'), side, name: head(4, 'name'), orders };
}
