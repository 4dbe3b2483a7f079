/**
 * Where src/cpu/threads/spawn.ts finds its worker. The built package names the file in the form that its users'
 * bundlers look for, `new Worker(new URL('../cpu-worker.js', import.meta.url))`, relative to the chunk that says so.
 * Vite's own handling would mark the address as one that bundlers leave alone. In tests in Node the worker is bundled
 * from the sources, as Node 20 loads no TypeScript.
 */

import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const WORKER = fileURLToPath(new URL('../src/cpu/threads/worker.ts', import.meta.url));
const NAME = 'cpu-worker';

/** Stands for the address until it is known what chunk it is in. */
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

/** The worker and all that it imports as an address of its own. */
async function bundleWorker(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, target: 'node20', minify: false, lib: { entry: WORKER, formats: ['es'], fileName: NAME } },
  });
  const [{ output }] = result as Extract<typeof result, unknown[]>;
  return `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`;
}
