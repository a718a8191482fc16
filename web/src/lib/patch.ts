import type { Patch, View } from './protocol';

/** The view after a patch: what the patch names is replaced, all else stays as it was. */
export function patched(view: View, patch: Patch): View {
  const next: View = { ...view, ...patch.set };
  next.stacks = [
    ...next.stacks.filter((s) => !(s.hex in patch.stacks)),
    ...Object.values(patch.stacks).flat(),
  ];
  next.markers = [
    ...next.markers.filter((m) => !(m.hex in patch.markers)),
    ...Object.values(patch.markers).flat(),
  ];
  next.boxes = next.boxes
    .filter((b) => patch.boxes[b.id] !== null)
    .map((b) => patch.boxes[b.id] ?? b);
  for (const [id, box] of Object.entries(patch.boxes)) {
    if (box && !next.boxes.some((b) => b.id === id)) next.boxes.push(box);
  }
  next.control = next.control.filter((c) => !(c.hex in patch.control));
  for (const [hex, side] of Object.entries(patch.control)) {
    if (side) next.control.push({ hex, side });
  }
  return next;
}
