/**
 * Bundles `npm run accuracy:plane` into dist-bench/accuracy-plane.mjs: as a plain module the oracle takes half the
 * time.
 */

import { join } from 'node:path';
import { build } from 'vite';

await build({
  configFile: false,
  root: join(import.meta.dirname, '../..'),
  logLevel: 'error',
  publicDir: false,
  ssr: { noExternal: true, external: ['puppeteer', 'webgpu', 'vite'] },
  build: {
    ssr: 'bench/plane/main.ts',
    outDir: 'dist-bench',
    target: 'node20',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'accuracy-plane.mjs' } },
  },
});
