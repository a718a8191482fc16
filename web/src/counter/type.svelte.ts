// The type of the counters' figures: until it is here they are drawn with another, then once more.

class Type {
  ready = $state(false);

  constructor() {
    const fonts = globalThis.document?.fonts;
    const mine = "700 20px 'Barlow Semi Condensed'";
    if (!fonts) return;
    fonts.load(mine).then(
      () => (this.ready = true),
      () => {},
    );
  }
}

export const type = new Type();
