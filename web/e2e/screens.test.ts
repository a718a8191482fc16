// Every screen for every eye: axe finds no serious fault, in light, dark and on a phone.

import { describe, expect, it } from 'vitest';
import { begin, clean, drawn, leave, shot, Table } from './harness';
import { after, asked, clickHex, lit, seen } from './drill';

const table = new Table();

const AGAINST = { game: 'drill', scenario: 'first', options: {}, seats: { one: 'me', two: { program: 'random' } } };

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
        await page.locator('#panel section').first().waitFor();
        await clean(page);
        if (!dark && tab === 'Charts') await shot(page, 'charts');
        if (!dark && tab === 'Match') await shot(page, 'match');
      }
      // Another map for eyes that see other colours, and back.
      const layer = page.locator('img.layer').first();
      const usual = await layer.getAttribute('src');
      await page.getByLabel('map for colour-blind eyes').check();
      await expect.poll(() => layer.getAttribute('src')).toMatch(/colour-blind/);
      await page.waitForFunction(() => document.querySelector<HTMLImageElement>('img.layer')!.complete);
      if (!dark) await shot(page, 'colour-blind');
      await page.getByLabel('map for colour-blind eyes').uncheck();
      await expect.poll(() => layer.getAttribute('src')).toBe(usual);
      await page.getByLabel('Overlay').selectOption('supply');
      await page.locator('path.tint').first().waitFor({ state: 'attached' });
      await clean(page);
      await shot(page, dark ? 'drill-supply-dark' : 'drill-supply');
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Help' }).waitFor();
      await clean(page);
      if (!dark) await shot(page, 'help');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: 'Help' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Replay', exact: true }).click();
      await page.getByRole('region', { name: 'Replay' }).waitFor();
      await clean(page);
      // Two at one screen: the cover between them; a set-up; the campaign's front with every overlay over it.
      await begin(page, { ...AGAINST, seats: { one: 'me', two: 'me' } }, '.handover');
      await clean(page);
      await begin(page, { game: 'pm', scenario: 'campaign', options: {}, seats: { one: 'open', two: 'me' } }, '[aria-label="Set-up"]');
      await clean(page, '.scene');
      await begin(page, { game: 'pm', scenario: 'june', options: {}, seats: { one: 'me', two: 'open' } });
      await drawn(page);
      await clean(page, '.scene');
      const overlay = page.getByLabel('Overlay');
      for (const name of await overlay.locator('option').evaluateAll((l) => l.map((o) => (o as HTMLOptionElement).value).filter(Boolean))) {
        await overlay.selectOption(name);
        await page.locator(`.legend[data-overlay="${name}"]`).waitFor();
        await shot(page, `${dark ? 'dark-' : ''}overlay-${name}`);
      }
      await clean(page, '.scene');
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
    const hex = (await lit(page, 'unit').first().getAttribute('data-hex'))!;
    await page.locator(`.stack[data-hex="${hex}"]`).tap();
    const picked = await after(page, was);
    await shot(page, 'phone');

    // Two fingers: the map grows between them, and stays under them.
    const cdp = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: [number, number][]) =>
      cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const scale = () => page.locator('.scene').evaluate((e) => new DOMMatrix(getComputedStyle(e).transform).a);
    const before = await scale();
    const [mx, my] = [map.x + map.width / 2, map.y + map.height / 2];
    await touch('touchStart', [[mx - 40, my], [mx + 40, my]]);
    for (const d of [50, 60, 70, 80]) await touch('touchMove', [[mx - d, my], [mx + d, my]]);
    await touch('touchEnd', []);
    await expect.poll(scale).toBeGreaterThan(before * 1.5);
    expect((await seen(page)).n).toBe(picked.n);

    // One finger that stays: why not there? The rule says it; the question stands.
    const dark = await page.evaluate(() => {
      const r = document.querySelector('.map')!.getBoundingClientRect();
      // Nor may it lie in the seam around a lit hex: that is still the hex.
      const taken = [...document.querySelectorAll('.lit, .stack')].map((e) => e.getBoundingClientRect());
      const free = (x: number, y: number) => taken.every((t) => x < t.left - 6 || x > t.right + 6 || y < t.top - 6 || y > t.bottom + 6);
      for (let k = 0; k < 900; k++) {
        const [x, y] = [r.left + r.width * (0.1 + ((k * 7) % 80) / 100), r.top + r.height * (0.1 + ((k * 13) % 80) / 100)];
        const hit = document.elementFromPoint(x, y);
        if (free(x, y) && hit?.closest('.map') && !hit.closest('.zoom, .fan, .minimap')) return [x, y] as [number, number];
      }
      throw new Error('every hex is lit');
    });
    await touch('touchStart', [dark]);
    await page.locator('.refusal').waitFor();
    await touch('touchEnd', []);
    expect(await page.locator('.refusal').innerText()).toMatch(/\d\.\d/);
    expect((await seen(page)).n).toBe(picked.n);

    // What is said to a finger is for a finger; one that rests on a yellow hex leads the path over it, and a button takes it out again.
    expect(await page.locator('[aria-label="Question"]').innerText()).not.toMatch(/hover|shift-click|Esc/i);
    const yellow = await page.locator('.lit[data-lit="go"]').evaluateAll((all) => {
      for (const e of all) {
        const r = e.getBoundingClientRect();
        const [x, y] = [r.x + r.width / 2, r.y + r.height / 2];
        if (document.elementFromPoint(x, y)?.closest('.lit') === e) return [x, y] as [number, number];
      }
      throw new Error('no yellow hex lies free');
    });
    await touch('touchStart', [yellow]);
    await page.locator('[data-choice="(straighten)"]').waitFor();
    await touch('touchEnd', []);
    expect((await seen(page)).n).toBe(picked.n);
    await shot(page, 'phone-bend');
    await page.locator('[data-choice="(straighten)"]').tap();
    await page.locator('[data-choice="(straighten)"]').waitFor({ state: 'detached' });

    // A tap goes there.
    const to = page.locator('.lit[data-lit="go"]');
    for (let i = 0; i < (await to.count()); i++) {
      const free = await to.nth(i).evaluate((e) => {
        const r = e.getBoundingClientRect();
        return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.closest('.lit') === e;
      });
      if (!free) continue;
      await to.nth(i).tap();
      break;
    }
    const gone = await after(page, picked);
    expect(gone.n).toBeGreaterThan(picked.n);
    await clean(page);

    // A campaign with its forces laid out: nothing reaches beyond the edge of the hand's screen.
    await begin(page, { game: 'pm', scenario: 'june', options: {}, seats: { one: 'me', two: 'open' } });
    await drawn(page);
    await page.getByRole('tab', { name: 'Forces' }).click();
    await page.getByLabel('Search the order of battle').waitFor();
    const right = (e: Element) => e.getBoundingClientRect().right <= innerWidth;
    expect(await page.getByRole('tab', { name: 'Match' }).evaluate(right)).toBe(true);
    expect(await page.getByLabel('Side', { exact: true }).evaluate(right)).toBe(true);
    await shot(page, 'pm-phone');
    await leave(page);
  });
});
