// The start screen: everything for a new game on one screen, one's own copy laid over ours, a game continued in one click;
// and a program that takes its time.

import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { choose, clean, leave, shot, Table, type Watched } from './harness';
import { asked, seen } from './drill';

/** Copies of the drill as an owner would keep them: one that is sound, one that is broken. */
const copies = mkdtempSync(join(tmpdir(), 'verst-copies-'));
const own = readFileSync(resolve(import.meta.dirname, '../../crates/games/drill/data/counters.tsv'), 'utf8');
function copy(name: string, text: string): string {
  const folder = join(copies, 'drill', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'counters.tsv'), text);
  return folder;
}
const mine = copy('mine', own.replace('1st Infantry', 'Overlaid Guards'));
copy('broken', 'nonsense\n');
const typed = join(copies, 'typed');
cpSync(mine, typed, { recursive: true });
afterAll(() => rmSync(copies, { recursive: true, force: true }));

const table = new Table(['--overlays', copies]);
const pictured = (page: Watched) => page.locator('[role="img"][data-drawn="true"]').waitFor();
const match = (page: Watched) =>
  page.evaluate(async () => (await fetch(`/api/matches/${location.hash.slice(4)}`)).json() as Promise<{ overlay: { name: string } | null; options: Record<string, string>; seats: { side: string; holder: string }[] }>);

describe('the start screen', () => {
  it('shows each game with its map, and what is chosen is what is played', async () => {
    const page = await table.sit();
    await pictured(page);
    await shot(page, 'start');
    // The whole choice and the button to play are on one screen.
    const play = page.getByRole('button', { name: 'Play', exact: true });
    const box = (await play.boundingBox())!;
    expect(box.y + box.height).toBeLessThan(900);
    for (const game of ['The Drill', "Stalingrad '42"]) {
      await choose(page, { game });
      await page.getByRole('img', { name: `The map of ${game}` }).waitFor();
    }
    await choose(page, { game: "Stalingrad '42", scenario: 'campaign', side: 'two', against: 'open' });
    await page.getByText('Options', { exact: false }).first().click();
    await page.getByRole('checkbox', { name: /^Maskirovka/ }).uncheck();
    await pictured(page);
    await clean(page);
    await shot(page, 'start-options');
    await play.click();
    await page.locator('.stack').first().waitFor();
    const made = await match(page);
    expect(made.options).toEqual({ maskirovka: 'off' });
    expect(made.seats.map((s) => `${s.side} ${s.holder}`).sort()).toEqual(['one open', 'two person']);

    // Back, and on again in one click.
    const there = page.url();
    await page.getByRole('link', { name: 'All games' }).click();
    await page.getByRole('region', { name: 'Games in play' }).waitFor();
    await pictured(page);
    await shot(page, 'start-continue');
    await page.getByRole('region', { name: 'Games in play' }).getByRole('link').first().click();
    await page.locator('.stack').first().waitFor();
    expect(page.url()).toBe(there);
    await leave(page);
  });

  it('lays an owner’s copy over our data: one on offer, one typed, and says what is wrong with a broken one', async () => {
    const page = await table.sit();
    await choose(page, { game: 'The Drill', against: 'me' });
    await page.getByText('Your own copy').click();
    const list = page.getByLabel('Laid over');
    await list.waitFor();
    // The broken one cannot be chosen, and its faults are told with their file.
    expect(await list.locator('option', { hasText: 'broken' }).isDisabled()).toBe(true);
    expect(await page.locator('.faults').innerText()).toMatch(/broken[\s\S]*counters\.tsv/);
    await list.selectOption('mine');
    await expect.poll(() => page.locator('[role="img"] img').first().getAttribute('src')).toMatch(/overlay=[0-9a-f]{16}/);
    await page.getByLabel('cover the screen').uncheck();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.stack').first().waitFor();
    expect((await match(page)).overlay?.name).toBe('mine');
    expect(await page.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).join())).toMatch(/Overlaid Guards/);
    await page.getByRole('tab', { name: 'Match' }).click();
    await page.getByText('With the copy “mine” laid over our data.').waitFor();

    // A folder by its path; one that is not there is said so.
    await page.goto(`${table.server.url}/#/`);
    await choose(page, { game: 'The Drill', against: 'me' });
    await page.getByText('Your own copy').click();
    const path = page.getByLabel('Folder of your own copy');
    await path.fill(join(copies, 'nowhere'));
    await page.getByRole('button', { name: 'Check this folder' }).click();
    await page.getByRole('alert').first().waitFor();
    await path.fill(typed);
    await page.getByRole('button', { name: 'Check this folder' }).click();
    await expect.poll(() => list.inputValue()).toBe('typed:');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.handover, .stack').first().waitFor();
    expect((await match(page)).overlay?.name).toBe('typed');
    await leave(page);
  });
});

describe('a program that takes its time', () => {
  it('shows how far it has thought, and chooses at once when it is told to', async () => {
    const page = await table.sit();
    await choose(page, { game: 'The Drill', scenario: 'first', side: 'two', against: 'search' });
    await page.getByLabel('Thinks up to').selectOption('5 min');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.stack').first().waitFor();
    // Red hides the Guards; then Blue, the program, thinks for up to five minutes.
    await asked(page);
    const hex = (await page.locator('.lit[data-lit="unit"]').first().getAttribute('data-hex'))!;
    await page.locator(`.stack[data-hex="${hex}"]`).click();
    const bar = page.locator('[aria-label="Question"] progress');
    await bar.waitFor();
    await expect.poll(() => bar.evaluate((p: HTMLProgressElement) => p.value), { timeout: 30_000 }).toBeGreaterThan(0);
    await shot(page, 'thinking');
    await clean(page);
    // Meanwhile the map is there to be looked at.
    await page.keyboard.press('0');
    const n = (await seen(page)).n;
    await page.getByRole('button', { name: 'Choose now' }).click();
    await expect.poll(async () => (await seen(page)).n, { timeout: 60_000 }).toBeGreaterThan(n);
    await leave(page);
  });
});
