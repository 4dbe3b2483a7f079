/** Runs a TypeScript program of this repository: `node scripts/run-ts.mjs bench/campaigns/accuracy.ts --pairs 20000`. */
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

const [, , program, ...rest] = process.argv;
process.argv = [process.argv[0], resolve(program), ...rest];
await runnerImport(resolve(program), { logLevel: 'error', configFile: false });
