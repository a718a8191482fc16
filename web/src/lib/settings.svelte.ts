// What a person prefers, kept in this browser.

const KEY = 'verst';

class Settings {
  dark = $state(false);
  plain = $state(false);
  /** A map whose colours every eye can tell apart. */
  safe = $state(false);
  minimap = $state(true);
  guide = $state(true);
  /** Layers of the map that are not drawn. */
  hidden = $state<string[]>([]);

  constructor() {
    this.dark = globalThis.matchMedia?.('(prefers-color-scheme: dark)').matches ?? false;
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
      for (const flag of ['dark', 'plain', 'safe', 'minimap', 'guide'] as const) {
        if (typeof kept[flag] === 'boolean') this[flag] = kept[flag];
      }
      if (Array.isArray(kept.hidden)) this.hidden = kept.hidden.filter((x) => typeof x === 'string');
    } catch {
      // Nothing kept, or nonsense: the defaults stand.
    }
  }

  get palette(): string {
    return this.safe ? 'colour-blind' : this.dark ? 'dark' : 'light';
  }

  toggleLayer(id: string): void {
    this.hidden = this.hidden.includes(id) ? this.hidden.filter((x) => x !== id) : [...this.hidden, id];
    this.keep();
  }

  keep(): void {
    const { dark, plain, safe, minimap, guide, hidden } = this;
    try {
      localStorage.setItem(KEY, JSON.stringify({ dark, plain, safe, minimap, guide, hidden }));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }
}

export const settings = new Settings();
