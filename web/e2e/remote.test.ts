// Two people far apart: invitations, a network that is cut and comes back, a server that is killed, a spectator, clocks, notes,
// a rematch.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clean, leave, shot, startGame, Table, type Watched } from './harness';
import { answer, asked, clickHex, lit, press, seen } from './drill';
import { Cable } from './wire';

const table = new Table(['--club']);
const cable = new Cable(() => table.server.url);
beforeAll(() => cable.start());
afterAll(() => cable.end());

async function join(page: Watched, name: string): Promise<Watched> {
  await page.getByRole('button', { name: 'I am new here' }).click();
  await clean(page);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(`a long password of ${name}`);
  await page.getByRole('button', { name: 'Make an account' }).click();
  return page;
}

const SMALL = { viewport: { width: 1200, height: 760 } };
const member = async (name: string, path = '/') => join(await table.sit(SMALL, path), name);
/** A member whose browser reaches the server only through the cable. */
async function wired(name: string): Promise<Watched> {
  const page = await table.sit(SMALL, '/api/openapi.json');
  await page.goto(cable.url);
  return join(page, name);
}

const step = async (page: Watched) => (await seen(page)).n;

/** Makes a match of the drill against someone who is invited; answers with the path of the invitation. */
async function invite(page: Watched): Promise<string> {
  await startGame(page, { game: 'The Drill', against: 'open' });
  await page.locator('.stack').first().waitFor();
  await page.getByRole('tab', { name: 'Match' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  return new URL(await page.getByLabel('Invitation link').inputValue()).pathname;
}

describe('a match of two people', () => {
  it('goes on after the network was cut, also under an answer, and after the server was killed', async () => {
    const blue = await wired('Blucher');
    const red = await member('Rokossovsky', await invite(blue));
    await red.locator('.stack').first().waitFor();
    await asked(red);
    await clickHex(red, (await lit(red, 'unit').first().getAttribute('data-hex'))!);
    await asked(blue);
    const lost = blue.getByText('The server does not answer');

    // Cut while Blue decides: the page says so, takes his choice, and sends it when the network is back. Once.
    const before = await step(blue);
    cable.cut();
    await lost.waitFor();
    await blue.locator('[data-choice="done"]').click();
    expect(await step(blue)).toBe(before);
    cable.mend();
    await expect.poll(() => step(blue), { timeout: 40_000 }).toBe(before + 1);
    await lost.waitFor({ state: 'detached' });
    await expect.poll(async () => (await seen(red)).key).toBe('movement');
    expect(await step(red)).toBe(before + 1);

    // Red plays his turn; Blue sees each choice.
    const moved = new Set<string>();
    await answer(red, moved);
    await answer(red, moved);
    await expect.poll(() => step(blue)).toBe(await step(red));
    let now = await asked(red);
    while (['movement', 'combat'].includes(now.key)) {
      await press(red, 'done');
      if ((await seen(red)).key === '') break;
      now = await asked(red);
    }
    const mine = await asked(blue);

    // Cut after the choice went out and before its answer came: it had arrived, and is not played twice.
    cable.deafen();
    await blue.locator('[data-choice="done"]').click();
    await expect.poll(() => step(red)).toBe(mine.n + 1);
    expect(await step(blue)).toBe(mine.n);
    cable.cut();
    await lost.waitFor();
    cable.mend();
    await expect.poll(() => step(blue), { timeout: 40_000 }).toBe(mine.n + 1);
    expect(await step(red)).toBe(mine.n + 1);

    // The server itself is killed as by a power cut and started again.
    const [a, b] = [await step(blue), await step(red)];
    await table.server.kill();
    await lost.waitFor();
    await red.getByText('The server does not answer').waitFor();
    await table.server.start();
    await lost.waitFor({ state: 'detached' });
    await red.getByText('The server does not answer').waitFor({ state: 'detached' });
    await expect.poll(async () => [await step(blue), await step(red)]).toEqual([a, b]);
    await asked(red);
    await answer(red, moved);
    await leave(blue, red);
  });

  it('is watched by a spectator who receives nothing hidden, talked about, and noted in private', async () => {
    const blue = await member('Gneisenau');
    const red = await member('Konev', await invite(blue));
    await red.locator('.stack').first().waitFor();
    const link = await blue.getByLabel('Invitation link').inputValue();
    await blue.getByRole('button', { name: 'Invite a spectator' }).click();
    await expect.poll(() => blue.getByLabel('Invitation link').inputValue()).not.toBe(link);
    const watch = new URL(await blue.getByLabel('Invitation link').inputValue()).pathname;
    const third = await table.sit(SMALL, watch);
    const heard: string[] = [];
    third.on('websocket', (ws) => ws.on('framereceived', (f) => heard.push(String(f.payload))));
    third.on('response', async (r) => {
      if (/\/api\/matches/.test(r.url())) heard.push(await r.text().catch(() => ''));
    });
    await join(third, 'Onlooker');
    await third.locator('.stack').first().waitFor();

    await asked(red);
    await clickHex(red, (await lit(red, 'unit').first().getAttribute('data-hex'))!);
    await asked(blue);
    const moved = new Set<string>();
    await answer(blue, moved);
    await answer(blue, moved);
    await expect.poll(() => step(third)).toBe(await step(blue));
    expect(await third.locator('.stack').evaluateAll((l) => l.map((e) => e.getAttribute('aria-label')).join('|'))).toMatch(/Concealed/);
    expect(await third.locator('[data-choice]').count()).toBe(0);
    // He may replay, with the same eyes.
    await third.getByRole('button', { name: 'Replay', exact: true }).click();
    const bar = third.getByRole('region', { name: 'Replay' });
    await bar.getByRole('slider').fill('1');
    await third.waitForFunction(() => document.querySelector('.replay .at')?.textContent?.startsWith('1 of'));

    await blue.getByRole('tab', { name: 'Talk' }).click();
    await blue.getByLabel('Say something').fill('Well met.');
    await blue.keyboard.press('Enter');
    await blue.getByLabel('My private notes').fill('The Guards must be in the east.');
    await blue.getByText('kept', { exact: true }).waitFor();
    await red.getByRole('tab', { name: 'Talk' }).click();
    await red.getByText('Well met.').waitFor();
    await shot(red, 'talk');
    expect(await red.getByLabel('My private notes').inputValue()).toBe('');
    await blue.reload();
    await blue.getByRole('tab', { name: 'Talk' }).click();
    await expect.poll(() => blue.getByLabel('My private notes').inputValue()).toBe('The Guards must be in the east.');
    expect(heard.length).toBeGreaterThan(3);
    expect(heard.join('\n')).not.toMatch(/hide K|"Guards|Decoy|must be in the east/);
    await leave(blue, red, third);
  });

  it('has a clock that runs for the side that is asked, and a rematch with the sides swapped', async () => {
    const blue = await member('Scharnhorst');
    await blue.getByText('Clock, spectators, dice').click();
    await blue.getByLabel('Minutes for each side').fill('10');
    const red = await member('Vatutin', await invite(blue));
    await red.locator('.stack').first().waitFor();
    await red.getByRole('tab', { name: 'Match' }).click();
    const left = async (side: string) => {
      const text = await red.locator('[aria-label="Match"] li', { hasText: side }).locator('.clock').innerText();
      const [m, s] = text.split(':').map(Number);
      return m! * 60 + s!;
    };
    // It starts with the first choice, Red's: then Blue's time goes down on every screen, and Red's stands.
    await asked(red);
    await clickHex(red, (await lit(red, 'unit').first().getAttribute('data-hex'))!);
    await asked(blue);
    await expect.poll(() => left('Blue'), { timeout: 30_000 }).toBeLessThan(599);
    expect(await left('Red')).toBeGreaterThan(590);
    const stands = await left('Red');
    const running = await left('Blue');
    await expect.poll(() => left('Blue'), { timeout: 30_000 }).toBeLessThan(running);
    expect(await left('Red')).toBe(stands);

    // Both give way until the end, then change sides.
    for (let i = 0; i < 200; i++) {
      const [b, r] = [await seen(blue), await seen(red)];
      if (b.over && r.over) break;
      const [who, was] = b.key ? [blue, b] : r.key ? [red, r] : [null, b];
      if (!who) {
        await Promise.race([asked(blue), asked(red)]);
        continue;
      }
      if (await who.locator('[data-choice="done"]').count()) await press(who, 'done');
      else await clickHex(who, (await who.locator('.lit').first().getAttribute('data-hex'))!);
      await who.waitForFunction((n) => Number(document.querySelector('[aria-label="Question"]')?.getAttribute('data-n')) > n, was.n);
    }
    expect((await seen(blue)).over).toBe(true);
    await blue.getByRole('tab', { name: 'Match' }).click();
    const old = blue.url();
    await blue.getByRole('button', { name: 'Rematch, sides swapped' }).click();
    await expect.poll(() => blue.url()).not.toBe(old);
    await blue.locator('.stack').first().waitFor();
    expect((await asked(blue)).key).toBe('hide');
    await red.getByRole('tab', { name: 'Match' }).click();
    await red.getByRole('link', { name: 'To the rematch' }).click();
    await red.locator('.stack').first().waitFor();
    expect(red.url()).toBe(blue.url());
    await leave(blue, red);
  });
});
