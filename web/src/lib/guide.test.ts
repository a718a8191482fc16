import { describe, expect, it } from 'vitest';
import { hint } from './guide';
import type { Ask } from './protocol';

const KEYS = ['hide', 'deploy', 'arrivals', 'movement', 'go', 'combat', 'battle', 'losses', 'retreat', 'advance'];
const SHAPES: Partial<Ask['choices'][number]>[] = [{ path: ['0101', '0102'], hex: '0102' }, { unit: 'A', hex: '0101' }, { hex: '0101' }, { unit: 'A' }, {}];

const ask = (key: string, shape: Partial<Ask['choices'][number]> = {}): Ask =>
  ({ n: 1, side: 'one', key, rule: '1', prompt: '', hexes: [], todo: [], choices: [{ text: 'x', verb: 'x', label: 'x', help: '', mine: true, ...shape }] }) as unknown as Ask;

describe('hints', () => {
  it('tell a finger nothing of hovering, keys or dragging', () => {
    const all = [...KEYS.map((k) => hint('drill', ask(k), true)), ...SHAPES.map((s) => hint('pm', ask('other', s), true))];
    for (const text of all) expect(text).not.toMatch(/hover|shift|click|esc\b|press n|number keys|drag/i);
    expect(hint('drill', ask('go'), true)).toMatch(/Hold a finger/);
  });

  it('tell a mouse what it always did', () => {
    expect(hint('drill', ask('go'))).toMatch(/Shift-click/);
    expect(hint('pm', ask('other', SHAPES[0]))).toMatch(/Shift-click/);
    expect(hint('drill', ask('losses'))).toMatch(/Click the unit/);
  });
});
