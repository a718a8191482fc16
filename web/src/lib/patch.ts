import type { Patch, View } from './protocol';

/** The view after a patch: what the patch names is replaced, all else stays as it was. Parts left out change nothing. */
export function patched(view: View, patch: Partial<Patch>): View {
  const { stacks = {}, markers = {}, boxes = {}, control = {} } = patch;
  const next: View = { ...view, ...patch.set };
  const touched = <T extends { hex: string }>(now: T[], by: Record<string, T[]>): T[] =>
    Object.keys(by).length ? [...now.filter((x) => !(x.hex in by)), ...Object.values(by).flat()] : now;
  next.stacks = touched(next.stacks, stacks);
  next.markers = touched(next.markers, markers);
  next.boxes = next.boxes.filter((b) => boxes[b.id] !== null).map((b) => boxes[b.id] ?? b);
  for (const [id, box] of Object.entries(boxes)) {
    if (box && !next.boxes.some((b) => b.id === id)) next.boxes.push(box);
  }
  next.control = next.control.filter((c) => !(c.hex in control));
  for (const [hex, side] of Object.entries(control)) {
    if (side) next.control.push({ hex, side });
  }
  return next;
}
