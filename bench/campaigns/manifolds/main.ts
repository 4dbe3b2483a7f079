/**
 * Manifolds where much depends on little: pairs with shapes of next to no width, contacts of many corners, and bodies
 * that tremble by 1e-5 of their size.
 *
 *     npm run manifolds -- [--pairs 10000] [--arrangements 500] [--frames 1000] [--contacts 10000] [--engines
 *     cpu,dawn,chrome] [--seed 1]
 *
 * `bench/campaigns/manifolds/build.ts` bundles it first. Prints a line per engine and measure; exits with 1 if a sliver's
 * manifold or an area is wrong, or if more than 1 % of the arrangements or of the lone points change.
 */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePage } from '../../../scripts/bundle.ts';
import { launchBrowser } from '../../../verification/engines/launch.ts';
import { createTester } from '../../../src/node.ts';
import { serve } from '../../../verification/engines/static-server.ts';
import { measureChunk, chunksOf, type Found, type Chunk } from './chunks.ts';

/** A chunk on a software GPU may take minutes. */
const TIMEOUT_MS = 900_000;

// Dozens of kernels run for few pairs each: lavapipe is done in a third of the time where LLVM leaves them as they are.
process.env.GALLIVM_PERF ??= 'nopt';
process.env.LP_NATIVE_VECTOR_WIDTH ??= '128';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10000' },
    arrangements: { type: 'string', default: '500' },
    frames: { type: 'string', default: '1000' },
    contacts: { type: 'string', default: '10000' },
    engines: { type: 'string', default: 'cpu,dawn,chrome' },
    seed: { type: 'string', default: '1' },
  },
});
const sizes = {
  pairs: Number(values.pairs),
  arrangements: Number(values.arrangements),
  frames: Number(values.frames),
  contacts: Number(values.contacts),
};
const start = performance.now();
let isWrong = false;
for (const engine of values.engines.split(',')) {
  const { measure, close } = await openEngine(engine);
  const rows = new Map<string, Found[]>();
  for (const chunk of chunksOf(sizes, Number(values.seed))) {
    const found = await measure(chunk);
    rows.set(found.name, [...(rows.get(found.name) ?? []), found]);
  }
  for (const [name, found] of rows) tell(engine, name, found);
  await close();
}
process.exit(isWrong ? 1 : 0);

function tell(engine: string, name: string, found: Found[]): void {
  const total = found.reduce((sum, row) => sum + row.total, 0);
  const wrong = found.reduce((sum, row) => sum + row.wrong, 0);
  const allowed = name.includes('change') ? 0.01 * total : 0;
  isWrong ||= wrong > allowed;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    `${seconds} s  ${engine}  ${name}: ${wrong} of ${total}; ${found.map(({ facts }) => facts).join(' | ')} ` +
      `${found.find(({ example }) => example !== '')?.example ?? ''}`,
  );
}

async function openEngine(name: string): Promise<{ measure(chunk: Chunk): Promise<Found>; close(): Promise<void> }> {
  if (name === 'cpu' || name === 'dawn') {
    const tester = await createTester({ backend: name === 'cpu' ? 'cpu' : 'webgpu' });
    return { measure: (chunk) => measureChunk(tester, chunk), close: async () => tester.dispose() };
  }
  if (name !== 'chrome' && name !== 'firefox')
    throw new Error(`--engines has ${JSON.stringify(name)}, expected some of cpu, dawn, chrome, firefox`);
  const index =
    '<!doctype html><meta charset="utf-8"><title>manifolds</title><script type="module" src="/page.js"></script>';
  const server = await serve(
    {},
    {
      '/index.html': index,
      '/page.js': await bundlePage(join(import.meta.dirname, '../bench/campaigns/manifolds/page.ts')),
    },
  );
  const browser = await launchBrowser(name, 'software', TIMEOUT_MS);
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`${name}: ${error}`));
  await page.goto(`${server.origin}/`);
  await page.waitForFunction(() => 'manifolds' in window, { timeout: 60_000 });
  return {
    measure: (chunk) =>
      page.evaluate(
        (given) =>
          (window as unknown as { manifolds: { measure(chunk: Chunk): Promise<Found> } }).manifolds.measure(given),
        chunk,
      ),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
