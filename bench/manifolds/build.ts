/** Bundles `npm run manifolds` into dist-bench/manifolds.mjs: as a plain module the reference takes half the time. */

import { join } from 'node:path';
import { build } from 'vite';

await build({
  configFile: false,
  root: join(import.meta.dirname, '../..'),
  logLevel: 'error',
  publicDir: false,
  ssr: { noExternal: true, external: ['puppeteer', 'webgpu', 'vite'] },
  build: {
    ssr: 'bench/manifolds/main.ts',
    outDir: 'dist-bench',
    target: 'node20',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'manifolds.mjs' } },
  },
});
