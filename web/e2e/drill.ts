// A newcomer's hands: what he does at each kind of question, with the mouse or with the keys alone. Nothing here waits for
// a time: the page says itself (`data-busy`) whether the last click is still on its way.

import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { settled, type Watched } from './harness';

export interface Seen {
  key: string;
  n: number;
  over: boolean;
}

/** What the page asks now. */
export async function seen(page: Page): Promise<Seen> {
  return page.locator('[aria-label="Question"]').evaluate((bar: HTMLElement) => ({
    key: bar.dataset.key ?? '',
    n: Number(bar.dataset.n),
    over: /The game is over/.test(bar.innerText),
  }));
}

/** Waits until we are asked, or the game is over. */
export async function asked(page: Page): Promise<Seen> {
  await page.waitForFunction(() => {
    const bar = document.querySelector('[aria-label="Question"]');
    return bar && bar.getAttribute('data-busy') !== 'true' && (bar.getAttribute('data-key') || /The game is over/.test(bar.textContent ?? ''));
  });
  return seen(page);
}

/** Waits for another question, or for another form of it with something in hand. */
export async function after(page: Page, was: Seen): Promise<Seen> {
  await page
    .waitForFunction(
      ([key, n]) => {
        const bar = document.querySelector('[aria-label="Question"]');
        return bar && (bar.getAttribute('data-key') !== key || bar.getAttribute('data-n') !== n);
      },
      [was.key, String(was.n)] as const,
    )
    .catch(async (e: Error) => {
      // What the player would have before him: that tells why nothing came of it.
      const bar = await page.locator('[aria-label="Question"]').innerText();
      const lights = await page.locator('.lit').evaluateAll((l) => l.map((x) => `${(x as HTMLElement).dataset.lit} ${(x as HTMLElement).dataset.hex}`).join(', '));
      throw new Error(`still at question ${was.n} ${was.key}: ${bar.replace(/\s+/g, ' ')} | lit: ${lights} | faults: ${((page as Watched).faults ?? []).join('; ')} | ${e.message}`);
    });
  return asked(page);
}

export const lit = (page: Page, kind: string) => page.locator(`.lit[data-lit="${kind}"]`);
const fanned = (page: Page) => page.locator('.fan .one.can').first();

/** The hexes lit in a way, in the order of their numbers. */
export async function litHexes(page: Page, kind: string): Promise<string[]> {
  return (await lit(page, kind).evaluateAll((l) => l.map((e) => (e as HTMLElement).dataset.hex ?? ''))).sort();
}

/** Drags the map by an empty place until a hex lies free, as one does when a panel or the edge covers it. */
export async function free(page: Page, selector: string): Promise<void> {
  // The map draws only what lies in its window: after it was moved there, the place comes with the next picture.
  await page.locator(selector).first().waitFor({ state: 'attached' });
  for (let i = 0; i < 6; i++) {
    const way = await page.evaluate((selector) => {
      const map = document.querySelector('.map')!;
      const target = document.querySelector(selector)!;
      const [r, t] = [map.getBoundingClientRect(), target.getBoundingClientRect()];
      const [x, y] = [t.x + t.width / 2, t.y + t.height / 2];
      const hit = document.elementFromPoint(x, y);
      const inside = x > r.left && x < r.right && y > r.top && y < r.bottom;
      if (inside && hit && (target === hit || target.contains(hit))) return null;
      // An empty place: the map itself or a picture of it lies on top.
      for (let k = 0; k < 400; k++) {
        const [px, py] = [r.left + r.width * (0.25 + ((k * 7) % 50) / 100), r.top + r.height * (0.25 + ((k * 13) % 50) / 100)];
        if (document.elementFromPoint(px, py)?.closest('.stack, .lit, .fan')) continue;
        const by = (from: number, to: number) => Math.max(-r.width / 4, Math.min(r.width / 4, to - from));
        return { px, py, dx: by(x, r.left + r.width / 2), dy: by(y, r.top + r.height / 2) };
      }
      throw new Error('no empty place to drag the map by');
    }, selector);
    if (!way) return;
    await page.mouse.move(way.px, way.py);
    await page.mouse.down();
    await page.mouse.move(way.px + way.dx / 2, way.py + way.dy / 2, { steps: 4 });
    await page.mouse.move(way.px + way.dx, way.py + way.dy, { steps: 4 });
    await page.mouse.up();
    await settled(page);
  }
  throw new Error(`${selector} cannot be brought into sight`);
}

/** Clicks a hex: its stack, or its light where nobody stands; then waits for what that brings. */
export async function clickHex(page: Page, hex: string, options: { modifiers?: 'Shift'[] } = {}): Promise<void> {
  const stack = `.stack[data-hex="${hex}"]`;
  const selector = (await page.locator(stack).count()) ? stack : `.lit[data-hex="${hex}"]`;
  await free(page, selector);
  await page.locator(selector).first().click(options);
  await settled(page);
}

