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

export function transform(c: Camera): string {
  return `translate3d(${c.x}px, ${c.y}px, 0) scale(${c.scale})`;
}
