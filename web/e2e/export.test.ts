// A game is taken along as a file and opened again; two tabs of one player agree.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { begin, leave, open, Table } from './harness';
import { after, answer, asked } from './drill';

const table = new Table();

describe('a match', () => {
  it('is exported without the enemy’s secret during play, whole after the end, and opened again; nonsense is refused', async () => {
    const page = await table.sit({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
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

    await page.goto(`${table.server.url}/#/`);
    await page.locator('input[type=file]').setInputFiles({ name: 'nonsense.verst', mimeType: 'text/plain', buffer: Buffer.from('nonsense') });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/\w{4,}/);

    // To the end, with as little fighting as Red allows; then the whole journal goes out and comes in again.
    await page.getByRole('link', { name: /To take along/ }).click();
    await page.locator('.stack').first().waitFor();
    for (let i = 0; i < 120; i++) {
      const now = await asked(page);
      if (now.over) break;
      if (now.key === 'movement' || now.key === 'combat') {
        await page.keyboard.press('d');
        await after(page, now);
      } else await answer(page, moved);
    }
    const outcome = await page.locator('[aria-label="Question"] .prompt').innerText();
    expect(outcome).toMatch(/The game is over/);
    await page.getByRole('tab', { name: 'Match' }).click();
    const again = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export the game' }).click();
    const whole = readFileSync(await (await again).path(), 'utf8');
    expect(whole).toMatch(/hide K/);
    const old = page.url();
    await page.goto(`${table.server.url}/#/`);
    await page.locator('input[type=file]').setInputFiles({ name: 'whole.verst', mimeType: 'text/plain', buffer: Buffer.from(whole) });
    await page.locator('.stack').first().waitFor();
    expect(page.url()).not.toBe(old);
    await expect.poll(() => page.locator('[aria-label="Question"] .prompt').innerText()).toBe(outcome);
    await leave(page);
  });

  it('shows the same question in two tabs, and an answer in one reaches the other', async () => {
    const page = await table.sit({ viewport: { width: 1280, height: 800 } });
    const id = await begin(page, { game: 'drill', scenario: 'first', options: {}, seats: { one: 'me', two: { program: 'random' } } });
    const other = await open(page.context(), `${table.server.url}/#/m/${id}`);
    await other.locator('.stack').first().waitFor();
    const was = await asked(page);
    expect((await asked(other)).n).toBe(was.n);
    const moved = new Set<string>();
    await answer(page, moved);
    const now = await answer(page, moved);
    await expect.poll(async () => (await asked(other)).n).toBe(now.n);
    const labels = (p: typeof page) => p.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).sort().join('|'));
    expect(await labels(other)).toBe(await labels(page));
    await leave(page, other);
  });
});
