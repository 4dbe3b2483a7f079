/** Bundles `npm run motion` into dist-bench/motion.mjs: as a plain module the judge takes half the time. */

import { join } from 'node:path';
import { build } from 'vite';

await build({
  configFile: false,
  root: join(import.meta.dirname, '../..'),
  logLevel: 'error',
  publicDir: false,
  ssr: { noExternal: true, external: ['puppeteer', 'webgpu'] },
  build: {
    ssr: 'bench/motion.ts',
    outDir: 'dist-bench',
    target: 'node20',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'motion.mjs' } },
  },
});
