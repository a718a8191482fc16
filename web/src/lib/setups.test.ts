import { describe, expect, it } from 'vitest';
import { read, SetUps, written, type SetUp } from './setups';

const mine: SetUp = { game: 'pm', scenario: 'campaign', side: 'two', name: 'forward', orders: ['place R1 2608N', 'place R2 2707N', 'fill'] };

class Drawer {
  text: string | null = null;
  getItem = () => this.text;
  setItem = (_: string, v: string) => void (this.text = v);
}

describe('a set-up that is kept', () => {
  it('comes back from a file as it went out', () => {
    expect(read(written(mine))).toEqual(mine);
  });

  it('is refused with the line at fault', () => {
    expect(() => read('nonsense')).toThrow(/Line 1/);
    expect(() => read(written(mine).replace('side two', 'side three'))).toThrow(/Line 4/);
    expect(() => read(written({ ...mine, orders: [] }))).toThrow(/places nothing/);
  });

  it('is found again for its own side and scenario only, and replaces one of the same name', () => {
    const kept = new SetUps(new Drawer());
    kept.keep(mine);
    kept.keep({ ...mine, orders: ['fill'] });
    kept.keep({ ...mine, side: 'one' });
    expect(kept.of('pm', 'campaign', 'two').map((s) => s.orders)).toEqual([['fill']]);
    expect(kept.of('pm', 'june', 'two')).toEqual([]);
    kept.forget(mine);
    expect(kept.of('pm', 'campaign', 'two')).toEqual([]);
    expect(kept.of('pm', 'campaign', 'one').length).toBe(1);
  });

  it('survives a drawer full of nonsense', () => {
    const drawer = new Drawer();
    drawer.text = '[{"name":3},7,null]';
    expect(new SetUps(drawer).of('pm', 'campaign', 'two')).toEqual([]);
    drawer.text = '{';
    expect(new SetUps(drawer).of('pm', 'campaign', 'two')).toEqual([]);
  });
});