/** Clicks a target; where dice would be thrown, the first click only shows the battle and the second throws. */
export async function throwAt(page: Page, hex: string): Promise<void> {
  await clickHex(page, hex);
  if (await page.locator(`[data-aimed="${hex}"]`).count()) await clickHex(page, hex);
}

/** Clicks a hex and, when a stack is spread out there, the first unit of it that can answer. */
export async function clickUnit(page: Page, hex: string): Promise<void> {
  await clickHex(page, hex);
  if (await fanned(page).isVisible()) {
    await fanned(page).click();
    await settled(page);
  }
}

/** Presses a button of the bar. */
export async function press(page: Page, choice: string): Promise<void> {
  await page.locator(`[aria-label="Question"] [data-choice="${choice}"]`).click();
  await settled(page);
}

/** Answers one question with the mouse: moves east, attacks where the panel promises ground, ends phases. */
export async function answer(page: Page, moved: Set<string>): Promise<Seen> {
  const now = await asked(page);
  if (now.over) return now;
  switch (now.key) {
    case 'movement': {
      const hex = (await litHexes(page, 'unit')).reverse().find((h) => !moved.has(h));
      if (!hex || moved.size > 4) await press(page, 'done');
      else {
        moved.add(hex);
        await clickUnit(page, hex);
      }
      break;
    }
    case 'go': {
      const to = (await litHexes(page, 'go')).at(-1);
      if (to) {
        await clickHex(page, to);
        moved.add(to);
      } else await press(page, 'stay');
      break;
    }
    case 'combat': {
      moved.clear();
      const to = (await litHexes(page, 'target')).at(-1);
      if (to) await clickHex(page, to);
      else await press(page, 'done');
      break;
    }
    case 'battle': {
      const more = (await litHexes(page, 'unit'))[0];
      if (more) {
        const before = await page.locator('[aria-label="Battle"]').allInnerTexts();
        await clickUnit(page, more);
        expect(await page.locator('[aria-label="Battle"]').allInnerTexts()).not.toEqual(before);
        return now;
      }
      expect(await page.locator('[aria-label="Battle"]').innerText()).toMatch(/odds/);
      await press(page, 'resolve');
      break;
    }
    case 'losses':
    case 'advance': {
      const hex = (await litHexes(page, 'unit'))[0];
      if (hex) await clickUnit(page, hex);
      else await press(page, 'done');
      break;
    }
    default: {
      // A hex, a unit, or a unit and then a place for it; else the first button.
      const hex = (await page.locator('.lit').evaluateAll((l) => l.map((e) => (e as HTMLElement).dataset.hex ?? '')))[0];
      if (!hex) {
        await page.locator('[aria-label="Question"] [data-choice]').first().click();
        break;
      }
      await clickUnit(page, hex);
      const place = (await litHexes(page, 'place'))[0];
      if (place && (await seen(page)).n === now.n) await clickHex(page, place);
    }
  }
  return after(page, now);
}

/** Answers one question with the keys alone. What is read from the page here only decides which key a player would press. */
export async function answerByKeys(page: Page, picks: { count: number }): Promise<Seen> {
  const now = await asked(page);
  if (now.over) return now;
  const key = async (k: string) => {
    await page.keyboard.press(k);
    await settled(page);
  };
  /** The frame goes on to the next lit hex of a kind, and that is chosen; of a stack spread out, its first unit. */
  const choose = async (kind: string) => {
    for (let i = 0; i < 60 && (i === 0 || !(await page.locator(`.cursor[data-lit="${kind}"]`).count())); i++) await key('n');
    await key('Enter');
    if (await fanned(page).isVisible()) await key('1');
  };
  const can = (kind: string) => lit(page, kind).count();
  const done = async () => (await page.locator('[aria-label="Question"] [data-choice="done"]').count()) > 0;
  if (now.key === 'movement' && picks.count < 4 && (await can('unit'))) {
    for (let k = 0; k < picks.count; k++) await key('n');
    picks.count += 1;
    await choose('unit');
  } else if (now.key === 'go' && (await can('go'))) {
    // Two steps of the frame to the east if there are any, else whatever comes next.
    await key('ArrowRight');
    await key('ArrowRight');
    if (await page.locator('.cursor[data-lit="go"]').count()) await key('Enter');
    else await choose('go');
  } else if (now.key === 'combat' && (await can('target'))) {
    picks.count = 0;
    await choose('target');
  } else if (now.key === 'battle') {
    if (await can('unit')) {
      await choose('unit');
      return now;
    }
    const digit = await page.locator('[data-choice="resolve"] kbd').innerText();
    await key(digit);
  } else if (!['movement', 'combat'].includes(now.key) && (await page.locator('.lit').count())) {
    await choose((await can('unit')) ? 'unit' : ((await page.locator('.lit').first().getAttribute('data-lit')) ?? 'unit'));
    if ((await seen(page)).n === now.n && (await can('place'))) await choose('place');
  } else {
    picks.count = 0;
    await key((await done()) ? 'd' : '1');
  }
  return after(page, now);
}
