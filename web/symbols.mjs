// Makes src/counter/symbols.ts: the NATO symbol of every kind of unit, drawn by milsymbol at build time, so that the
// page ships a few kilobytes of paths and not the library. Run `npm run symbols` after adding a kind.

import { writeFileSync } from 'node:fs';
import ms from 'milsymbol';

const KINDS = {
  infantry: 'SFGPUCI---',
  rifle: 'SFGPUCI---',
  panzer: 'SFGPUCA---',
  tank: 'SFGPUCA---',
  armour: 'SFGPUCA---',
  motorized: 'SFGPUCIM--',
  motorised: 'SFGPUCIM--',
  mechanized: 'SFGPUCIZ--',
  mountain: 'SFGPUCIO--',
  light: 'SFGPUCIL--',
  parachute: 'SFGPUCIA--',
  airlanding: 'SFGPUCIS--',
  cavalry: 'SFGPUCRC--',
  recon: 'SFGPUCRVA-',
  flak: 'SFGPUCD---',
  siege: 'SFGPUCF---',
  artillery: 'SFGPUCF---',
  assaultgun: 'SFGPUCFHE-',
  antitank: 'SFGPUCAA--',
  engineer: 'SFGPUCE---',
  naval: 'SFGPUCIN--',
  security: 'SFGPUCS---',
  supply: 'SFGPUS----',
  hq: 'SFGPUH----',
  air: 'SFGPUCVF--',
};

/** Kinds that NATO has no plain sign for: the infantry sign with a mark of the hobby's own. */
const MARKED = {
  static: '<path d="M25,138 h150" stroke="currentColor" stroke-width="6" fill="none"/>',
  fortress: '<path d="M60,50 v-9 h20 v9 h20 v-9 h20 v9 h20 v-9" stroke="currentColor" stroke-width="5" fill="none"/>',
  machinegun: '<path d="M100,62 v76 M88,76 l12,-14 12,14" stroke="currentColor" stroke-width="5" fill="none"/>',
  militia: '<path d="M100,112 v32" stroke="currentColor" stroke-width="6" fill="none"/>',
  bicycle: '<circle cx="100" cy="138" r="9" stroke="currentColor" stroke-width="4" fill="none"/>',
  partisan: '<path d="M86,142 l14,-24 14,24 z" stroke="currentColor" stroke-width="4" fill="none"/>',
  unknown: '',
};

/** One stroke of a sign: a path, a disc or a word; `w` is the width of its line, `f` whether it is filled. */
function strokes(svg) {
  const out = [];
  const plain = svg.replace(/<\/?svg[^>]*>/g, '');
  // Groups only shift and shrink; what lies in them is drawn where they put it.
  let [k, dx, dy] = [1, 0, 0];
  const kept = [];
  for (const [, close, tag, rest, word] of plain.matchAll(/<(\/?)(\w+)([^>]*)>(?:([^<]+)<\/text>)?/g)) {
    if (tag === 'g') {
      if (close) [k, dx, dy] = kept.pop();
      else {
        kept.push([k, dx, dy]);
        const [, x, y] = rest.match(/translate\(([-\d.]+),([-\d.]+)\)/) ?? [0, 0, 0];
        [dx, dy] = [dx + k * Number(x), dy + k * Number(y)];
        k *= Number(rest.match(/scale\(([-\d.]+)\)/)?.[1] ?? 1);
      }
      continue;
    }
    if (close) continue;
    const of = Object.fromEntries([...rest.matchAll(/([\w-]+)="([^"]*)"/g)].map((m) => [m[1], m[2]]));
    const w = of.stroke === 'none' ? 0 : Number(of['stroke-width'] ?? 0) * k;
    const f = of.fill !== 'none';
    const at = (x, y) => [Number(x) * k + dx, Number(y) * k + dy];
    if (tag === 'path' && k === 1 && !dx && !dy) out.push({ d: of.d, w, f });
    else if (tag === 'circle') out.push({ c: [...at(of.cx, of.cy), Number(of.r) * k], w, f });
    else if (tag === 'text') out.push({ t: word.trim(), c: [...at(of.x, of.y), Number(of['font-size']) * k], w: 0, f: true });
    else throw new Error(`${tag} in a sign: ${svg}`);
  }
  return out;
}

function sign(sidc) {
  const symbol = new ms.Symbol(sidc, { size: 40, fill: false, monoColor: 'currentColor', strokeWidth: 5 });
  if (!symbol.isValid()) throw new Error(`milsymbol does not know ${sidc}`);
  return strokes(symbol.asSVG());
}

const out = Object.fromEntries(Object.entries(KINDS).map(([kind, sidc]) => [kind, sign(sidc)]));
for (const [kind, mark] of Object.entries(MARKED)) {
  out[kind] = kind === 'unknown' ? sign('SFGPU-----') : [...sign('SFGPUCI---'), ...strokes(mark)];
}

// Strokes and not pictures: a counter is drawn on a canvas of its own, hundreds of them in one frame.
writeFileSync(
  new URL('./src/counter/symbols.ts', import.meta.url),
  `// Made by symbols.mjs with milsymbol (MIT); do not edit.\n\n/** One stroke of a sign: a path, a disc or a word. */\n` +
    `export interface Stroke {\n  d?: string;\n  c?: number[];\n  t?: string;\n  /** The width of its line. */\n  w: number;\n  /** Whether it is filled. */\n  f: boolean;\n}\n\n` +
    `/** The sign of each kind of unit, within 19 to 181 by 36 to 162. */\n` +
    `export const SIGNS: Record<string, Stroke[]> = {\n${Object.entries(out)
      .map(([kind, list]) => `  ${kind}: ${JSON.stringify(list)},\n`)
      .join('')}};\n`,
);
