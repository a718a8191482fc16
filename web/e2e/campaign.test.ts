// The campaign is set up by real hands: clicks, dragging, filling the rest; and the set-up is kept and used again.

import { describe, expect, it } from 'vitest';
import { choose, leave, settled, shot, startGame, Table, type Watched } from './harness';
import { asked, clickHex, free, litHexes, press, seen } from './drill';

const table = new Table();

/** A campaign of one's own side against someone who has not come yet. */
async function campaign(page: Watched, side: 'one' | 'two'): Promise<void> {
  await page.goto(`${table.server.url}/#/`);
  await startGame(page, { game: 'Proud Monster', scenario: 'campaign', side, against: 'open' });
  await page.locator('.map').waitFor();
}

const labels = (page: Watched) => page.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).sort());
const middle = async (page: Watched, selector: string) => {
  const box = (await page.locator(selector).first().boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

async function drag(page: Watched, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
  await settled(page);
}

describe('the campaign of Proud Monster', () => {
  it('is set up by click, by drag and by filling the rest, and the set-up is kept and laid out again', async () => {
    const page = await table.sit();
    await campaign(page, 'two');
    expect((await asked(page)).key).toBe('set-up');
    // The first counter is in hand already and its zone is green: one click places it, and the next is in hand.
    const green = await litHexes(page, 'place');
    expect(green.length).toBeGreaterThan(50);
    const first = await page.locator('[aria-label="Off the map"] .unit.chosen').getAttribute('data-unit');
    await clickHex(page, green[3]!);
    expect(await page.locator(`.stack[data-hex="${green[3]}"]`).count()).toBe(1);
    await expect.poll(() => page.locator('[aria-label="Off the map"] .unit.chosen').getAttribute('data-unit')).not.toBe(first);

    // A counter is carried from the panel to a hex.
    const to = (await litHexes(page, 'place')).find((h) => h !== green[3])!;
    await free(page, `.lit[data-hex="${to}"]`);
    const counter = page.locator('[aria-label="Off the map"] .unit.chosen');
    await counter.scrollIntoViewIfNeeded();
    const at = (await counter.boundingBox())!;
    const hex = page.locator('.lit[data-lit="place"]');
    await drag(page, { x: at.x + at.width / 2, y: at.y + at.height / 2 }, await middle(page, `.lit[data-hex="${to}"]`));
    expect(await page.locator('.stack').count()).toBe(2);
    expect(await hex.count()).toBeGreaterThan(20);

    // What stands can be dragged elsewhere; where it may not stand the game says why, and all is as before.
    const other = (await litHexes(page, 'place')).find((h) => h !== green[3] && h !== to)!;
    await free(page, `.lit[data-hex="${other}"]`);
    await drag(page, await middle(page, `.stack[data-hex="${green[3]}"]`), await middle(page, `.lit[data-hex="${other}"]`));
    await expect.poll(() => page.locator(`.stack[data-hex="${other}"]`).count()).toBe(1);
    expect(await page.locator(`.stack[data-hex="${green[3]}"]`).count()).toBe(0);
    await shot(page, 'pm-setup');

    // Kept by a name, cleared, laid out again.
    const before = await labels(page);
    await page.getByLabel('Name of this set-up').fill('Forward');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => page.locator('.stack').count()).toBe(0);
    await page.getByRole('button', { name: 'Lay out Forward' }).click();
    await page.getByText('“Forward” is laid out.').waitFor();
    expect(await labels(page)).toEqual(before);

    // The rest is filled: the side stands, and that set-up is kept by itself.
    await press(page, 'fill');
    await expect.poll(() => page.locator('.stack').count()).toBeGreaterThan(150);
    const whole = await labels(page);
    expect((await seen(page)).key).toBe('');

    await campaign(page, 'two');
    await asked(page);
    await page.getByRole('button', { name: 'Lay out my last' }).click();
    await expect.poll(() => page.locator('.stack').count()).toBeGreaterThan(150);
    expect(await labels(page)).toEqual(whole);
    await leave(page);
  });

  it('is set up by the Germans: into the OKH areas too, and undone', async () => {
    const page = await table.sit();
    await choose(page, { game: 'Proud Monster', scenario: 'campaign', against: 'me' });
    await page.getByLabel('cover the screen').uncheck();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.map').waitFor();
    await asked(page);
    await press(page, 'fill');
    await expect.poll(async () => (await asked(page)).key).toBe('set-up');
    const unit = page.locator('[aria-label="Off the map"] .unit.chosen');
    await unit.waitFor();
    const code = (await unit.getAttribute('data-unit'))!;
    await page.getByRole('button', { name: new RegExp(`Place ${code} →`) }).first().click();
    await settled(page);
    await expect.poll(() => page.locator(`[aria-label="Off the map"] .unit.can[data-unit="${code}"]`).count()).toBe(0);
    await page.keyboard.press('u');
    await expect.poll(() => page.locator(`[aria-label="Off the map"] .unit.can[data-unit="${code}"]`).count()).toBe(1);
    await press(page, 'fill');
    await expect.poll(async () => (await asked(page)).key).not.toBe('set-up');
    expect(await page.locator('.stack[data-side="one"]').count()).toBeGreaterThan(30);
    await leave(page);
  });
});
