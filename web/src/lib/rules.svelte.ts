// Our short wording of the rules of the game on the screen, and which one is open.

import type { GameInfo } from './protocol';

class Rules {
  private byNumber = new Map<string, string>();
  shown = $state<string | null>(null);

  use(info: GameInfo): void {
    this.byNumber = new Map(info.rules.map((r) => [r.rule, r.text]));
  }

  text(rule: string): string | undefined {
    return this.byNumber.get(rule);
  }

  open(rule: string): void {
    this.shown = rule;
  }

  close(): void {
    this.shown = null;
  }
}

export const rules = new Rules();
