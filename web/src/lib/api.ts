// Documents over HTTP. Every fault becomes an Error whose message is the server's sentence.

import type { Board, Chart, GameInfo, Line, LuckLedger, Match, Me, NewMatch, OverlayInfo, Stats, View } from './protocol';

let csrf = '';

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {};
  if (method !== 'GET') headers['x-verst-csrf'] = csrf;
  let payload: string | undefined;
  if (typeof body === 'string') {
    headers['content-type'] = 'text/plain; charset=utf-8';
    payload = body;
  } else if (body !== undefined) {
    headers['content-type'] = 'application/json';
    payload = JSON.stringify(body);
  }
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, body: payload ?? null, credentials: 'same-origin' });
  } catch {
    throw new Error('The server does not answer. Is it running?');
  }
  if (!answer.ok) {
    const fault = await answer.json().catch(() => null);
    throw new Error(fault?.error?.why ?? `The server answered ${answer.status}.`);
  }
  if (answer.status === 204) return undefined as T;
  const text = await answer.text();
  return (answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text) as T;
}

/** Documents that stay as they are while the server runs: asked for once. */
const kept = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  let asked = kept.get(path) as Promise<T> | undefined;
  if (!asked) {
    asked = ask<T>('GET', path);
    kept.set(path, asked);
    asked.catch(() => kept.delete(path));
  }
  return asked;
}

export const api = {
  async me(): Promise<Me> {
    const me = await ask<Me>('GET', '/api/me');
    csrf = me.csrf;
    return me;
  },
  async sign(how: 'login' | 'register' | 'logout', body?: object): Promise<Me> {
    const me = await ask<Me>('POST', `/api/account/${how}`, body ?? {});
    csrf = me.csrf;
    return me;
  },
  settings: () => ask<{ email?: string; webhook?: string; notices: string }>('GET', '/api/account/settings'),
  saveSettings: (body: object) => ask<object>('PUT', '/api/account/settings', body),
  games: () => ask<GameInfo[]>('GET', '/api/games'),
  game: (id: string) => once<GameInfo>(`/api/games/${id}`),
  charts: (id: string, overlay = '') => ask<Chart[]>('GET', `/api/games/${id}/charts${overlay ? `?overlay=${overlay}` : ''}`),
  board: (id: string, palette: string, overlay = '') =>
    once<Board>(`/api/games/${id}/board?palette=${palette}${overlay ? `&overlay=${overlay}` : ''}`),
  overlays: (id: string) => ask<OverlayInfo[]>('GET', `/api/games/${id}/overlays`),
  lookOverlay: (id: string, path: string) => ask<OverlayInfo>('POST', `/api/games/${id}/overlays`, { path }),
  opponents: () => ask<{ id: string; name: string; about: string; seconds: number | null }[]>('GET', '/api/opponents'),
  matches: () => ask<Match[]>('GET', '/api/matches'),
  match: (id: string) => ask<Match>('GET', `/api/matches/${id}`),
  start: (body: NewMatch) => ask<Match>('POST', '/api/matches', body),
  remove: (id: string) => ask<void>('DELETE', `/api/matches/${id}`),
  invite: (id: string, seat: string) => ask<{ link: string }>('POST', `/api/matches/${id}/invite`, { seat }),
  join: (token: string) => ask<Match>('POST', `/api/join/${token}`, {}),
  rematch: (id: string, swap: boolean) => ask<Match>('POST', `/api/matches/${id}/rematch`, { swap }),
  notes: (id: string) => ask<{ text: string }>('GET', `/api/matches/${id}/notes`),
  saveNotes: (id: string, text: string) => ask<object>('PUT', `/api/matches/${id}/notes`, { text }),
  view: (id: string, step: number, eyes?: string) =>
    ask<{ step: number; steps: number; view: View; order: string | null }>(
      'GET',
      `/api/matches/${id}/view?step=${step}${eyes ? `&eyes=${eyes}` : ''}`,
    ),
  story: (id: string, eyes?: string) =>
    ask<Line[]>('GET', `/api/matches/${id}/story${eyes ? `?eyes=${eyes}` : ''}`),
  stats: (id: string) => ask<Stats>('GET', `/api/matches/${id}/stats`),
  luck: (id: string) => ask<LuckLedger>('GET', `/api/matches/${id}/luck`),
  journal: (id: string) => ask<string>('GET', `/api/matches/${id}/journal`),
  situation: (id: string, step: number) => ask<string>('GET', `/api/matches/${id}/situation?step=${step}`),
  importJournal: (text: string) => ask<Match>('POST', '/api/matches/import', text),
};
