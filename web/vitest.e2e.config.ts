import { defineConfig } from 'vitest/config';

// Real browser, real binary: one file after the other, for the sake of small machines.
export default defineConfig({
  test: {
    environment: 'node',
    include: [process.env.SPEED ? 'e2e/**/*.speed.ts' : 'e2e/**/*.test.ts'],
    fileParallelism: false,
    // Generous, for machines under load: what is waited for comes, or the test fails by what the page shows.
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
