// The real binary, the real page in it, and Debian's Chromium.

import AxeBuilder from '@axe-core/playwright';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '../..');
export const SCREENS = join(ROOT, 'docs/screens');

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

/** The binary under test: VERST, else the debug build of this workspace. */
export function binary(): string {
  const path = process.env.VERST ?? join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'debug/verst');
  if (!existsSync(path)) throw new Error(`${path} is not there: run cargo build -p verst first, or set VERST`);
  return path;
}

export class Server {
  url = '';
  private process: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), 'verst-e2e-'));

  constructor(private readonly args: string[] = []) {}

  /** Starts it, or starts it again at the same address with the same store. */
  async start(): Promise<string> {
    const addr = this.url ? this.url.replace('http://', '') : '127.0.0.1:0';
    const child = spawn(binary(), ['serve', '--addr', addr, '--store', join(this.folder, 'store.sqlite'), ...this.args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process = child;
    let said = '';
    this.url = await new Promise<string>((done, fail) => {
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
        const found = said.match(/serves at (http:\/\/[\d.:]+)/);
        if (found) done(found[1]!);
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.on('exit', (code) => fail(new Error(`verst serve ended with ${code}: ${said}`)));
    });
    return this.url;
  }

  /** Ends it at once, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.process;
    this.process = null;
    if (!child || child.exitCode !== null) return;
    await new Promise<void>((done) => {
      child.once('exit', () => done());
      child.kill('SIGKILL');
    });
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function browser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS, headless: true });
}

/** A server and a browser for the tests of a file, started before them and ended after. */
export class Table {
  readonly server: Server;
  chrome!: Browser;

  constructor(args: string[] = []) {
    this.server = new Server(args);
    beforeAll(async () => {
      await this.server.start();
      this.chrome = await browser();
    });
    afterAll(async () => {
      await this.chrome?.close();
      await this.server.end();
    });
  }

  /** A person sits down: a window of his own, at an address of the server. */
  async sit(options: BrowserContextOptions = {}, path = '/'): Promise<Watched> {
    const context = await this.chrome.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    return open(context, this.server.url + path);
  }
}

export type Watched = Page & { faults: string[] };

/** The person gets up; his page must have said nothing in the console. */
export async function leave(...pages: Watched[]): Promise<void> {
  const faults = pages.flatMap((p) => p.faults);
  await Promise.all(pages.map((p) => p.context().close()));
  if (faults.length) throw new Error(`the page had faults: ${faults.join('; ')}`);
}

/** A page whose faults in the console fail the test. */
export async function open(context: BrowserContext, url: string): Promise<Watched> {
  const page = (await context.newPage()) as Watched;
  page.faults = [];
  page.on('pageerror', (e) => page.faults.push(String(e)));
  page.on('console', (m) => {
    // A lost server is reported by the browser itself; the page says so in its own words.
    if (m.type() === 'error' && !/ERR_CONNECTION|ERR_INTERNET|WebSocket connection|Failed to load resource/.test(m.text())) page.faults.push(m.text());
  });
  page.setDefaultTimeout(40_000);
  await page.goto(url);
  return page;
}

/** axe finds no serious fault on what the page shows now; `without` spares it hundreds of counters all made alike. */
export async function clean(page: Page, without?: string): Promise<void> {
  const axe = new AxeBuilder({ page });
  const found = await (without ? axe.exclude(without) : axe).analyze();
  const grave = found.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  if (grave.length) throw new Error(grave.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' // ')}`).join('\n'));
}

/** Waits until the map's pictures are drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelectorAll('img.layer').length > 0);
  await page.evaluate(async () => {
    await Promise.all([...document.querySelectorAll<HTMLImageElement>('img.layer')].map((i) => i.decode().catch(() => {})));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}

export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENS, { recursive: true });
  // Hex numbers and the ground of the small map come after the map itself.
  await page.waitForTimeout(900);
  await page.screenshot({ path: join(SCREENS, `${name}.png`) });
}

/** The number of the question that the page shows. */
export async function prompt(page: Page): Promise<string> {
  return (await page.locator('[aria-label="Question"] .prompt').innerText()).replace(/\s+/g, ' ').trim();
}

/** Waits until the page has heard the answer to what was just done. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[aria-label="Question"][data-busy="true"]').waitFor({ state: 'detached' });
}

export interface Wanted {
  game: string;
  /** By its id. */
  scenario?: string;
  side?: 'one' | 'two';
  /** A program's id, `me` or `open`. */
  against?: string;
}

/** Chooses a game on the start screen, as a player does. */
export async function choose(page: Page, { game, scenario, side, against }: Wanted): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Game', exact: true }).getByRole('radio', { name: game, exact: true }).click();
  if (scenario) await page.locator(`input[name="scenario"][value="${scenario}"]`).check();
  if (side) await page.locator(`input[name="side"][value="${side}"]`).check();
  if (against) await page.getByLabel('Against', { exact: true }).selectOption(against);
}

/** Chooses a game on the start screen and begins it. */
export async function startGame(page: Page, wanted: Wanted): Promise<void> {
  await choose(page, wanted);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
}

/** Makes a match by the server's own route and opens it. */
export async function begin(page: Page, body: Record<string, unknown>, shows = '.stack'): Promise<string> {
  const id = await page.evaluate(async (body) => {
    const me = await (await fetch('/api/me')).json();
    const answer = await fetch('/api/matches', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-verst-csrf': me.csrf },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const match = await answer.json();
    location.hash = `#/m/${match.id}`;
    return match.id as string;
  }, body);
  await page.locator(shows).first().waitFor();
  return id;
}
