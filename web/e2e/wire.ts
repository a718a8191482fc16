// A wire between a browser and the server that can be cut: what is in it is lost, and nobody is told.

import { createServer, connect, type Server as Net, type Socket } from 'node:net';

export class Cable {
  url = '';
  private readonly net: Net;
  private readonly ends = new Set<Socket>();
  private down = false;
  private deaf = false;

  constructor(private readonly to: () => string) {
    this.net = createServer((near) => {
      if (this.down) return void near.destroy();
      const { hostname, port } = new URL(this.to());
      const far = connect(Number(port), hostname);
      for (const [a, b] of [[near, far], [far, near]] as const) {
        this.ends.add(a);
        // A deaf wire carries what the page says and loses what the server answers.
        a.on('data', (chunk) => void (this.down || (this.deaf && a === far) || b.write(chunk)));
        a.on('error', () => b.destroy());
        a.on('close', () => {
          this.ends.delete(a);
          b.destroy();
        });
      }
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => this.net.listen(0, '127.0.0.1', done));
    const address = this.net.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    return this.url;
  }

  /** Loses every answer from now on, so that the page cannot know whether its choice arrived. */
  deafen(): void {
    this.deaf = true;
  }

  cut(): void {
    this.down = true;
    for (const end of this.ends) end.destroy();
  }

  mend(): void {
    this.down = false;
    this.deaf = false;
  }

  async end(): Promise<void> {
    this.cut();
    await new Promise<void>((done) => this.net.close(() => done()));
  }
}
