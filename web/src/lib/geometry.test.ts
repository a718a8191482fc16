import { describe, expect, it } from 'vitest';
import { Grid } from './geometry';
import { changed, front, hatched, tint } from './overlays';
import type { Board, SideInfo, View } from './protocol';

/** Five columns of four hexes, flat-topped, odd columns lower. */
function board(): Board {
  const size = 40;
  const hexes = [];
  for (let c = 1; c <= 5; c++) {
    for (let r = 1; r <= 4; r++) {
      const y = (r + (c % 2 ? 0 : 0.5)) * size * Math.sqrt(3);
      hexes.push({ hex: `0${c}0${r}`, x: c * size * 1.5, y, terrain: 'clear' });
    }
  }
  return { name: '', source: '', box: [0, 0, 400, 400], size, corners: [], layers: [], hexes, boxes: [], legend: [], background: '' };
}

const view = (stacks: [string, 'one' | 'two', string][]): View => ({
  eyes: 'spectator', turn: 1, date: '', phase: '', asks: null, boxes: [], markers: [], tracks: [], weather: [], control: [], outcome: null,
  stacks: stacks.map(([hex, side, code]) => ({
    hex,
    side,
    unseen: 0,
    units: [{ code, name: code, side, nation: '', kind: '', size: '', figures: '', steps: [1, 1], status: [] }],
  })),
});

describe('the grid', () => {
  const g = new Grid(board());

  it('finds six neighbours inside and fewer at the edge', () => {
    expect(g.neighbours('0302').sort()).toEqual(['0201', '0202', '0301', '0303', '0401', '0402']);
    expect(g.neighbours('0101').length).toBeLessThan(6);
  });

  it('leads a straight way over hexes that touch', () => {
    const way = g.line('0101', '0503');
    expect(way[0]).toBe('0101');
    expect(way.at(-1)).toBe('0503');
    way.slice(1).forEach((h, i) => expect(g.neighbours(way[i]!)).toContain(h));
  });

  it('finds the hex under a point and nothing beside the map', () => {
    const h = g.at.get('0203')!;
    expect(g.under(h.x + 8, h.y - 8)).toBe('0203');
    expect(g.under(-500, -500)).toBeNull();
  });

  it('goes by arrow keys only in the direction of the arrow', () => {
    expect(g.toward('0302', 1, 0, ['0202', '0402', '0502'])).toBe('0402');
    expect(g.toward('0302', -1, 0, ['0402', '0502'])).toBeNull();
  });
});

describe('overlays of the page', () => {
  it('draw the front between the nearest counters of both sides', () => {
    const o = front(view([['0102', 'one', 'a'], ['0502', 'two', 'b']]), new Grid(board()));
    expect(o.sides.length).toBeGreaterThan(3);
    expect(o.sides.every(([, kind]) => kind === 'front')).toBe(true);
  });

  it('name what came, what left and what changed', () => {
    const o = changed(view([['0101', 'one', 'a'], ['0202', 'two', 'b']]), view([['0102', 'one', 'a'], ['0202', 'two', 'b']]));
    expect(o.hexes.map(([hex, , why]) => `${hex} ${why}`).sort()).toEqual(['0101 left since', '0102 came here since']);
  });

  it('take a side’s own colour for its classes, and hatch what is missing', () => {
    const sides = [{ id: 'blue', name: 'Blue', colour: '#112233', commands: [] }] as SideInfo[];
    expect(tint('blue-cut', sides, [])).toBe('#112233');
    expect(tint('x', sides, [['y', ''], ['x', '']])).not.toBe(tint('y', sides, [['y', ''], ['x', '']]));
    expect(hatched('blue-cut') && !hatched('blue')).toBe(true);
  });
});
