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

function paths(sidc) {
  const symbol = new ms.Symbol(sidc, { size: 40, fill: false, monoColor: 'currentColor', strokeWidth: 5 });
  if (!symbol.isValid()) throw new Error(`milsymbol does not know ${sidc}`);
  const svg = symbol.asSVG();
  return svg.replace(/^<svg[^>]*>/, '').replace(/<\/svg>$/, '').replace(/ fill-opacity="1"/g, '');
}

const out = Object.fromEntries(Object.entries(KINDS).map(([kind, sidc]) => [kind, paths(sidc)]));
for (const [kind, mark] of Object.entries(MARKED)) {
  out[kind] = kind === 'unknown' ? paths('SFGPU-----') : paths('SFGPUCI---') + mark;
}

// One <symbol> for each kind, so that six hundred counters point at a few dozen drawings.
const all = Object.entries(out).map(([kind, svg]) => `<symbol id="sym-${kind}" viewBox="19 36 162 126">${svg.replace(/ ><\/path>/g, '/>')}</symbol>`);
writeFileSync(
  new URL('./src/counter/symbols.ts', import.meta.url),
  `// Made by symbols.mjs with milsymbol (MIT); do not edit.\n\n/** The kinds that have a symbol. */\n` +
    `export const KINDS = new Set(${JSON.stringify(Object.keys(out))});\n\n/** The symbols, to be put into the page once. */\n` +
    `export const SPRITE = ${JSON.stringify(all.join(''))};\n`,
);
