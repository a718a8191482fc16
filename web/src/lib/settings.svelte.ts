// What a person prefers, kept in this browser.

const KEY = 'verst';

interface Kept {
  dark: boolean;
  plain: boolean;
  numbers: boolean;
}

function load(): Kept {
  const dark = matchMedia?.('(prefers-color-scheme: dark)').matches ?? false;
  try {
    return { dark, plain: false, numbers: true, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { dark, plain: false, numbers: true };
  }
}

class Settings {
  dark = $state(false);
  plain = $state(false);
  numbers = $state(true);

  constructor() {
    Object.assign(this, load());
  }

  keep(): void {
    const { dark, plain, numbers } = this;
    try {
      localStorage.setItem(KEY, JSON.stringify({ dark, plain, numbers }));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }
}

export const settings = new Settings();
