// A game is taken along as a file and opened again; two tabs of one player agree.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { begin, browser, open, Server } from './harness';
import { answer, asked } from './drill';

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

describe('a match', () => {
  it('is exported, and the file is refused or opened as the server says', async () => {
    const context = await chrome.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
    const page = await open(context, server.url);
    await begin(page, { game: 'drill', scenario: 'first', options: {}, seats: { one: 'me', two: { program: 'random' } }, title: 'To take along' });
    const moved = new Set<string>();
    await answer(page, moved);
    await answer(page, moved);
    await page.getByRole('tab', { name: 'Match' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export the game' }).click();
    const file = await (await download).path();
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/drill/);
    expect(text).toMatch(/go 0/);
    // Red's secret is not in Blue's file while the game goes on.
    expect(text).not.toMatch(/hide K/);

    await page.goto(`${server.url}/#/`);
    await page.locator('input[type=file]').setInputFiles({ name: 'nonsense.verst', mimeType: 'text/plain', buffer: Buffer.from('nonsense') });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/\w{4,}/);
    expect(page.faults).toEqual([]);
    await context.close();
  });

  it('shows the same question in two tabs, and an answer in one reaches the other', async () => {
    const context = await chrome.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await open(context, server.url);
    const id = await begin(page, { game: 'drill', scenario: 'first', options: {}, seats: { one: 'me', two: { program: 'random' } } });
    const other = await open(context, `${server.url}/#/m/${id}`);
    await other.locator('.stack').first().waitFor();
    const was = await asked(page);
    expect((await asked(other)).n).toBe(was.n);
    const moved = new Set<string>();
    await answer(page, moved);
    const now = await answer(page, moved);
    await expect.poll(async () => (await asked(other)).n).toBe(now.n);
    const labels = (p: typeof page) => p.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).sort().join('|'));
    expect(await labels(other)).toBe(await labels(page));
    expect([...page.faults, ...other.faults]).toEqual([]);
    await context.close();
  });
});
