// Which hexes touch, told from where the board puts their centres. Geometry only: what a unit may do is the game's.

import type { Board, BoardHex } from './protocol';

export class Grid {
  readonly at: Map<string, BoardHex>;
  private readonly cells = new Map<string, BoardHex[]>();
  private readonly apart: number;

  constructor(readonly board: Board) {
    this.at = new Map(board.hexes.map((h) => [h.hex, h]));
    this.apart = board.size * Math.sqrt(3);
    for (const h of board.hexes) {
      const key = this.cell(h.x, h.y);
      const list = this.cells.get(key);
      if (list) list.push(h);
      else this.cells.set(key, [h]);
    }
  }

  private cell(x: number, y: number, dx = 0, dy = 0): string {
    return `${Math.floor(x / this.apart) + dx}:${Math.floor(y / this.apart) + dy}`;
  }

  private *about(x: number, y: number): Generator<BoardHex> {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) yield* this.cells.get(this.cell(x, y, dx, dy)) ?? [];
    }
  }

  /** The hex under a point of the map. */
  under(x: number, y: number): string | null {
    let best: string | null = null;
    let least = this.board.size ** 2 * 1.02;
    for (const h of this.about(x, y)) {
      const d = (h.x - x) ** 2 + (h.y - y) ** 2;
      if (d < least) [least, best] = [d, h.hex];
    }
    return best;
  }

  neighbours(hex: string): string[] {
    const h = this.at.get(hex);
    if (!h) return [];
    const out: string[] = [];
    for (const o of this.about(h.x, h.y)) {
      if (o !== h && Math.hypot(o.x - h.x, o.y - h.y) < this.apart * 1.1) out.push(o.hex);
    }
    return out;
  }

  /** The hexes of a straight way, both ends with it; each touches the one before. */
  line(from: string, to: string): string[] {
    const b = this.at.get(to);
    const out = [from];
    let now = from;
    while (b && now !== to && out.length < 200) {
      const next = this.neighbours(now)
        .map((n) => this.at.get(n)!)
        .sort((p, q) => Math.hypot(p.x - b.x, p.y - b.y) - Math.hypot(q.x - b.x, q.y - b.y))[0];
      if (!next || out.includes(next.hex)) break;
      now = next.hex;
      out.push(now);
    }
    return out;
  }

  /** Of some hexes, the one that lies next in a direction; for moving from hex to hex by arrow keys. */
  toward(from: string, dx: number, dy: number, among: Iterable<string>): string | null {
    const a = this.at.get(from);
    if (!a) return null;
    let best: string | null = null;
    let least = Infinity;
    for (const name of among) {
      const h = this.at.get(name);
      if (!h || name === from) continue;
      const [vx, vy] = [h.x - a.x, h.y - a.y];
      const along = vx * dx + vy * dy;
      const across = Math.abs(vx * dy - vy * dx);
      if (along <= 1 || across > along * 1.8) continue;
      const cost = along + across * 1.5;
      if (cost < least) [least, best] = [cost, name];
    }
    return best;
  }
}
