/** Runs a TypeScript program of this repository: `node scripts/run-ts.mjs bench/campaigns/accuracy.ts --pairs 20000`. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const [, , program, ...rest] = process.argv;
process.argv = [process.argv[0], resolve(program), ...rest];
const sources = fileURLToPath(new URL('../src', import.meta.url));
await runnerImport(resolve(program), {
  logLevel: 'error',
  configFile: false,
  // Demos import the package by its name.
  resolve: {
    alias: [
      { find: /^narrowphase$/, replacement: `${sources}/index.ts` },
      { find: /^narrowphase\/(cpu|node|wgsl)$/, replacement: `${sources}/$1.ts` },
    ],
  },
});
