// How quick the page is with a whole front on it: printed and written to the summary of make bench, never judged by the clock.
// With VERST=target/release/verst (make bench does so) it is the server that people run.

import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { begin, drawn, leave, Table } from './harness';

const table = new Table();
const SUMMARY = process.env.SUMMARY ?? join(resolve(import.meta.dirname, '../..'), 'target/bench/summary.tsv');

/** A row of the summary: what we measured, and beside it what we allow. */
function row(name: string, ours: number, allowed: number, unit: string): string {
  if (!existsSync(SUMMARY)) {
    mkdirSync(dirname(SUMMARY), { recursive: true });
    writeFileSync(SUMMARY, "name\tours\tpeer\tpeer's figure\tratio\n");
  }
  const figure = (x: number) => `${Number(x.toFixed(2))} ${unit}`;
  appendFileSync(SUMMARY, `${name}\t${figure(ours)}\tallowed\t${figure(allowed)}\t${(allowed / ours).toFixed(1)}\n`);
  return `${name.padEnd(52)} ${figure(ours).padStart(10)}   allowed ${figure(allowed)}${ours > allowed ? '   SHORT' : ''}`;
}

/** Moves the map for ninety frames and tells how long they took. */
function frames(page: Page, move: 'pan' | 'zoom'): Promise<{ mean: number; worst: number }> {
  return page.evaluate(async (move) => {
    const map = document.querySelector('.map')!;
    const at = (x: number, y: number, type: string, buttons: number) =>
      map.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, pointerType: 'touch', buttons, bubbles: true, isPrimary: true }));
    const times: number[] = [];
    let last = 0;
    if (move === 'pan') at(700, 500, 'pointerdown', 1);
    for (let i = 0; i < 90; i++) {
      const now = await new Promise<number>(requestAnimationFrame);
      if (last) times.push(now - last);
      last = now;
      if (move === 'pan') at(700 + Math.sin(i / 12) * 260, 500 + Math.cos(i / 12) * 160, 'pointermove', 1);
      else map.dispatchEvent(new WheelEvent('wheel', { deltaY: i < 45 ? -24 : 24, clientX: 700, clientY: 500, cancelable: true }));
    }
    if (move === 'pan') at(700, 500, 'pointercancel', 0);
    times.sort((a, b) => a - b);
    return { mean: times.reduce((a, b) => a + b, 0) / times.length, worst: times.at(-2) ?? 0 };
  }, move);
}

/** The server's own words on their way to the page, with stacks copied to free hexes until there are so many. */
async function crowded(page: Page, url: string, many: number): Promise<void> {
  const board = (await (await fetch(`${url}/api/games/pm/board`)).json()) as { hexes: { hex: string }[] };
  await page.routeWebSocket(/\/ws$/, (ws) => {
    const server = ws.connectToServer();
    server.onMessage((text) => {
      const message = JSON.parse(String(text)) as { t: string; view?: { stacks: { hex: string }[] } };
      const stacks = message.view?.stacks;
      if (message.t === 'state' && stacks?.length) {
        const taken = new Set(stacks.map((s) => s.hex));
        const [free, own] = [board.hexes.map((h) => h.hex).filter((h) => !taken.has(h)), stacks.length];
        for (let i = 0; stacks.length < many && i * 4 < free.length; i++) stacks.push({ ...stacks[i % own]!, hex: free[i * 4]! });
      }
      ws.send(JSON.stringify(message));
    });
  });
}

const SIZE = { viewport: { width: 1600, height: 1000 } };

describe('the speed of the page', () => {
  it('is printed', async () => {
    const page = await table.sit(SIZE);
    const id = await begin(page, { game: 'pm', scenario: 'historical', options: {}, seats: { one: 'me', two: 'open' } });
    // What the first page asks of the server and of the machine is done before the second is measured.
    await drawn(page);
    await page.waitForTimeout(2000);
    let bytes = 0;
    const fresh = await table.chrome.newContext(SIZE);
    const again = await fresh.newPage();
    const cdp = await fresh.newCDPSession(again);
    await cdp.send('Network.enable');
    cdp.on('Network.loadingFinished', (e) => (bytes += e.encodedDataLength));
    // A new window of the browser loads pages of its own beside ours; one's browser stands before one opens a match.
    await again.waitForTimeout(3000);
    const start = performance.now();
    await again.goto(`${table.server.url}/#/m/${id}`);
    await again.locator('.stack').first().waitFor();
    await drawn(again);
    const first = performance.now() - start;
    // With the hex numbers, which come when the map stands.
    await again.waitForTimeout(2000);
    const all = bytes;
    const own = await again.locator('.stack').count();
    expect(own).toBeGreaterThan(100);
    await again.close();
    const full = await fresh.newPage();
    await crowded(full, table.server.url, 600);
    await full.goto(`${table.server.url}/#/m/${id}`);
    await full.locator('.stack').nth(590).waitFor({ state: 'attached' });
    await drawn(full);
    await full.waitForTimeout(2000);
    const pan = await frames(full, 'pan');
    const zoom = await frames(full, 'zoom');
    console.log(
      [
        `the page with pm, ${own} stacks at first and ${await full.locator('.stack').count()} while it moves, 1600x1000, no GPU, ${process.env.VERST ?? 'the debug server'}`,
        row('page: first view of a campaign on screen', first / 1000, 1.5, 's'),
        row('page: first view of a campaign, all bytes', all / 1024, 300, 'KB'),
        row('page: a frame while panning', pan.mean, 20, 'ms'),
        row('page: a frame while zooming', zoom.mean, 20, 'ms'),
        `worst frame: pan ${pan.worst.toFixed(0)} ms, zoom ${zoom.worst.toFixed(0)} ms`,
      ].join('\n'),
    );
    await fresh.close();
    await leave(page);
  });
});
