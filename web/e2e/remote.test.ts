// Two people far apart: invitations, a network that is cut and comes back, a server that is killed, a spectator.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { browser, open, Server, shot } from './harness';
import { answer, asked, clickHex, seen } from './drill';

const server = new Server(['--club']);
let chrome: Browser;

beforeAll(async () => {
  await server.start();
  chrome = await browser();
});
afterAll(async () => {
  await chrome?.close();
  await server.end();
});

async function member(name: string, path = '/'): Promise<Page & { faults: string[] }> {
  const context = await chrome.newContext({ viewport: { width: 1200, height: 760 } });
  const page = await open(context, server.url + path);
  await page.getByRole('button', { name: 'I am new here' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(`a long password of ${name}`);
  await page.getByRole('button', { name: 'Make an account' }).click();
  return page;
}

const step = (page: Page) => page.locator('[aria-label="Question"]').getAttribute('data-n').then(Number);

describe('a match of two people', () => {
  it('goes on after the network was cut and after the server was killed, and shows a spectator nothing hidden', async () => {
    const blue = await member('Blucher');
    await blue.getByRole('radio', { name: 'The Drill' }).click();
    await blue.getByLabel('Against').selectOption('open');
    await blue.getByRole('button', { name: 'Play', exact: true }).click();
    await blue.locator('.stack').first().waitFor();
    await blue.getByRole('tab', { name: 'Match' }).click();
    await blue.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = new URL(await blue.getByLabel('Invitation link').inputValue()).pathname;
    const red = await member('Rokossovsky', link);
    await red.locator('.stack').first().waitFor();
    await blue.getByRole('button', { name: 'Invite a spectator' }).click();
    await expect.poll(async () => new URL(await blue.getByLabel('Invitation link').inputValue()).pathname).not.toBe(link);
    const watch = new URL(await blue.getByLabel('Invitation link').inputValue()).pathname;
    const heard: string[] = [];
    const context = await chrome.newContext();
    const third = await open(context, server.url + watch);
    third.on('websocket', (ws) => ws.on('framereceived', (f) => heard.push(String(f.payload))));
    third.on('response', async (r) => {
      if (/\/api\/matches/.test(r.url())) heard.push(await r.text().catch(() => ''));
    });
    await third.getByRole('button', { name: 'I am new here' }).click();
    await third.getByLabel('Name').fill('Onlooker');
    await third.getByLabel('Password').fill('a long password of mine');
    await third.getByRole('button', { name: 'Make an account' }).click();
    await third.locator('.stack').first().waitFor();

    // Red chooses in secret.
    await asked(red);
    await clickHex(red, (await red.locator('.lit[data-lit="unit"]').first().getAttribute('data-hex'))!);
    await asked(blue);
    await blue.getByRole('tab', { name: 'Now' }).click();

    // The network is cut while Blue decides; his choice arrives when it is back, once.
    const before = await step(blue);
    await blue.context().setOffline(true);
    await blue.evaluate(() => undefined);
    await server.kill();
    await blue.getByText('The server does not answer').waitFor();
    await blue.locator('[data-choice="done"]').click();
    await blue.context().setOffline(false);
    await server.start();
    await expect.poll(() => step(blue), { timeout: 20_000 }).toBe(before + 1);
    await blue.getByText('The server does not answer').waitFor({ state: 'detached' });
    // Nobody stands beside an enemy yet, so Red's turn follows.
    await expect.poll(async () => (await seen(red)).key, { timeout: 20_000 }).toBe('movement');

    // Red moves, Blue sees it within a moment.
    const moved = new Set<string>();
    await answer(red, moved);
    await answer(red, moved);
    await expect.poll(() => step(third)).toBe(await step(red));
    await blue.getByRole('tab', { name: 'Talk' }).click();
    await blue.getByLabel('Say something').fill('Well met.');
    await blue.keyboard.press('Enter');
    await red.getByRole('tab', { name: 'Talk' }).click();
    await red.getByText('Well met.').waitFor();
    await shot(red, 'talk');

    const labels = await third.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).join('|'));
    expect(labels).toMatch(/Concealed/);
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.join('\n')).not.toMatch(/hide K|"Guards|Decoy/);
    expect(await third.locator('[data-choice]').count()).toBe(0);
    for (const p of [blue, red, third]) expect(p.faults).toEqual([]);
    await Promise.all([blue.context().close(), red.context().close(), context.close()]);
  });
});
