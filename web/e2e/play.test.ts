// A newcomer plays the drill to its end: by mouse, then by the keyboard alone; hotseat; replay after the end.

import { describe, expect, it } from 'vitest';
import { begin, leave, shot, startGame, Table } from './harness';
import { answer, answerByKeys, asked, clickHex, lit, press, seen } from './drill';

const table = new Table();
const AGAINST = { game: 'drill', scenario: 'first', options: {}, seats: { one: 'me', two: { program: 'random' } } };
/** VERST_RUNS plays the drill so many times, each with other dice. */
const RUNS = Number(process.env.VERST_RUNS ?? 1);

describe('the drill', () => {
  it('is played to its end by mouse, from the start screen, with guidance', { repeats: RUNS - 1 }, async () => {
    const page = await table.sit();
    await page.getByRole('img', { name: /^The map of/ }).waitFor();
    await page.getByRole('button', { name: 'Play the Drill with guidance' }).click();
    await page.locator('.stack').first().waitFor();
    expect(await page.locator('.hint').first().innerText()).toMatch(/blue/i);

    // Pick, look at the reach, ask why not, go, take back.
    const first = await asked(page);
    const unit = (await lit(page, 'unit').first().getAttribute('data-hex'))!;
    await clickHex(page, unit);
    expect(await lit(page, 'go').count()).toBeGreaterThan(10);
    await lit(page, 'go').nth(9).hover({ force: true });
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
    await leave(page);
  });

  it('is played to its end by the keyboard alone', { repeats: RUNS - 1 }, async () => {
    const page = await table.sit({ viewport: { width: 1280, height: 800 } });
    await page.getByRole('button', { name: 'Play the Drill with guidance' }).waitFor();
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('Tab');
      if (/Play the Drill/.test(await page.evaluate(() => document.activeElement?.textContent ?? ''))) break;
    }
    await page.keyboard.press('Enter');
    await page.locator('.stack').first().waitFor();
    let battles = 0;
    const picks = { count: 0 };
    for (let i = 0; i < 500; i++) {
      const was = await asked(page);
      const now = await answerByKeys(page, picks);
      if (was.key === 'battle' && now.n > was.n) battles++;
      if (now.over) break;
    }
    expect((await seen(page)).over).toBe(true);
    expect(battles).toBeGreaterThan(0);
    await leave(page);
  });

  it('is handed over between two players at one screen, and each first sees what the other did', async () => {
    const page = await table.sit({ viewport: { width: 1280, height: 800 } });
    await startGame(page, { game: 'The Drill', against: 'me' });
    await page.getByRole('button', { name: 'I am Red' }).click();
    // Red hides the Guards.
    await asked(page);
    await clickHex(page, (await lit(page, 'unit').first().getAttribute('data-hex'))!);
    await page.getByRole('button', { name: 'I am Blue' }).waitFor();
    expect(await page.locator('.stack').count()).toBe(0);
    await shot(page, 'handover');
    await page.getByRole('button', { name: 'I am Blue' }).click();
    await page.locator('.stack').first().waitFor();
    expect(await page.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).join('|'))).not.toMatch(/Guards/);
    // What Red did is shown first; it runs to its end by itself or is left with Escape.
    const bar = page.getByRole('region', { name: 'Replay' });
    await bar.waitFor({ state: 'detached' });
    const moved = new Set<string>();
    await answer(page, moved);
    await answer(page, moved);
    await press(page, 'done');
    // Nobody stands beside an enemy yet, so Red's turn follows.
    await page.getByRole('button', { name: 'I am Red' }).click();
    await bar.waitFor();
    await shot(page, 'enemy-turn');
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'detached' });
    expect((await asked(page)).key).toBe('movement');
    await leave(page);
  });
});
