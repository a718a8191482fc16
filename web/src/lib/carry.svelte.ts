// A counter that is carried by the mouse from a panel to the map.

import type { Unit } from './protocol';

export class Carry {
  unit = $state.raw<Unit | null>(null);
  x = $state(0);
  y = $state(0);

  constructor(
    /** The counter has left its place. */
    private readonly lifted: (code: string) => void,
    /** It moves over a place of the screen. */
    private readonly over: (x: number, y: number) => void,
    /** It was let go there. */
    private readonly dropped: (code: string, x: number, y: number) => void,
  ) {}

  /** The button goes down on a counter: from here on it may be carried. A finger scrolls the panel instead. */
  begin(unit: Unit, e: PointerEvent): void {
    if (e.button !== 0 || e.pointerType === 'touch') return;
    const [x, y] = [e.clientX, e.clientY];
    const move = (m: PointerEvent) => {
      if (!this.unit && Math.hypot(m.clientX - x, m.clientY - y) > 6) {
        this.unit = unit;
        this.lifted(unit.code);
      }
      if (!this.unit) return;
      [this.x, this.y] = [m.clientX, m.clientY];
      this.over(m.clientX, m.clientY);
    };
    const end = (u: PointerEvent) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      const carried = this.unit;
      this.unit = null;
      if (carried && u.type === 'pointerup') this.dropped(carried.code, u.clientX, u.clientY);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }
}
