// A counter drawn on a canvas, as it lies on the table: colours by nation, sign by kind, figures, steps, status. Drawn and
// not laid out: a counter of a dozen elements is a dozen things to style, place and paint, six hundred times over.

import { colours } from './colours';
import { SIGNS, type Stroke } from './symbols';
import type { Unit } from '../lib/protocol';

export type Brush = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

export const FONT = "'Barlow Semi Condensed', 'Barlow Condensed', 'Roboto Condensed', 'DejaVu Sans Condensed', system-ui, sans-serif";

/** States that a player must see at a glance; the rest is in the list of the stack. */
const GRAVE: [RegExp, string][] = [
  [/full retreat/, 'R'],
  [/disrupted/, 'D'],
  [/isolated|surrounded/, 'I'],
  [/out of supply|no supply|unsupplied/, 'S'],
  [/emergency/, 'E'],
  [/^reserve/, '★'],
  [/planned offensive/, 'P'],
];

/** The signs of a unit's states, the gravest first. */
export function marks(unit: Unit): string[] {
  if (!unit.status.length) return [];
  return GRAVE.filter(([word]) => unit.status.some((s) => word.test(s))).map(([, sign]) => sign).slice(0, 3);
}

const traced = new Map<string, [Stroke, Path2D | null][]>();

/** The strokes of a sign, each path read once. */
function strokes(kind: string): [Stroke, Path2D | null][] {
  const name = Object.hasOwn(SIGNS, kind) ? kind : 'unknown';
  let found = traced.get(name);
  if (!found) {
    found = SIGNS[name]!.map((s): [Stroke, Path2D | null] => [s, s.d ? new Path2D(s.d) : null]);
    traced.set(name, found);
  }
  return found;
}

/** A sign, its own field of 162 by 126 fitted into a part of the counter. */
function sign(ctx: Brush, kind: string, ink: string, x: number, y: number, w: number, h: number): void {
  ctx.save();
  const k = Math.min(w / 162, h / 126);
  ctx.translate(x + (w - 162 * k) / 2, y + (h - 126 * k) / 2);
  ctx.scale(k, k);
  ctx.translate(-19, -36);
  ctx.beginPath();
  ctx.rect(19, 36, 162, 126);
  ctx.clip();
  ctx.strokeStyle = ink;
  for (const [s, path] of strokes(kind)) {
    ctx.lineWidth = s.w;
    const [cx, cy, r] = s.c ?? [];
    if (path) {
      if (s.f) ctx.fill(path);
      if (s.w) ctx.stroke(path);
    } else if (s.t && cx !== undefined && cy !== undefined) {
      ctx.font = `bold ${r}px Arial, 'Liberation Sans', sans-serif`;
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      ctx.fillText(s.t, cx, cy);
      ctx.textBaseline = 'alphabetic';
    } else if (cx !== undefined && cy !== undefined && r !== undefined) {
      ctx.beginPath();
      ctx.arc(cx, cy, r, 0, 7);
      if (s.f) ctx.fill();
      if (s.w) ctx.stroke();
    }
  }
  ctx.restore();
}

function word(ctx: Brush, text: string, x: number, y: number, size: number, align: CanvasTextAlign, widest: number): void {
  ctx.font = `${size >= 25 ? 800 : 700} ${size}px ${FONT}`;
  ctx.textAlign = align;
  ctx.fillText(text, x, y, widest);
}

export function box(ctx: Brush, x: number, y: number, w: number, h: number, r: number): void {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, r);
}

/** Halfway to grey: what has moved steps back. */
function faded(paper: string): string {
  const mix = (at: number) => Math.round(parseInt(paper.slice(at, at + 2), 16) * 0.72 + 0x88 * 0.28);
  return `rgb(${mix(1)} ${mix(3)} ${mix(5)})`;
}

/** Smaller than so many dots nothing on a counter can be read but its colour and its sign, which is then drawn large. */
const LEGIBLE = 24;

