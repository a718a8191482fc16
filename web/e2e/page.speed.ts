// How quick the page is with the June front on it: printed, never judged by the clock (npm run speed).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { begin, browser, open, Server } from './harness';

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

describe('the speed of the page', () => {
  it('is printed', async () => {
    const context = await chrome.newContext({ viewport: { width: 1600, height: 1000 } });
    const page = await open(context, server.url);
    const id = await begin(page, { game: 'pm', scenario: 'june', options: {}, seats: { one: 'me', two: 'open' } });
    let bytes = 0;
    const fresh = await chrome.newContext({ viewport: { width: 1600, height: 1000 } });
    const again = await fresh.newPage();
    const cdp = await fresh.newCDPSession(again);
    await cdp.send('Network.enable');
    cdp.on('Network.loadingFinished', (e) => (bytes += e.encodedDataLength));
    const start = performance.now();
    await again.goto(`${server.url}/#/m/${id}`);
    await again.locator('.stack').first().waitFor();
    await again.evaluate(() => Promise.all([...document.querySelectorAll<HTMLImageElement>('img.layer')].map((i) => i.decode().catch(() => {}))));
    await again.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const first = performance.now() - start;
    const frames = (move: string) =>
      again.evaluate(async (move) => {
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
    const pan = await frames('pan');
    const zoom = await frames('zoom');
    const stacks = await again.locator('.stack').count();
    expect(stacks).toBeGreaterThan(100);
    console.log(
      [
        `page, pm june, ${stacks} stacks, 1600x1000, no GPU`,
        `first view on screen  ${(first / 1000).toFixed(2)} s (we allow 1.5), ${(bytes / 1024).toFixed(0)} KB in all (we allow 300)`,
        `pan                   ${pan.mean.toFixed(1)} ms a frame, worst ${pan.worst.toFixed(0)} (we allow 20)`,
        `zoom                  ${zoom.mean.toFixed(1)} ms a frame, worst ${zoom.worst.toFixed(0)}`,
      ].join('\n'),
    );
    await context.close();
    await fresh.close();
  });
});
