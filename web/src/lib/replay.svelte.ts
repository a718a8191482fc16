// Looking back: the position after any choice, by slider or running by itself.

import { api } from './api';
import type { Eyes, View } from './protocol';

export class Replay {
  step = $state(0);
  steps = $state(0);
  view = $state.raw<View | null>(null);
  order = $state<string | null>(null);
  running = $state(false);
  /** Choices a second. */
  speed = $state(4);
  fault = $state('');
  private timer: ReturnType<typeof setTimeout> | undefined;
  private kept = new Map<string, { view: View; order: string | null }>();
  private over = false;

  constructor(
    readonly match: string,
    public eyes: Eyes | undefined,
    from: number,
    /** Where a run ends by itself. */
    private readonly until: number,
    private readonly ended: () => void = () => {},
  ) {
    this.steps = until;
    void this.go(from);
  }

  async go(step: number): Promise<void> {
    this.step = Math.max(0, Math.min(step, this.steps));
    const at = this.step;
    const eyes = this.eyes;
    const key = `${eyes} ${at}`;
    try {
      let got = this.kept.get(key);
      if (!got) {
        const answer = await api.view(this.match, at, eyes);
        got = { view: answer.view, order: answer.order };
        this.steps = Math.max(this.steps, answer.steps);
        if (this.kept.size > 60) this.kept.clear();
        this.kept.set(key, got);
      }
      if (at === this.step && eyes === this.eyes && !this.over) {
        this.view = got.view;
        this.order = got.order;
        this.fault = '';
      }
    } catch (e) {
      this.fault = (e as Error).message;
      this.pause();
    }
  }

  look(eyes: Eyes): void {
    this.eyes = eyes;
    void this.go(this.step);
  }

  run(): void {
    if (this.step >= this.until) void this.go(0);
    this.running = true;
    this.tick();
  }

  pause(): void {
    this.running = false;
    clearTimeout(this.timer);
  }

  close(): void {
    this.over = true;
    this.pause();
  }

  private tick(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (!this.running) return;
      await this.go(this.step + 1);
      if (this.step >= this.until) {
        this.pause();
        this.ended();
      } else this.tick();
    }, 1000 / this.speed);
  }
}