/** Draws a counter, in a field of a hundred by a hundred that is so many dots wide. */
function counter(ctx: Brush, unit: Unit, plain: boolean, dots: number): void {
  const look = colours(unit.nation, unit.kind, unit.side);
  const spent = unit.status.includes('moved') || unit.status.includes('spent');
  box(ctx, 1, 1, 98, 98, 9);
  ctx.fillStyle = spent ? faded(look.paper) : look.paper;
  ctx.fill();
  ctx.strokeStyle = look.ink;
  ctx.lineWidth = 2;
  ctx.globalAlpha = 0.55;
  ctx.stroke();
  ctx.globalAlpha = 1;
  ctx.fillStyle = look.ink;
  if (dots < LEGIBLE) return sign(ctx, unit.kind, look.ink, 8, 17, 84, 66);
  if (plain) {
    word(ctx, unit.code, 50, 40, 28, 'center', 94);
    word(ctx, unit.figures, 50, 82, 33, 'center', 94);
  } else {
    if (unit.size) word(ctx, unit.size, 95, 17, 14, 'right', 40);
    word(ctx, unit.code, 5, 17, 18, 'left', 58);
    sign(ctx, unit.kind, look.ink, 24, 21, 52, 37);
    word(ctx, unit.figures, 50, 88, 25, 'center', 88);
  }
  const [has, most] = unit.steps;
  if (most > 1) {
    ctx.lineWidth = 1.2;
    for (let i = 0; i < most; i++) {
      box(ctx, 88, 22 + i * 9, 7, 6, 1.5);
      if (i < has) ctx.fill();
      else ctx.stroke();
    }
  }
  if (most > 0 && has < most) {
    ctx.globalAlpha = 0.55;
    ctx.lineWidth = 2;
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(2, 62);
    ctx.lineTo(98, 62);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }
  marks(unit).forEach((m, i) => {
    box(ctx, 3, 22 + i * 20, 18, 18, 4);
    ctx.fillStyle = m === '★' || m === 'P' ? '#1565c0' : '#c62828';
    ctx.fill();
    ctx.strokeStyle = '#fff';
    ctx.lineWidth = 1.5;
    ctx.stroke();
    ctx.fillStyle = '#fff';
    word(ctx, m, 12, 36 + i * 20, 15, 'center', 17);
  });
}

/** Draws a stack at the origin: its uppermost counter, what lies beneath it and how many they are; `dots` for each unit of length. */
export function stackOn(ctx: Brush, unit: Unit | undefined, size: number, plain: boolean, height: number, dots: number): void {
  for (const d of height > 2 ? [-5, -2.5] : height > 1 ? [-2.5] : []) {
    box(ctx, d + 0.5, d + 0.5, size - 1, size - 1, size * 0.09);
    ctx.fillStyle = '#d9d4c5';
    ctx.fill();
    ctx.strokeStyle = '#55503f';
    ctx.lineWidth = 1;
    ctx.stroke();
  }
  // A rim of shade below, as of a piece of card.
  box(ctx, 0.3, 1.2, size - 0.6, size - 0.6, size * 0.09);
  ctx.fillStyle = 'rgb(0 0 0 / 40%)';
  ctx.fill();
  if (unit) {
    ctx.save();
    ctx.scale(size / 100, size / 100);
    counter(ctx, unit, plain, size * dots);
    ctx.restore();
  } else {
    box(ctx, 0, 0, size, size, size * 0.09);
    ctx.fillStyle = '#77715f';
    ctx.fill();
    ctx.fillStyle = '#fff';
    word(ctx, '?', size / 2, size * 0.68, size * 0.5, 'center', size);
  }
  if (height > 1) {
    // Over the sign of its size, which matters least; the figures stay free.
    const text = String(height);
    ctx.font = `700 13px ${FONT}`;
    ctx.textAlign = 'center';
    const wide = Math.max(18, ctx.measureText(text).width + 8);
    box(ctx, size + 7 - wide, -7, wide, 18, 9);
    ctx.fillStyle = '#111';
    ctx.fill();
    ctx.fillStyle = '#fff';
    ctx.fillText(text, size + 7 - wide / 2, 6.6);
  }
}

const pictures = new Map<string, string>();
let easel: HTMLCanvasElement | undefined;

/** A counter as a picture, for the panels: kept, for most are shown again. */
export function picture(unit: Unit, size: number, plain: boolean, typed: boolean): string {
  const dots = Math.ceil(size * devicePixelRatio);
  const { code, figures, steps, status, nation, kind, side } = unit;
  const key = JSON.stringify([code, figures, steps, status, nation, kind, side, unit.size, dots, plain, typed]);
  const known = pictures.get(key);
  if (known) return known;
  easel ??= document.createElement('canvas');
  easel.width = dots;
  easel.height = dots;
  const ctx = easel.getContext('2d', { willReadFrequently: true });
  if (!ctx) return '';
  ctx.scale(dots / 100, dots / 100);
  counter(ctx, unit, plain, dots);
  if (pictures.size > 1500) pictures.clear();
  const url = easel.toDataURL();
  pictures.set(key, url);
  return url;
}
