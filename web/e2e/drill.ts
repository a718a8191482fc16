// A newcomer's hands: what he does at each kind of question, with the mouse or with the keys alone.

import { expect } from 'vitest';
import type { Page } from 'playwright-core';

export interface Seen {
  key: string;
  n: number;
  over: boolean;
}

/** What the page asks now. */
export async function seen(page: Page): Promise<Seen> {
  const bar = page.locator('[aria-label="Question"]');
  return {
    key: (await bar.getAttribute('data-key')) ?? '',
    n: Number(await bar.getAttribute('data-n')),
    over: /The game is over/.test(await bar.innerText()),
  };
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
  await page.waitForFunction(
    ([key, n]) => {
      const bar = document.querySelector('[aria-label="Question"]');
      return bar && (bar.getAttribute('data-key') !== key || bar.getAttribute('data-n') !== n);
    },
    [was.key, String(was.n)] as const,
  );
  return asked(page);
}

const lit = (page: Page, kind: string) => page.locator(`.lit[data-lit="${kind}"]`);

async function easternmost(page: Page, kind: string): Promise<string | null> {
  const all = await lit(page, kind).evaluateAll((l) => l.map((e) => (e as HTMLElement).dataset.hex ?? ''));
  return all.sort().at(-1) ?? null;
}

/** Clicks a hex where nothing lies over its middle. */
export async function clickHex(page: Page, hex: string, options: { modifiers?: 'Shift'[] } = {}): Promise<void> {
  const stack = page.locator(`.stack[data-hex="${hex}"]`);
  const target = (await stack.count()) ? stack.first() : page.locator(`.lit[data-hex="${hex}"]`).first();
  await target.click({ force: true, ...options });
}

/** Answers one question with the mouse: moves east, attacks where the panel promises ground, ends phases. */
export async function answer(page: Page, moved: Set<string>): Promise<Seen> {
  const now = await asked(page);
  if (now.over) return now;
  const done = page.locator('[aria-label="Question"] [data-choice="done"]');
  switch (now.key) {
    case 'movement': {
      const units = await lit(page, 'unit').evaluateAll((l) => l.map((e) => (e as HTMLElement).dataset.hex ?? ''));
      const hex = units.sort().reverse().find((h) => !moved.has(h));
      if (!hex || moved.size > 4) {
        await done.click();
        break;
      }
      moved.add(hex);
      await clickHex(page, hex);
      const fan = page.locator('.fan .one.can').first();
      await page.waitForFunction(() => document.querySelector('.fan .one.can, .lit[data-lit="go"]'));
      if (await fan.isVisible()) await fan.click();
      break;
    }
    case 'go': {
      const to = await easternmost(page, 'go');
      if (to) {
        await clickHex(page, to);
        moved.add(to);
      } else await page.locator('[data-choice="stay"]').click();
      break;
    }
    case 'combat': {
      moved.clear();
      const to = await easternmost(page, 'target');
      if (to) await clickHex(page, to);
      else await done.click();
      break;
    }
    case 'battle': {
      const more = lit(page, 'unit');
      if (await more.count()) {
        const hex = (await more.first().getAttribute('data-hex'))!;
        const before = (await page.locator('[aria-label="Battle"]').allInnerTexts())[0];
        await clickHex(page, hex);
        await page.waitForFunction(
          (b) => document.querySelector('.fan .one.can') || (document.querySelector('[aria-label="Battle"]') as HTMLElement | null)?.innerText !== b,
          before,
        );
        const fan = page.locator('.fan .one.can').first();
        if (await fan.isVisible()) {
          await fan.click();
          await page.waitForTimeout(150);
        }
        return now;
      }
      expect(await page.locator('[aria-label="Battle"]').innerText()).toMatch(/odds/);
      await page.locator('[data-choice="resolve"]').click();
      break;
    }
    case 'losses':
    case 'advance': {
      const hex = (await lit(page, 'unit').count()) ? await lit(page, 'unit').first().getAttribute('data-hex') : null;
      if (!hex) {
        await done.click();
        break;
      }
      await clickHex(page, hex);
      await page.waitForTimeout(200);
      const fan = page.locator('.fan .one.can').first();
      if (await fan.isVisible()) await fan.click();
      break;
    }
    case 'retreat': {
      const any = page.locator('.lit').first();
      if (await any.count()) {
        await clickHex(page, (await any.getAttribute('data-hex'))!);
        await page.waitForTimeout(200);
        const place = lit(page, 'place').first();
        if (await place.count()) await clickHex(page, (await place.getAttribute('data-hex'))!);
      } else await page.locator('[aria-label="Question"] [data-choice]').first().click();
      break;
    }
    default:
      await page.locator('[aria-label="Question"] [data-choice]').first().click();
  }
  return after(page, now);
}
