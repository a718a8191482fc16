// The map's camera: a scale and an offset, applied as one CSS transform, so that panning and zooming never redraw.

export interface Camera {
  x: number;
  y: number;
  scale: number;
}

export interface Frame {
  width: number;
  height: number;
}

export const LIMITS = { least: 0.12, most: 3 };

/** Zooms by a factor about a point of the screen, which stays where it is. */
export function zoomAt(c: Camera, factor: number, px: number, py: number): Camera {
  const scale = Math.min(LIMITS.most, Math.max(LIMITS.least, c.scale * factor));
  const k = scale / c.scale;
  return { x: px - (px - c.x) * k, y: py - (py - c.y) * k, scale };
}

/** Puts a point of the map in the middle of the screen. */
export function centred(c: Camera, frame: Frame, x: number, y: number): Camera {
  return { ...c, x: frame.width / 2 - x * c.scale, y: frame.height / 2 - y * c.scale };
}

/** Shows a rectangle of the map whole. */
export function fitted(frame: Frame, box: [number, number, number, number], margin = 24): Camera {
  const [bx, by, w, h] = box;
  const scale = Math.min(
    LIMITS.most,
    Math.max(LIMITS.least, Math.min((frame.width - margin) / w, (frame.height - margin) / h)),
  );
  return {
    x: (frame.width - w * scale) / 2 - bx * scale,
    y: (frame.height - h * scale) / 2 - by * scale,
    scale,
  };
}

/** Keeps some of the map on the screen. */
export function held(c: Camera, frame: Frame, box: [number, number, number, number]): Camera {
  const [bx, by, w, h] = box;
  const room = 80;
  const clamp = (v: number, lo: number, hi: number) => Math.min(Math.max(v, Math.min(lo, hi)), Math.max(lo, hi));
  return {
    scale: c.scale,
    x: clamp(c.x, room - (bx + w) * c.scale, frame.width - room - bx * c.scale),
    y: clamp(c.y, room - (by + h) * c.scale, frame.height - room - by * c.scale),
  };
}

/** Left, top, width and height, on the map. */
export type Rect = [number, number, number, number];

/** The part of the map that the screen shows, with a rim of a share of it all around. */
export function looked(c: Camera, frame: Frame, rim: number): Rect {
  const [w, h] = [frame.width / c.scale, frame.height / c.scale];
  return [-c.x / c.scale - w * rim, -c.y / c.scale - h * rim, w * (1 + 2 * rim), h * (1 + 2 * rim)];
}

/** What two rectangles share. */
export function within([x, y, w, h]: Rect, [bx, by, bw, bh]: Rect): Rect {
  const [left, top] = [Math.max(x, bx), Math.max(y, by)];
  return [left, top, Math.max(0, Math.min(x + w, bx + bw) - left), Math.max(0, Math.min(y + h, by + bh) - top)];
}

/** Whether the first holds the whole of the second. */
export function covers([x, y, w, h]: Rect, [bx, by, bw, bh]: Rect): boolean {
  const slack = 1e-6;
  return bw * bh === 0 || (bx >= x - slack && by >= y - slack && bx + bw <= x + w + slack && by + bh <= y + h + slack);
}

/** Whole dots of the screen: what was drawn dot for dot stays so wherever it is moved. */
export function transform(c: Camera): string {
  const dot = 1 / (globalThis.devicePixelRatio || 1);
  const whole = (v: number) => Math.round(v / dot) * dot;
  return `translate3d(${whole(c.x)}px, ${whole(c.y)}px, 0) scale(${c.scale})`;
}
