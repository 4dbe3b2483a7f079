/** Serves and builds the demo pages. They import the package by its name, as a user's program would. */

import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path('.'),
  // Addresses are relative, so that the built pages work from any folder of any server.
  base: './',
  // The scenes are served beside the demos' folders: `heap.json` is at `../heap.json` for `heap/index.html`.
  publicDir: path('../scenes'),
  resolve: { alias: { narrowphase: path('../src/index.ts') } },
  // A missing scene must give a 404, not the start page.
  appType: 'mpa',
  server: { fs: { allow: [path('..')] } },
  build: {
    target: 'es2022',
    outDir: path('../dist-demos'),
    emptyOutDir: true,
    // three.js alone is more than Vite's default limit of 500 kB.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { input: [path('index.html'), path('heap/index.html')] },
  },
});
