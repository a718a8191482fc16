// What a match's address already tells is asked for while the screen that shows it is still on its way.

import { api } from './api';
import type { Match } from './protocol';

const asked = new Map<string, Promise<Match>>();
/** Pictures on their way: held, so that the browser keeps them until the map shows them. */
let pictures: HTMLImageElement[] = [];

/** The match of an address; what was asked for ahead is used once, for it grows old. */
export function matchOf(id: string): Promise<Match> {
  const ahead = asked.get(id);
  asked.delete(id);
  // Asked for before one had signed in, it may have been refused.
  return ahead?.catch(() => api.match(id)) ?? api.match(id);
}

/** Asks for the match of an address, its game, its board and the pictures of its map. */
export async function lookAhead(id: string, palette: string, hidden: string[]): Promise<void> {
  const match = api.match(id);
  asked.set(id, match);
  try {
    const { game, overlay } = await match;
    void api.game(game).catch(() => {});
    const board = await api.board(game, palette, overlay?.digest ?? '');
    // Hex numbers come when they are first to be read.
    pictures = board.layers.filter((l) => l.id !== 'numbers' && !hidden.includes(l.id)).map((l) => {
      const picture = new Image();
      picture.src = l.url;
      return picture;
    });
    setTimeout(() => (pictures = []), 20_000);
  } catch {
    // Whoever shows the match asks himself and says what is wrong.
  }
}
