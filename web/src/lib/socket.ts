// One WebSocket for each match. It connects again by itself after a loss, and sends what was not yet acknowledged
// once more with the number of the question it answered, so that no choice is lost or played twice.

import type { FromServer } from './protocol';

export type Link = 'connecting' | 'open' | 'lost' | 'out';

/** The code with which the server ends the connections of a login that signed out. */
const SIGNED_OUT = 4401;

type Waiting = { message: Record<string, unknown>; resolve: (m: FromServer) => void; resend: boolean };

/** Messages whose loss would lose a decision or a unit taken in hand: sent again after a lost connection. */
const DECISIONS = new Set(['play', 'orders', 'undo', 'take', 'preview']);

export class Wire {
  link: Link = 'connecting';
  private socket: WebSocket | null = null;
  private waiting = new Map<string, Waiting>();
  private next = 1;
  private tries = 0;
  private closed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly heard: (m: FromServer) => void,
    private readonly changed: (link: Link) => void,
  ) {
    this.connect();
  }

  /** Sends a message and resolves with the answer that carries its id. */
  ask(message: Record<string, unknown>): Promise<FromServer> {
    const id = `q${this.next++}`;
    const full = { ...message, id };
    return new Promise((resolve) => {
      this.waiting.set(id, { message: full, resolve, resend: DECISIONS.has(String(message.t)) });
      this.send(full);
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.set('open');
    };
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as FromServer);
    socket.onclose = (event) => {
      if (this.closed || this.socket !== socket) return;
      if (event.code === SIGNED_OUT) {
        this.closed = true;
        return this.set('out');
      }
      this.set('lost');
      this.tries += 1;
      this.timer = setTimeout(() => this.connect(), Math.min(5000, 200 * 2 ** Math.min(this.tries, 5)));
    };
  }

  private receive(message: FromServer): void {
    if (message.t === 'state' && message.id === undefined) this.resume();
    const id = message.id === undefined ? undefined : String(message.id);
    this.heard(message);
    if (id !== undefined) {
      this.waiting.get(id)?.resolve(message);
      this.waiting.delete(id);
    }
  }

  /** After a new connection: decisions go out once more; questions about the old position are given up, and said so. */
  private resume(): void {
    for (const [id, w] of this.waiting) {
      if (w.resend) {
        this.send(w.message);
        continue;
      }
      this.waiting.delete(id);
      w.resolve({ t: 'refused', id, n: 0, code: 'lost', why: 'The connection was lost before the answer came.' });
    }
  }

  private set(link: Link): void {
    this.link = link;
    this.changed(link);
  }
}
