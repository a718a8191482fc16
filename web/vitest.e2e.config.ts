import { defineConfig } from 'vitest/config';

// Real browser, real binary: one file after the other, for the sake of small machines.
export default defineConfig({
  test: {
    environment: 'node',
    include: [process.env.SPEED ? 'e2e/**/*.speed.ts' : 'e2e/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 60_000,
  },
});
