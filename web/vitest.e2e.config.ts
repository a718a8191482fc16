import { defineConfig } from 'vitest/config';

// Real browser, real binary: one file after the other, for the sake of small machines.
export default defineConfig({
  test: {
    environment: 'node',
    include: [process.env.SPEED ? 'e2e/**/*.speed.ts' : 'e2e/**/*.test.ts'],
    fileParallelism: false,
    // The dice are fair, so each run is another game, and the hands that play it know few of the cases: once in some
    // runs they wait for a click that did nothing. A second game tells that from a fault of the page.
    retry: 2,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
