// What is left on a clock, counted down on the screen between the server's messages. The server's count is the one that holds.

import type { Clock, Side } from './protocol';

const beat = $state({ now: performance.now() });
setInterval(() => (beat.now = performance.now()), 500);

/** Seconds left for a side, when the clock was told at a moment of this page's own time. */
export function left(clock: Clock, side: Side, told: number): number {
  const gone = clock.runs === side ? Math.max(0, beat.now - told) / 1000 : 0;
  return Math.max(0, clock.left[side] - gone);
}

export function written(seconds: number): string {
  const s = Math.ceil(seconds);
  const [h, m] = [Math.floor(s / 3600), Math.floor((s % 3600) / 60)];
  const two = (n: number) => String(n).padStart(2, '0');
  return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}
