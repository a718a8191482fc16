// The keyboard: everything that the mouse can do.

import type { Hands } from './table.svelte';
import type { Play } from './play.svelte';

interface Camera {
  show(hex: string, near?: boolean): void;
  reveal(hex: string): void;
  zoom(by: number): void;
  pan(dx: number, dy: number): void;
  whole(): void;
}

export interface Desk {
  hands: Hands;
  play: Play;
  map: () => Camera | null;
  replaying: () => boolean;
  leave: () => void;
  replay: () => void;
  help: () => void;
  search: () => void;
  overlay: () => void;
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function typing(e: KeyboardEvent): boolean {
  const t = e.target;
  // A box that was ticked keeps the focus, but nothing is typed into it.
  return (t instanceof HTMLInputElement && t.type !== 'checkbox') || t instanceof HTMLTextAreaElement || t instanceof HTMLSelectElement;
}

export function keys(desk: Desk): (e: KeyboardEvent) => void {
  const { hands, play } = desk;
  const map = () => desk.map();
  const reveal = (hex: string | null) => {
    if (!hex) return;
    map()?.reveal(hex);
    // The frame on the map has the keys now, not the button pressed before.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  /** What a key does is understood by what the last click or key brings, even when that is still on its way. */
  const turn = (does: () => unknown) => void hands.inTurn(does);
  const on: Record<string, (e: KeyboardEvent) => void> = {
    Escape: () => (desk.replaying() ? desk.leave() : void hands.back()),
    n: () => turn(() => reveal(hands.next(1))),
    N: () => turn(() => reveal(hands.next(-1))),
    // What is only in hand is not sent yet: it is put back.
    u: () => turn(() => (play.inHand ? void hands.back() : play.takeBackLast())),
    d: () =>
      turn(() => {
        // Never a button that does something rarer, such as a retreat.
        const all = hands.sort.buttons;
        const done = all.find((b) => b.verb === 'done') ?? all.find((b) => b.verb === 'stop') ?? (all.length === 1 ? all[0] : undefined);
        if (done) void hands.choose(done);
      }),
    a: () =>
      turn(() => {
        const here = hands.stacks.filter((s) => s.hex === hands.open).flatMap((s) => s.units);
        void hands.chooseAll(here.flatMap((u) => hands.sort.byUnit.get(u.code)?.slice(0, 1) ?? []));
      }),
    f: () => turn(() => void (hands.open && (hands.fanned = !hands.fanned))),
    w: () => hands.hover && void hands.why(hands.hover),
    v: () => turn(() => hands.nextDeed()),
    r: desk.replay,
    '/': desk.search,
    o: desk.overlay,
    '?': desk.help,
    '+': () => map()?.zoom(1.25),
    '=': () => map()?.zoom(1.25),
    '-': () => map()?.zoom(0.8),
    '0': () => map()?.whole(),
  };
  return (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (typing(e)) {
      if (e.key === 'Escape') (e.target as HTMLElement).blur();
      return;
    }
    if (document.querySelector('dialog[open]')) return;
    const arrow = ARROWS[e.key];
    // In a panel the arrows scroll it, as in any page.
    if (arrow && (e.target as HTMLElement).closest?.('aside')) return;
    if (arrow) {
      e.preventDefault();
      const pans = e.shiftKey || desk.replaying();
      turn(() => {
        const found = pans ? null : hands.step(...arrow);
        if (found) reveal(found);
        else map()?.pan(arrow[0] * 90, arrow[1] * 90);
      });
      return;
    }
    // Enter on a focused button presses that button; on the table it chooses the framed hex. A stack that was clicked keeps the
    // focus, but when going on is all there is, Enter means that.
    const pressed = e.target instanceof HTMLButtonElement || e.target instanceof HTMLInputElement || e.target instanceof HTMLAnchorElement || (e.target as HTMLElement).tagName === 'SUMMARY';
    const onMap = pressed && (e.target as HTMLElement).closest('.map') !== null;
    if ((e.key === 'Enter' || e.key === ' ') && (!pressed || (onMap && hands.only))) {
      if (desk.replaying()) return;
      e.preventDefault();
      turn(() => {
        const only = hands.only;
        if (only) void hands.choose(only);
        else if (hands.hover) void hands.click(hands.hover, e.shiftKey);
      });
      return;
    }
    if (/^[1-9]$/.test(e.key)) {
      if (desk.replaying()) return;
      turn(() => {
        const at = Number(e.key) - 1;
        const unit = hands.spread[at];
        if (hands.spread.length) return void (unit && hands.take(unit));
        const button = hands.several[at] ?? hands.sort.buttons[at];
        if (button) void hands.choose(button);
      });
      return;
    }
    if (e.key === 'Tab' && !desk.replaying() && (e.target === document.body || e.target === document.documentElement) && hands.lit.length) {
      // From the table itself Tab goes through what can be done; from any other place it is the browser's.
      e.preventDefault();
      turn(() => reveal(hands.next(e.shiftKey ? -1 : 1)));
      return;
    }
    const does = on[e.key];
    if (does) {
      e.preventDefault();
      does(e);
    }
  };
}
