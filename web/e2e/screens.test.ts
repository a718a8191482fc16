// Every screen for every eye: axe finds no serious fault, in light, dark and on a phone.

import AxeBuilder from '@axe-core/playwright';
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { begin, leave, open, shot, Table } from './harness';
import { after, asked, clickHex } from './drill';

const table = new Table();

const AGAINST = { game: 'drill', scenario: 'first', options: {}, seats: { one: 'me', two: { program: 'random' } } };

async function clean(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page }).analyze();
  const grave = found.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  expect(grave.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' // ')}`)).toEqual([]);
}

describe('the screens', () => {
  for (const dark of [false, true]) {
    it(`have no serious fault for axe, ${dark ? 'dark' : 'light'}`, async () => {
      const page = await table.sit({ viewport: { width: 1440, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
      await clean(page);
      await begin(page, AGAINST);
      await asked(page);
      await clean(page);
      const was = await asked(page);
      await clickHex(page, (await page.locator('.lit[data-lit="unit"]').first().getAttribute('data-hex'))!);
      await after(page, was);
      await clean(page);
      await page.keyboard.press('Escape');
      for (const tab of ['Forces', 'Charts', 'Record', 'Talk', 'Match']) {
        await page.getByRole('tab', { name: tab }).click();
        await page.waitForTimeout(400);
        await clean(page);
        if (!dark && tab === 'Charts') await shot(page, 'charts');
        if (!dark && tab === 'Match') await shot(page, 'match');
      }
      await page.getByLabel('Overlay').selectOption('supply');
      await page.locator('path.tint').first().waitFor({ state: 'attached' });
      await clean(page);
      await shot(page, dark ? 'drill-supply-dark' : 'drill-supply');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Help' }).waitFor();
      await clean(page);
      if (!dark) await shot(page, 'help');
      await leave(page);
    });
  }

  it('fit a phone in the hand, and a move is made by touch', async () => {
    const page = await table.sit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await shot(page, 'phone-start');
    await begin(page, AGAINST);
    const was = await asked(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const map = (await page.locator('.map').boundingBox())!;
    expect(map.height).toBeGreaterThan(250);
    const hex = (await page.locator('.lit[data-lit="unit"]').first().getAttribute('data-hex'))!;
    await page.locator(`.stack[data-hex="${hex}"]`).tap({ force: true });
    const picked = await after(page, was);
    await shot(page, 'phone');
    await page.locator('.lit[data-lit="go"]').first().tap({ force: true });
    const gone = await after(page, picked);
    expect(gone.n).toBeGreaterThan(picked.n);
    await clean(page);
    await leave(page);
  });
});
