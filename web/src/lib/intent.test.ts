import { describe, expect, it } from 'vitest';
import { deeds, foesOf, litAtFirst, litHexes, onHex, sorted } from './intent';
import { patched } from './patch';
import { unfolded } from './protocol';
import type { Ask, ChoiceView, Stack, Unit, View } from './protocol';

const choice = (c: Partial<ChoiceView> & { text: string; verb: string }): ChoiceView => ({
  label: c.verb,
  help: '',
  mine: true,
  ...c,
});

const ask = (choices: ChoiceView[]): Ask => ({
  n: 1,
  side: 'one',
  key: 'movement',
  rule: '1.1',
  prompt: '',
  hexes: [],
  todo: [],
  choices,
});

const unit = (code: string): Unit => ({
  code,
  name: code,
  side: 'one',
  nation: 'blue',
  kind: 'infantry',
  size: 'XX',
  figures: '4-4-4',
  steps: [1, 1],
  status: [],
});

const stacks: Stack[] = [{ hex: '0101', side: 'one', units: [unit('A'), unit('B')], unseen: 0 }];

describe('choices on the map', () => {
  const s = sorted(
    ask([
      choice({ text: 'pick A', verb: 'pick', unit: 'A' }),
      choice({ text: 'go 0101-0102', verb: 'go', hex: '0102', path: ['0101', '0102'], note: '2 left' }),
      choice({ text: 'place B 0103', verb: 'place', unit: 'B', hex: '0103' }),
      choice({ text: 'done', verb: 'done' }),
      choice({ text: 'pick C', verb: 'pick', unit: 'C', mine: false }),
    ]),
  );

  it('sorts each by what it points at, and leaves out what another command must choose', () => {
    expect(s.byUnit.get('A')?.length).toBe(1);
    expect(s.byHex.get('0102')?.length).toBe(1);
    expect(s.places.get('B')?.length).toBe(1);
    expect(s.buttons.map((b) => b.verb)).toEqual(['done']);
    expect(s.byUnit.has('C')).toBe(false);
  });

  it('lights targets, and the stacks whose units can do something', () => {
    const lit = litHexes(s, stacks, null);
    expect(lit.find((l) => l.hex === '0102')?.kind).toBe('go');
    expect(lit.find((l) => l.hex === '0101')?.kind).toBe('unit');
    expect(lit.find((l) => l.hex === '0103')).toBeUndefined();
    expect(litHexes(s, stacks, 'B').find((l) => l.hex === '0103')?.kind).toBe('place');
  });

  it('reads a click as the choice that points there', () => {
    expect(onHex(s, '0102', stacks, null).map((c) => c.text)).toEqual(['go 0101-0102']);
    expect(onHex(s, '0101', stacks, null).map((c) => c.text)).toEqual(['pick A']);
    expect(onHex(s, '0103', stacks, 'B').map((c) => c.text)).toEqual(['place B 0103']);
    expect(onHex(s, '0109', stacks, null)).toEqual([]);
  });

});

describe('a long list of placements', () => {
  it('comes folded and is spelled out', () => {
    const long: Ask = { ...ask([choice({ text: 'fill', verb: 'fill' })]), places: [{ verb: 'place', label: 'Place', help: '', units: ['A', 'B'], hexes: ['0101', '0102'], boxes: ['okh'] }] };
    const s = sorted(unfolded(long));
    expect(s.places.get('B')?.map((c) => c.text)).toEqual(['place B 0101', 'place B 0102', 'place B okh']);
    expect(s.buttons.map((c) => c.text)).toEqual(['fill']);
    expect(unfolded(ask([])) !== null && unfolded(null)).toBe(null);
  });
});

describe('a patch', () => {
  const view: View = {
    eyes: 'one',
    turn: 1,
    date: '',
    phase: 'a',
    asks: 'one',
    stacks,
    boxes: [{ id: 'dead', name: 'Dead', side: null, units: [], unseen: 0 }],
    markers: [],
    tracks: [],
    weather: [],
    control: [{ hex: '0101', side: 'one' }],
    outcome: null,
  };

  it('replaces what it names and nothing else', () => {
    const next = patched(view, {
      set: { phase: 'b' },
      stacks: { '0101': [], '0102': [{ hex: '0102', side: 'one', units: [unit('A')], unseen: 0 }] },
      markers: {},
      boxes: { dead: null, new: { id: 'new', name: 'New', side: null, units: [], unseen: 2 } },
      control: { '0101': 'two', '0102': null },
    });
    expect(next.phase).toBe('b');
    expect(next.stacks.map((s) => s.hex)).toEqual(['0102']);
    expect(next.boxes.map((b) => b.id)).toEqual(['new']);
    expect(next.control).toEqual([{ hex: '0101', side: 'two' }]);
    expect(view.phase).toBe('a');
  });
});

describe('a patch', () => {
  it('with parts left out changes nothing but what it names', () => {
    const view = { stacks, boxes: [], markers: [], control: [{ hex: '0101', side: 'one' }], turn: 1 } as unknown as View;
    const next = patched(view, { set: { turn: 2 } });
    expect(next.turn).toBe(2);
    expect(next.stacks).toBe(view.stacks);
    expect(next.control).toEqual(view.control);
  });
});

describe('what is lit without being asked for', () => {
  const enemy: Stack = { hex: '0202', side: 'two', units: [], unseen: 1 };
  const hand = ask([
    choice({ text: 'go 0101-0102', verb: 'go', hex: '0102', path: ['0101', '0102'] }),
    choice({ text: 'assault 0202', verb: 'assault', hex: '0202' }),
    choice({ text: 'dig 0101', verb: 'dig', hex: '0101' }),
  ]);

  it('is the move and what can be done to the enemy with the unit in hand, not the rarer deeds', () => {
    const foes = foesOf('one', [...stacks, enemy]);
    expect([...litAtFirst(deeds(hand), true, foes)].sort()).toEqual(['assault', 'go']);
    expect([...litAtFirst(deeds(hand), false, foes)]).toEqual(['go']);
    // A deed that points at anything but the enemy waits to be asked for.
    const wide = ask([...hand.choices, choice({ text: 'assault 0303', verb: 'assault', hex: '0303' })]);
    expect([...litAtFirst(deeds(wide), true, foes)]).toEqual(['go']);
  });
});
