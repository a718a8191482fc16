// Colours of counters by nation, as the hobby has them: paper and ink, each pair with enough contrast to read at a
// glance (4.5 to 1 and better), and told apart by lightness too, not by hue alone.

import type { Side } from '../lib/protocol';

export interface Look {
  paper: string;
  ink: string;
}

const NATIONS: Record<string, Look> = {
  german: { paper: '#a9b29c', ink: '#14170f' },
  ss: { paper: '#26282b', ink: '#f2f2ee' },
  romanian: { paper: '#2d4b82', ink: '#ffffff' },
  hungarian: { paper: '#2f6a46', ink: '#ffffff' },
  italian: { paper: '#9ec48c', ink: '#12210c' },
  spanish: { paper: '#d9b35b', ink: '#241a02' },
  french: { paper: '#8fb0d6', ink: '#0b1a2c' },
  croat: { paper: '#c9a9c4', ink: '#230d20' },
  slovak: { paper: '#b8a9d4', ink: '#180d2c' },
  finnish: { paper: '#d7e3ee', ink: '#0b2036' },
  soviet: { paper: '#a4673f', ink: '#fff4d6' },
  guards: { paper: '#7a1f1a', ink: '#ffffff' },
  blue: { paper: '#5f86b8', ink: '#06101d' },
  red: { paper: '#b8574c', ink: '#fff6f2' },
};

/** German armour is white on black, Soviet armour white on red: what moves fast should catch the eye. */
const FAST = new Set(['panzer', 'tank', 'motorized', 'mechanized', 'assaultgun', 'recon', 'flak']);

export function colours(nation: string, kind: string, side: Side): Look {
  if (nation === 'german' && FAST.has(kind)) return { paper: '#33373a', ink: '#f5f5f0' };
  if (nation === 'soviet') {
    if (kind === 'tank' || kind === 'panzer') return { paper: '#b3261e', ink: '#ffffff' };
    if (kind === 'motorized' || kind === 'mechanized') return { paper: '#d6ac45', ink: '#1f1602' };
    if (kind === 'cavalry') return { paper: '#f0e6d2', ink: '#4b2c12' };
  }
  return NATIONS[nation] ?? (side === 'one' ? NATIONS.blue! : NATIONS.red!);
}
