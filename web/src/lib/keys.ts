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
  return t instanceof HTMLInputElement || t instanceof HTMLTextAreaElement || t instanceof HTMLSelectElement;
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
  const on: Record<string, (e: KeyboardEvent) => void> = {
    Escape: () => (desk.replaying() ? desk.leave() : void hands.back()),
    n: () => reveal(hands.next(1)),
    N: () => reveal(hands.next(-1)),
    u: () => void play.takeBackLast(),
    d: () => {
      const done = hands.sort.buttons.find((b) => b.verb === 'done') ?? hands.sort.buttons[0];
      if (done) void hands.choose(done);
    },
    a: () => {
      const here = hands.stacks.filter((s) => s.hex === hands.open).flatMap((s) => s.units);
      void hands.chooseAll(here.flatMap((u) => hands.sort.byUnit.get(u.code)?.slice(0, 1) ?? []));
    },
    f: () => hands.open && (hands.fanned = !hands.fanned),
    w: () => hands.hover && void hands.why(hands.hover),
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
      const found = e.shiftKey || desk.replaying() ? null : hands.step(...arrow);
      if (found) reveal(found);
      else map()?.pan(arrow[0] * 90, arrow[1] * 90);
      return;
    }
    // Enter on a focused button presses that button; on the table it chooses the framed hex.
    if ((e.key === 'Enter' || e.key === ' ') && !(e.target instanceof HTMLButtonElement || e.target instanceof HTMLAnchorElement || (e.target as HTMLElement).tagName === 'SUMMARY')) {
      if (hands.hover && !desk.replaying()) {
        e.preventDefault();
        void hands.click(hands.hover, e.shiftKey);
      }
      return;
    }
    if (/^[1-9]$/.test(e.key)) {
      const button = hands.sort.buttons[Number(e.key) - 1] ?? hands.several[Number(e.key) - 1];
      if (button && !desk.replaying()) void hands.choose(hands.several[Number(e.key) - 1] ?? button);
      return;
    }
    if (e.key === 'Tab' && !desk.replaying() && (e.target === document.body || e.target === document.documentElement) && hands.lit.length) {
      // From the table itself Tab goes through what can be done; from any other place it is the browser's.
      e.preventDefault();
      reveal(hands.next(e.shiftKey ? -1 : 1));
      return;
    }
    const does = on[e.key];
    if (does) {
      e.preventDefault();
      does(e);
    }
  };
}
