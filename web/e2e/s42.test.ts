// A turn of Fall Blau: supply placed, a panzer corps moved and taken back, fights with stands, retreats and advances, saved
// and loaded anew; both sides at one screen, so that every question of both is answered in the page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begin, drawn, leave, shot, Table, type Watched } from './harness';
import { after, asked, clickHex, clickUnit, litHexes, press, seen, throwAt } from './drill';

const table = new Table();
const BLAU = { game: 's42', scenario: 'blau', options: {}, handover: false, seats: { one: 'me', two: 'me' }, title: "Stalingrad '42: Fall Blau" };

const button = (page: Watched, choice: string) => page.locator(`[aria-label="Question"] [data-choice="${choice}"]`);
const labels = (page: Watched) => page.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).sort().join('|'));
const units = (page: Watched, hex: string) => page.locator(`.stack[data-hex="${hex}"]`).evaluateAll((l) => l.map((e) => e.getAttribute('aria-label') ?? '').join());

/** Answers what a fight asks until the next attack can be chosen: gives way, falls back, and sends one unit forward. */
async function fought(page: Watched, keys: string[]): Promise<void> {
  for (let i = 0; i < 80; i++) {
    const now = await asked(page);
    if (now.over || now.key === 'combat') return;
    keys.push(now.key);
    const [go, unit] = [await litHexes(page, 'go'), await litHexes(page, 'unit')];
    const way = await page.locator('.lit[data-lit="target"], .lit[data-lit="place"]').evaluateAll((l) => l.map((e) => (e as HTMLElement).dataset.hex ?? ''));
    if (now.key === 'stand' && (await button(page, 'yield').count())) {
      if (!keys.slice(0, -1).includes('stand')) await shot(page, 's42-stand');
      await press(page, 'yield');
    } else if (now.key === 'retreat' && go.length) {
      if (!keys.slice(0, -1).includes('retreat')) await shot(page, 's42-retreat');
      await clickHex(page, go[0]!);
    } else if (['advance', 'forming', 'group'].includes(now.key) && keys.includes('stride') && (await button(page, 'done').count())) await press(page, 'done');
    else if (go.length) await clickHex(page, go.at(-1)!);
    else if (unit.length) await clickUnit(page, unit[0]!);
    else if (way.length) await throwAt(page, way[0]!);
    else await page.locator('[aria-label="Question"] [data-choice]').last().click();
    // Several ways lead to one hex: the panel names them.
    const which = page.locator('[aria-label="Which of these"] button').first();
    if (await which.isVisible()) await which.click();
    await after(page, now);
  }
  throw new Error(`the fight never ended: ${keys.join(' ')}`);
}

