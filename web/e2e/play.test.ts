// A newcomer plays the drill to its end: by mouse, then by the keyboard alone; hotseat; replay after the end.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { begin, browser, open, Server, shot } from './harness';
import { after, answer, asked, clickHex, seen } from './drill';

const server = new Server();
let chrome: Browser;

beforeAll(async () => {
  await server.start();
  chrome = await browser();
});
afterAll(async () => {
  await chrome?.close();
  await server.end();
});

describe('the drill', () => {
  it('is played to its end by mouse, from the start screen, with guidance', async () => {
    const context = await chrome.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await open(context, server.url);
    await shot(page, 'start');
    await page.getByRole('button', { name: 'Play the Drill with guidance' }).click();
    await page.locator('.stack').first().waitFor();
    expect(await page.locator('.hint').first().innerText()).toMatch(/blue/i);

    // Pick, look at the reach, ask why not, go, take back.
    const first = await asked(page);
    const unit = (await page.locator('.lit[data-lit="unit"]').first().getAttribute('data-hex'))!;
    await clickHex(page, unit);
    await page.locator('.lit[data-lit="go"]').first().waitFor();
    expect(await page.locator('.lit[data-lit="go"]').count()).toBeGreaterThan(10);
    await page.locator('.lit[data-lit="go"]').nth(9).hover({ force: true });
    await page.locator('.path').waitFor({ state: 'attached' });
    await shot(page, 'drill-reach');
    await page.keyboard.press('Escape');
    await page.locator('.lit[data-lit="unit"]').first().waitFor();

    const moved = new Set<string>();
    await answer(page, moved);
    await answer(page, moved);
    expect((await asked(page)).n).toBeGreaterThan(first.n);
    const n = (await seen(page)).n;
    await page.getByRole('button', { name: /^Undo/ }).click();
    await page.waitForFunction((n) => Number(document.querySelector('[aria-label="Question"]')?.getAttribute('data-n')) > n, n);
    expect(await page.locator('[aria-label="Question"]').getAttribute('data-key')).toBe('movement');

    let battles = 0;
    const again = new Set<string>();
    for (let i = 0; i < 400; i++) {
      const ready = (await seen(page)).key === 'battle' && (await page.locator('[data-choice="resolve"]').count()) > 0;
      if (ready && (await page.locator('.lit[data-lit="unit"]').count()) === 0 && battles++ === 0) await shot(page, 'drill-battle');
      const now = await answer(page, again);
      if (now.over) break;
    }
    const end = await seen(page);
    expect(end.over).toBe(true);
    expect(battles).toBeGreaterThan(0);
    await shot(page, 'drill-end');

    // After the end: replay with any eyes, statistics, the luck of the dice.
    await page.getByRole('tab', { name: 'Record' }).click();
    await page.getByRole('img', { name: /Steps lost/ }).waitFor();
    await shot(page, 'record');
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    const bar = page.getByRole('region', { name: 'Replay' });
    const slider = bar.getByRole('slider');
    const stacks = () => page.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).sort().join('|'));
    const last = await stacks();
    await slider.fill('0');
    await page.waitForFunction(() => document.querySelector('.replay .at')?.textContent?.startsWith('0 of'));
    await expect.poll(stacks).not.toBe(last);
    // At the beginning even the referee does not know where the Guards are; after Red has chosen he does, a spectator not.
    await bar.getByLabel('Eyes').selectOption('spectator');
    await slider.fill('2');
    await expect.poll(stacks).toMatch(/Concealed/);
    expect(await stacks()).not.toMatch(/Guards|Decoy/i);
    await bar.getByLabel('Eyes').selectOption('referee');
    await expect.poll(stacks).toMatch(/Guards|Decoy/i);
    await shot(page, 'replay');
    await bar.getByLabel('Speed').selectOption('40');
    await bar.getByRole('button', { name: 'Run' }).click();
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(5);
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    expect(page.faults).toEqual([]);
    await context.close();
  });

  it('is played to its end by the keyboard alone', async () => {
    const context = await chrome.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await open(context, server.url);
    await begin(page, { game: 'drill', scenario: 'first', options: {}, seats: { one: 'me', two: { program: 'random' } } });
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const keys = page.keyboard;
    const pickFromFan = async () => {
      await page.waitForTimeout(150);
      if (await page.locator('.fan .one.can').count()) await keys.press('a');
    };
    let picks = 0;
    let battles = 0;
    for (let i = 0; i < 500; i++) {
      const now = await asked(page);
      if (now.over) break;
      if (now.key === 'movement' && picks < 3) {
        picks++;
        for (let k = 0; k < picks; k++) await keys.press('n');
        await keys.press('Enter');
        await pickFromFan();
        await after(page, now);
      } else if (now.key === 'go') {
        await keys.press('ArrowRight');
        await keys.press('ArrowRight');
        await keys.press('Enter');
        await page.waitForTimeout(250);
        if ((await seen(page)).key === 'go' && (await seen(page)).n === now.n) {
          await keys.press('1');
          await after(page, now);
        }
      } else if (now.key === 'combat' && (await page.locator('.lit[data-lit="target"]').count())) {
        await keys.press('Tab');
        await keys.press('Enter');
        await after(page, now);
      } else if (now.key === 'battle') {
        if (await page.locator('.lit[data-lit="unit"]').count()) {
          await keys.press('n');
          await keys.press('Enter');
          await pickFromFan();
          await page.waitForTimeout(200);
        } else {
          battles++;
          await keys.press('1');
          await after(page, now);
        }
      } else if (now.key === 'movement' || now.key === 'combat') {
        if (now.key === 'combat') picks = 0;
        await keys.press('d');
        await after(page, now);
      } else if (await page.locator('[aria-label="Question"] [data-choice="done"]').count()) {
        await keys.press('d');
        await after(page, now);
      } else {
        await keys.press('n');
        await keys.press('Enter');
        await page.waitForTimeout(150);
        if (await page.locator('.fan .one.can').count()) {
          await page.locator('.fan .one.can').first().focus();
          await keys.press('Enter');
          await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
          await page.waitForTimeout(150);
        }
        if ((await page.locator('.lit[data-lit="place"]').count()) && (await seen(page)).n === now.n) {
          await keys.press('n');
          await keys.press('Enter');
        }
        await page.waitForTimeout(200);
      }
    }
    expect((await seen(page)).over).toBe(true);
    expect(battles).toBeGreaterThan(0);
    expect(page.faults).toEqual([]);
    await context.close();
  });

  it('is handed over between two players at one screen, and each first sees what the other did', async () => {
    const context = await chrome.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await open(context, server.url);
    const start = page.evaluate(async () => {
      const me = await (await fetch('/api/me')).json();
      const answer = await fetch('/api/matches', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-verst-csrf': me.csrf },
        body: JSON.stringify({ game: 'drill', scenario: 'first', options: {}, seats: { one: 'me', two: 'me' } }),
      });
      location.hash = `#/m/${(await answer.json()).id}`;
    });
    await start;
    await page.getByRole('button', { name: 'I am Red' }).click();
    // Red hides the Guards.
    await asked(page);
    const counter = page.locator('.lit[data-lit="unit"]').first();
    await clickHex(page, (await counter.getAttribute('data-hex'))!);
    await page.getByRole('button', { name: 'I am Blue' }).waitFor();
    expect(await page.locator('.stack').count()).toBe(0);
    await shot(page, 'handover');
    await page.getByRole('button', { name: 'I am Blue' }).click();
    await page.locator('.stack').first().waitFor();
    expect(await page.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).join('|'))).not.toMatch(/Guards/);
    if (await page.getByRole('region', { name: 'Replay' }).isVisible()) await page.keyboard.press('Escape');
    const moved = new Set<string>();
    for (let i = 0; i < 40; i++) {
      if (await page.getByRole('button', { name: 'I am Red' }).isVisible()) break;
      if ((await seen(page)).key === 'combat') await page.keyboard.press('d');
      else await answer(page, moved).catch(() => {});
      await page.waitForTimeout(200);
    }
    await page.getByRole('button', { name: 'I am Red' }).click();
    await page.getByRole('region', { name: 'Replay' }).waitFor();
    await shot(page, 'enemy-turn');
    expect(page.faults).toEqual([]);
    await context.close();
  });
});
