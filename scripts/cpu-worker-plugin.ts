/**
 * Resolves the worker's address in src/cpu/threads/spawn.ts. The built package has the form that users' bundlers look
 * for, `new Worker(new URL('../cpu-worker.js', import.meta.url))`, relative to the chunk that contains it. Vite's own
 * handling would mark the address as one that bundlers leave alone. For tests in Node the worker is bundled from the
 * sources, since Node 20 can't load TypeScript.
 */

import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const WORKER = fileURLToPath(new URL('../src/cpu/threads/worker.ts', import.meta.url));
const NAME = 'cpu-worker';

/** Stands for the address until its chunk is known. */
const PLACEHOLDER = 'CPU_WORKER_ADDRESS';

/** The worker as an entry of the build. */
export const cpuWorkerEntry = { [NAME]: WORKER };

export function cpuWorker(): Plugin {
  let isBuild = false;
  let bundle: Promise<string> | undefined;
  return {
    name: 'cpu-worker',
    enforce: 'pre',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    transform: {
      filter: { id: /\/src\/cpu\/threads\/spawn\.ts$/ },
      async handler(code) {
        const address = isBuild ? PLACEHOLDER : JSON.stringify(await (bundle ??= bundleWorker()));
        return { code: code.replaceAll("'./worker.ts'", address), map: null };
      },
    },
    renderChunk(code, { fileName }) {
      if (!code.includes(PLACEHOLDER)) return null;
      const address = posix.relative(posix.dirname(fileName), `${NAME}.js`);
      const relative = address.startsWith('.') ? address : `./${address}`;
      return { code: code.replaceAll(PLACEHOLDER, `'${relative}'`), map: null };
    },
  };
}

/** The worker and all its imports as a data address. */
async function bundleWorker(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'node20', minify: false, lib: { entry: WORKER, formats: ['es'], fileName: NAME } },
  });
  const [{ output }] = result as Extract<typeof result, unknown[]>;
  return `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`;
}