describe("Stalingrad '42, Fall Blau", () => {
  it('is supplied, moved, undone, fought with retreat and advance, and goes on after the page is loaded anew', async () => {
    const page = await table.sit();
    const id = await begin(page, BLAU);
    await drawn(page);
    const first = await asked(page);
    expect(first.key).toBe('initial');
    // A flood of hexes is not lit before it is asked for; Entry Areas off the map are buttons with their names.
    expect(await page.locator('.lit').count()).toBe(0);
    await page.locator('[data-deed="fortify"]').click();
    expect((await litHexes(page, 'target')).length).toBeGreaterThan(60);
    await page.keyboard.press('Escape');
    expect(await page.locator('.lit').count()).toBe(0);
    expect(await button(page, 'stock entry-y').innerText()).toMatch(/Entry Area Y/);
    await press(page, 'stock entry-y');
    expect((await asked(page)).n).toBe(first.n + 1);
    await page.keyboard.press('u');
    await expect.poll(async () => (await seen(page)).n).toBe(first.n + 2);
    expect(await button(page, 'done').innerText()).toMatch(/ends: Axis Initial Phase/);
    await press(page, 'done');

    // A panzer corps in hand, its reach, there, and back.
    expect((await asked(page)).key).toBe('movement');
    await shot(page, 's42');
    const before = await labels(page);
    await clickHex(page, '1515');
    await page.locator('.fan .one.can').nth(2).waitFor();
    await page.keyboard.press('a');
    await page.locator('.lit[data-lit="go"]').first().waitFor();
    expect(await page.locator('[aria-label="Question"]').innerText()).toMatch(/Tactical Movement/);
    await shot(page, 's42-reach');
    await clickHex(page, '1616');
    // Nothing more can be done with them: they halt by themselves.
    expect((await asked(page)).key).toBe('movement');
    expect(await units(page, '1616')).toMatch(/3rd Panzer.*|.*23rd Panzer/);
    expect(await units(page, '1515')).toBe('');
    await page.keyboard.press('u');
    await expect.poll(() => labels(page)).toBe(before);
    await page.getByLabel('Overlay').selectOption('bonds');
    await page.locator('.legend[data-overlay="bonds"]').waitFor();
    await shot(page, 's42-bonds');
    await page.getByLabel('Overlay').selectOption('');
    await press(page, 'done');

    // Attacks with all that can take part, until a retreat and an advance were seen.
    const keys: string[] = [];
    const tried = new Set<string>();
    for (let i = 0; i < 14 && !(keys.includes('retreat') && keys.includes('stride')); i++) {
      const now = await asked(page);
      expect(now.key).toBe('combat');
      const target = (await litHexes(page, 'target')).find((h) => !tried.has(h));
      if (!target) break;
      tried.add(target);
      await clickHex(page, target);
      await after(page, now);
      // With one stack beside it there is nobody to add all of.
      if (await button(page, 'all').count()) await press(page, 'all');
      else await clickUnit(page, (await litHexes(page, 'unit'))[0]!);
      const battle = page.locator('[aria-label="Battle"]');
      expect(await battle.innerText()).toMatch(/odds/);
      const air = page.locator('[aria-label="Question"] [data-unit]').first();
      if (i === 0 && (await air.count())) {
        const was = await seen(page);
        const sum = await battle.innerText();
        await air.click();
        await after(page, was);
        expect(await battle.innerText()).not.toBe(sum);
        await shot(page, 's42-battle');
      }
      // Odds below the table may not be fought: the panel says so, and the attack is given up.
      if (!(await button(page, 'resolve').count())) {
        expect(await battle.innerText()).toMatch(/below 1-3/);
        // What is only in hand is put back; what the server knows of already is cancelled.
        await press(page, (await button(page, '(drop)').count()) ? '(drop)' : 'cancel');
        continue;
      }
      const was = await asked(page);
      await press(page, 'resolve');
      await after(page, was);
      await fought(page, keys);
    }
    expect(keys).toContain('retreat');
    expect(keys).toContain('stride');

    // Kept as it is: a new page shows the same question and the same front.
    const [n, stand] = [(await asked(page)).n, await labels(page)];
    await page.reload();
    await page.locator('.stack').first().waitFor();
    expect((await asked(page)).n).toBe(n);
    expect(await labels(page)).toBe(stand);
    expect(page.url()).toContain(id);

    // The rest of the turn goes by with one key a phase, until the Soviet side moves.
    for (let i = 0; i < 20; i++) {
      const now = await asked(page);
      if (now.key === 'movement') break;
      if (now.key === 'combat' || (await button(page, 'done').count())) {
        // Where nothing can be done the bar says so, and Enter goes on.
        await page.keyboard.press((await page.locator('[aria-label="Question"] .idle').count()) ? 'Enter' : 'd');
        await after(page, now);
      } else await fought(page, keys);
    }
    expect(await page.locator('[aria-label="Question"]').innerText()).toMatch(/Soviet Movement Phase/);
    await leave(page);
  });

  it('is moved by the keyboard alone', async () => {
    const page = await table.sit();
    await begin(page, BLAU);
    await asked(page);
    await page.keyboard.press('d');
    await expect.poll(async () => (await asked(page)).key).toBe('movement');
    const was = await asked(page);
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    if (await page.locator('.fan .one.can').first().isVisible()) await page.keyboard.press('1');
    const picked = await after(page, was);
    expect(picked.key).toBe('hand');
    for (let i = 0; i < 40 && !(await page.locator('.cursor[data-lit="go"]').count()); i++) await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await asked(page)).n).toBeGreaterThan(was.n);
    if ((await seen(page)).key === 'hand') await page.keyboard.press('d');
    await expect.poll(async () => (await asked(page)).key).toBe('movement');
    await leave(page);
  });

  it('shows rail movement, breakthrough, replacements, Maskirovka, arrivals and the record, each with an answer at hand', async () => {
    const page = await table.sit();
    /** A kept game is taken in as far as some line of its journal, and opened. */
    const at = async (game: string, line: number) => {
      const lines = readFileSync(join(import.meta.dirname, `../../crates/games/s42/games/${game}.verst`), 'utf8').split('\n');
      const text = lines.filter((l) => l && !(Number(l.match(/^(\d+)\t/)?.[1] ?? 0) > line)).join('\n') + '\n';
      await page.evaluate(async (body) => {
        const me = await (await fetch('/api/me')).json();
        const answer = await fetch('/api/matches/import', { method: 'POST', headers: { 'x-verst-csrf': me.csrf }, body });
        if (!answer.ok) throw new Error(await answer.text());
        location.hash = `#/m/${(await answer.json()).id}`;
      }, text);
      await page.reload();
      await page.locator('.stack').first().waitFor();
      await drawn(page);
    };
    const hint = () => page.locator('[aria-label="Question"] p.hint').innerText();

    // By rail: the railways in reach are lit alone and brought into sight.
    await at('fall-blau-opened-by-hand', 4);
    let now = await asked(page);
    await page.locator('[data-deed="rail"]').click();
    const rails = await litHexes(page, 'target');
    expect(rails).toContain('1202');
    const seenOn = await page.locator('.lit[data-lit="target"]').evaluateAll((all) => {
      const r = document.querySelector('.map')!.getBoundingClientRect();
      return all.filter((e) => { const t = e.getBoundingClientRect(); return t.x > r.left && t.right < r.right && t.y > r.top && t.bottom < r.bottom; }).length;
    });
    expect(seenOn).toBeGreaterThan(0);
    await shot(page, 's42-rail');
    await clickHex(page, '1202');
    now = await after(page, now);
    expect(now.key).toBe('movement');

    // Who arrives when is behind the track of turns.
    await page.locator('.schedule summary').click();
    expect(await page.locator('.schedule').innerText()).toMatch(/Turn 3[\s\S]*16Pz/);
    await shot(page, 's42-arrivals');
    await page.locator('.schedule summary').click();

    // The Breakthrough Group: who can be named lies on blue, and the hint says so.
    await at('fall-blau-opened-by-hand', 39);
    now = await asked(page);
    expect(now.key).toBe('advance');
    expect(await hint()).toMatch(/blue/);
    await page.locator('[data-deed="group"]').click();
    expect(await page.locator('.lit').count()).toBeGreaterThan(0);
    await at('fall-blau-opened-by-hand', 44);
    now = await asked(page);
    expect(now.key).toBe('breakthrough');
    await clickHex(page, '1604');
    expect(await page.locator('[aria-label="Battle"]').innerText()).toMatch(/1604[^]*odds/);
    await shot(page, 's42-breakthrough');
    await clickHex(page, '1604');
    await after(page, now);

    // Replacements: the units that can be rebuilt, and what is left to spend.
    await at('fall-blau-opened-by-hand', 358);
    now = await asked(page);
    await page.locator('[data-deed="restore"]').click();
    await shot(page, 's42-replacements');
    await clickUnit(page, (await litHexes(page, 'unit'))[0]!);
    await after(page, now);

    // Maskirovka: each marker says what lies in its box.
    await at('campaign-winter-soviet', 1862);
    now = await asked(page);
    expect(now.key).toBe('assign');
    expect(await button(page, 'assign 1').innerText()).toMatch(/Holding Box 1/);
    await shot(page, 's42-maskirovka');
    await press(page, 'assign 2');
    await after(page, now);
    expect(await button(page, 'assign 2').count()).toBe(0);

    // Supply with its lines, and where the enemy can go.
    await at('fall-blau-opened-by-hand', 364);
    for (const name of ['supply', 'reach']) {
      await page.getByLabel('Overlay').selectOption(name);
      await page.locator(`.legend[data-overlay="${name}"]`).waitFor();
      await shot(page, `s42-overlay-${name}`);
    }
    await page.getByLabel('Overlay').selectOption('');

    // The record of a finished game.
    await at('fall-blau-opened-by-hand', 1e9);
    await page.getByRole('tab', { name: 'Record' }).click();
    await page.getByRole('img', { name: /Steps lost/ }).waitFor();
    await shot(page, 's42-record');
    await leave(page);
  });
});
