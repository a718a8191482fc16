// A turn of June 1941 is moved, fought, undone and reloaded; the page stays quick with the whole front on it.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { begin, drawn, leave, settled, shot, Table } from './harness';
import { after, asked, clickHex, clickUnit, free, litHexes, press, seen, throwAt } from './drill';

const table = new Table();

async function until(page: Page, key: string): Promise<void> {
  for (let i = 0; i < 30; i++) {
    const now = await asked(page);
    if (now.key === key) return;
    await page.locator('[aria-label="Question"] [data-choice="done"]').click();
    await after(page, now);
  }
  throw new Error(`the question ${key} never came`);
}

describe('Proud Monster, June 1941', () => {
  it('is moved, undone, fought, and goes on after the page is loaded anew', async () => {
    const page = await table.sit({ viewport: { width: 1440, height: 900 } });
    const id = await begin(page, { game: 'pm', scenario: 'june', options: {}, seats: { one: 'me', two: { program: 'random' } } });
    expect(await page.locator('.stack').count()).toBeGreaterThan(100);
    // Aircraft wait in their box off the map: the first is in hand already, green hexes take it.
    await until(page, 'support');
    const flying = await asked(page);
    await page.locator('[aria-label="Off the map"] .unit.chosen').waitFor();
    const base = page.locator('.lit[data-lit="place"]');
    await base.first().waitFor();
    await shot(page, 'pm-air');
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    expect((await after(page, flying)).n).toBeGreaterThan(flying.n);
    await until(page, 'movement');
    await drawn(page);
    await shot(page, 'pm');

    // A division by its name, from the order of battle.
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill('panzer division');
    await shot(page, 'pm-forces');
    expect(await page.locator('[aria-label="Order of battle"] li').count()).toBeGreaterThan(10);
    const rows = page.locator('[aria-label="Order of battle"] .row:enabled');
    const where = (await rows.first().locator('.where').innerText()).trim().split(' ')[0]!;
    await rows.first().click();
    await page.locator('input[type=search]').press('Escape');
    await page.getByRole('tab', { name: 'Now' }).click();

    // Take it, see its reach, move it, take that back.
    const was = await asked(page);
    await clickHex(page, where);
    const fan = page.locator('.fan .one.can').first();
    if (await fan.isVisible()) {
      await shot(page, 'pm-fan');
      await fan.click();
      await settled(page);
    }
    const go = page.locator('.lit[data-lit="go"]');
    await go.first().waitFor();
    await shot(page, 'pm-reach');
    const to = (await go.evaluateAll((l) => l.map((e) => (e as HTMLElement).dataset.hex ?? ''))).sort().at(-1)!;
    await clickHex(page, to);
    const gone = await after(page, was);
    expect(gone.n).toBeGreaterThan(was.n);
    const labels = () => page.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).sort().join('|'));
    const there = await labels();
    // What undo would take back is listed, the last first; then it is taken back.
    const list = page.getByTitle('What undo would take back');
    await list.click();
    expect(await page.locator('.menu li').first().innerText()).toContain(to);
    await list.click();
    await page.keyboard.press('u');
    await page.waitForFunction((n) => Number(document.querySelector('[aria-label="Question"]')?.getAttribute('data-n')) > n, gone.n);
    await expect.poll(labels).not.toBe(there);

    // An overlay of the whole front.
    await page.getByLabel('Overlay').selectOption('supply');
    await page.locator('path.tint').first().waitFor({ state: 'attached' });
    await shot(page, 'pm-supply');
    await page.getByLabel('Overlay').selectOption('');

    // Fight: the first target with attackers beside it.
    for (let i = 0; i < 20 && (await seen(page)).key !== 'movement'; i++) {
      const now = await asked(page);
      await page.locator('[aria-label="Question"] [data-choice]').first().click();
      await after(page, now);
    }
    const moving = await asked(page);
    await page.locator('[aria-label="Question"] [data-choice="done"]').click();
    let now = await after(page, moving);
    for (let i = 0; i < 12 && !(await page.locator('.lit[data-lit="target"]').count()); i++) {
      await page.locator('[aria-label="Question"] [data-choice="done"]').click();
      now = await after(page, now);
    }
    const target = (await page.locator('.lit[data-lit="target"]').first().getAttribute('data-hex'))!;
    await clickHex(page, target);
    now = await after(page, now);
    for (let i = 0; i < 3; i++) {
      const more = page.locator('.lit[data-lit="unit"]').first();
      if (!(await more.count())) break;
      await clickUnit(page, (await more.getAttribute('data-hex'))!);
    }
    await page.locator('[aria-label="Battle"]').waitFor();
    await shot(page, 'pm-battle');
    const fought = await seen(page);
    await page.locator('[data-choice="resolve"]').click();
    await after(page, fought);
    const n = (await seen(page)).n;

    // Saved as it is: a new page shows the same question.
    await page.reload();
    await page.locator('.stack').first().waitFor();
    expect((await asked(page)).n).toBe(n);
    expect(page.url()).toContain(id);
    await leave(page);
  });

  it('leads a path where it is bent to, shows a mobile assault before it is made, and what the enemy changed', async () => {
    const page = await table.sit({ viewport: { width: 1440, height: 900 } });
    await begin(page, { game: 'pm', scenario: 'june', options: {}, seats: { one: 'me', two: { program: 'random' } } });
    await until(page, 'movement');
    // A panzer stack of which something can move by two ways: over a hex that the straight path leaves out.
    const story = page.locator('[aria-label="Log"]');
    const taken = async (hex: string, units: number) => {
      await clickHex(page, hex);
      for (let i = 0; i < units; i++) {
        const one = page.locator('.fan .one.can:not(.inhand)').first();
        if (!(await one.isVisible())) await clickHex(page, hex);
        if (await one.isVisible()) await one.click();
        await settled(page);
      }
      if (await page.locator('.fan').isVisible()) await page.keyboard.press('Escape');
    };
    const own = await litHexes(page, 'unit');
    let bent = '';
    for (const hex of own) {
      await clickUnit(page, hex);
      const reach = await litHexes(page, 'go');
      if (reach.length > 4) {
        const [over, to] = [reach[0]!, reach.at(-1)!];
        const n = (await seen(page)).n;
        await clickHex(page, over, { modifiers: ['Shift'] });
        expect(await page.locator('[aria-label="Question"]').innerText()).toMatch(/leads over 1 hex/);
        await clickHex(page, to);
        // A bend may be too far: then it is refused with its reason, and the way is another stack's.
        if ((await asked(page)).n > n) {
          bent = over;
          await expect.poll(() => story.innerText()).toMatch(new RegExp(`moves [^\\n]*-${over}-[^\\n]*${to}`));
          break;
        }
        expect(await page.locator('[role="alert"]').innerText()).not.toBe('');
      }
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    }
    expect(bent).not.toBe('');
    const stop = page.locator('[aria-label="Question"] [data-choice="stop"]');
    if (await stop.count()) await stop.click();
    await settled(page);

    // Several targets: each shows its own battle before anything is thrown.
    let fought = false;
    for (const hex of await litHexes(page, 'unit')) {
      await taken(hex, 3);
      const targets = await litHexes(page, 'target');
      if (targets.length > 1) {
        const was = await seen(page);
        for (const target of targets) {
          await clickHex(page, target);
          expect(await page.locator('[aria-label="Battle"] h3').innerText()).toContain(target);
          expect((await seen(page)).n).toBe(was.n);
        }
        await page.keyboard.press('Escape');
        expect(await page.locator('[data-aimed]').count()).toBe(0);
        await throwAt(page, targets[0]!);
        expect((await asked(page)).n).toBeGreaterThan(was.n);
        expect(await page.locator('[aria-label="Last throw"]').innerText()).toMatch(/Mobile assault on .* at /);
        fought = true;
        break;
      }
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
    }
    expect(fought).toBe(true);

    // The enemy's turn; then what it changed stays marked while one moves oneself.
    for (let i = 0; i < 60 && !(await page.locator('[aria-label="Question"]').getByText('Enemy’s turn').count() && (await seen(page)).key === 'movement'); i++) {
      const now = await asked(page);
      const done = page.locator('[aria-label="Question"] [data-choice="done"], [aria-label="Question"] [data-choice="stop"]').first();
      if (await done.count()) await done.click();
      else if (await page.locator('[aria-label="Question"] [data-choice]').count()) await page.locator('[aria-label="Question"] [data-choice]').first().click();
      else await clickUnit(page, (await litHexes(page, 'unit'))[0]!);
      await after(page, now);
    }
    await page.getByLabel('Overlay').selectOption('changed');
    const marked = page.locator('path.tint');
    await marked.first().waitFor({ state: 'attached' });
    const before = await marked.count();
    const mine = (await litHexes(page, 'unit')).find(Boolean)!;
    await clickUnit(page, mine);
    const to = (await litHexes(page, 'go')).at(-1);
    if (to) await clickHex(page, to);
    await expect.poll(() => marked.count()).toBeGreaterThanOrEqual(before);
    await leave(page);
  });

  it('has a panzer division out of Brest within twenty clicks of opening the page', async () => {
    const page = await table.sit();
    let clicks = 0;
    page.on('console', (m) => void (m.text() === 'click' && clicks++));
    await page.evaluate(() => addEventListener('pointerdown', () => console.log('click'), true));
    const start = performance.now();
    // The page offers June 1941 by itself.
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.stack').first().waitFor();
    // What comes before movement is answered with Done.
    while ((await asked(page)).key !== 'movement') await press(page, 'done');
    // Brest by its name, in the order of battle.
    await page.getByRole('tab', { name: 'Forces' }).click();
    await page.getByRole('searchbox').fill('panzer brest');
    const rows = page.locator('[aria-label="Order of battle"] .row:enabled');
    // What is read must be what is clicked: first the list is that of the search.
    await expect.poll(async () => (await rows.locator('.where').allInnerTexts()).every((t) => /brest/i.test(t))).toBe(true);
    const row = rows.first();
    const where = (await row.locator('.where').innerText()).split(' ')[0]!;
    await row.click();
    const unit = await row.locator('b').innerText();
    await free(page, `.stack[data-hex="${where}"]`);
    await clickHex(page, where);
    const one = page.locator(`.fan [data-unit="${unit}"]`);
    if (await one.isVisible()) await one.click();
    await settled(page);
    const reach = await litHexes(page, 'go');
    expect(reach.length).toBeGreaterThan(0);
    await shot(page, 'pm-brest');
    const was = await seen(page);
    await clickHex(page, reach.at(-1)!);
    expect((await asked(page)).n).toBeGreaterThan(was.n);
    const to = await page.locator(`.stack[data-hex="${reach.at(-1)}"]`).getAttribute('aria-label');
    expect(to).toMatch(/panzer/i);
    console.log(`start to the first panzer moved: ${clicks} clicks, ${((performance.now() - start) / 1000).toFixed(1)} s`);
    expect(clicks).toBeLessThanOrEqual(20);
    await leave(page);
  });

  it('is studied after its end: the slider, any eyes, plots of points, losses and ground, and the luck of the dice', async () => {
    const page = await table.sit();
    const played = readFileSync(resolve(import.meta.dirname, '../../crates/games/pm/games/june-by-hand.verst'));
    await page.locator('input[type=file]').setInputFiles({ name: 'june.verst', mimeType: 'text/plain', buffer: played });
    await page.locator('.stack').first().waitFor();
    expect((await asked(page)).over).toBe(true);
    await page.getByRole('tab', { name: 'Record' }).click();
    const plots = ['Points and tracks', 'Steps lost', 'Hexes held'];
    for (const title of plots) await page.getByRole('img', { name: new RegExp(`^${title}`) }).waitFor();
    await shot(page, 'pm-record');
    // Both sides' throws, expected and actual; a line of the ledger leads to its moment.
    const rows = page.locator('[aria-label="Record"] tbody tr');
    expect(await rows.count()).toBe(2);
    for (const row of await rows.all()) {
      const [throws, expected, came, luck] = (await row.locator('td').allInnerTexts()).map(Number);
      expect(throws).toBeGreaterThan(0);
      expect(luck).toBeCloseTo(came! - expected!, 0);
    }
    const bar = page.getByRole('region', { name: 'Replay' });
    await page.locator('[aria-label="Record"] ol button').first().click();
    await bar.waitFor();
    const slider = bar.getByRole('slider');
    const stacks = () => page.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).sort().join('|'));
    const late = await stacks();
    expect(Number(await slider.inputValue())).toBeGreaterThan(0);
    await slider.fill('0');
    await expect.poll(stacks).not.toBe(late);
    const begun = await stacks();
    await bar.getByRole('button', { name: 'One choice on' }).click();
    await page.waitForFunction(() => document.querySelector('.replay .at')?.textContent?.startsWith('1 of'));
    await slider.fill(String(Math.floor(Number(await slider.getAttribute('max')) / 2)));
    await expect.poll(stacks).not.toBe(begun);
    for (const eyes of ['one', 'two', 'spectator', 'referee']) {
      await bar.getByLabel('Eyes').selectOption(eyes);
      await expect.poll(() => page.locator('.stack').count()).toBeGreaterThan(100);
    }
    await shot(page, 'pm-replay');
    await leave(page);
  });

  it('pans and zooms without redrawing the counters', async () => {
    const page = await table.sit({ viewport: { width: 1440, height: 900 } });
    await begin(page, { game: 'pm', scenario: 'june', options: {}, seats: { one: 'me', two: 'open' } });
    await drawn(page);
    await page.locator('img.layer.numbers').waitFor({ state: 'attached' });
    // Moving the camera changes the transform of the scene and nothing else under it; at rest counters are drawn sharp again, so
    // the map is not left resting between two turns of the wheel.
    const changes = await page.evaluate(async () => {
      const scene = document.querySelector('.scene')!;
      let seen = 0;
      const watch = new MutationObserver((l) => (seen += l.filter((m) => m.target !== scene).length));
      watch.observe(scene, { subtree: true, attributes: true, childList: true });
      const map = document.querySelector('.map')!;
      for (let i = 0; i < 20; i++) {
        map.dispatchEvent(new WheelEvent('wheel', { deltaY: i < 10 ? -40 : 40, clientX: 500, clientY: 500, cancelable: true }));
        await new Promise((then) => setTimeout(then));
      }
      watch.disconnect();
      return seen;
    });
    expect(changes).toBe(0);
    await leave(page);
  });
});
