/** Serves and builds the demo pages. They import the package by its name, as a user's program would. */

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { gpuReportsPlugin } from '../scripts/gpu-reports-plugin.ts';
import { completePages } from './complete-pages.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The start page and the page of every demo. */
const pages = ['.', ...readdirSync(path('.'))]
  .map((folder) => path(`${folder}/index.html`))
  .filter((page) => existsSync(page));

export default defineConfig({
  root: path('.'),
  // Addresses are relative, so that the built pages work from any folder of any server.
  base: './',
  publicDir: false,
  resolve: {
    alias: [
      { find: /^narrowphase$/, replacement: path('../src/index.ts') },
      { find: /^narrowphase\/(cpu|wgsl)$/, replacement: `${path('../src')}/$1.ts` },
    ],
  },
  plugins: [completePages(), gpuReportsPlugin()],
  // Workers import modules that are split off, such as the reader of glTF.
  worker: { format: 'es' },
  // A missing page must give a 404, not the start page.
  appType: 'mpa',
  server: { fs: { allow: [path('..')] } },
  build: {
    target: 'es2022',
    outDir: path('../dist-demos'),
    emptyOutDir: true,
    // three.js alone is more than Vite's default limit of 500 kB.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { input: pages },
  },
});
