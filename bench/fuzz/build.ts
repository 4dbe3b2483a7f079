/** Bundles `npm run fuzz` into dist-bench/fuzz.mjs, which runs itself again in processes of its own. */

import { join } from 'node:path';
import { build } from 'vite';

await build({
  configFile: false,
  root: join(import.meta.dirname, '../..'),
  logLevel: 'error',
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: 'bench/fuzz.ts',
    outDir: 'dist-bench',
    target: 'node20',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'fuzz.mjs' } },
  },
});
