import { defineConfig } from 'vitest/config';
import { svelte } from '@sveltejs/vite-plugin-svelte';

/** The screen of a match and its style are fetched together with the page: most addresses lead there. */
const matchAhead = {
  name: 'match-ahead',
  transformIndexHtml: {
    order: 'post' as const,
    handler(_html: string, { bundle }: { bundle?: Record<string, { name?: string; fileName: string }> }) {
      const files = Object.values(bundle ?? {}).map((f) => f.fileName).filter((f) => /PlayScreen-[\w-]+\.(js|css)$/.test(f));
      return files.map((f) => ({
        tag: 'link',
        attrs: f.endsWith('.js') ? { rel: 'modulepreload', crossorigin: true, href: `/${f}` } : { rel: 'preload', as: 'style', crossorigin: true, href: `/${f}` },
        injectTo: 'head' as const,
      }));
    },
  },
};

// `npm run dev` talks to a server started with `verst serve --addr 127.0.0.1:4141`.
export default defineConfig({
  plugins: [svelte(), matchAhead],
  resolve: { conditions: ['browser'] },
  build: { target: 'es2022', outDir: 'dist', sourcemap: false },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:4141', ws: true } } },
  preview: { proxy: { '/api': { target: 'http://127.0.0.1:4141', ws: true } } },
  test: { environment: 'jsdom', include: ['src/**/*.test.ts'] },
});
