import { defineConfig } from 'vitest/config';
import { svelte } from '@sveltejs/vite-plugin-svelte';

// `npm run dev` talks to a server started with `verst serve --addr 127.0.0.1:4141`.
export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ['browser'] },
  build: { target: 'es2022', outDir: 'dist', sourcemap: false },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:4141', ws: true } } },
  preview: { proxy: { '/api': { target: 'http://127.0.0.1:4141', ws: true } } },
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'] },
});
