/** The bench page in headless Chrome without WebGPU: a case has a rate. test/night/demos/ has the rest. */

import { expect, test } from 'vitest';
import { choose, expectRates, run } from './bench-page.ts';
import { openDemoPages } from './demo-pages.ts';
import { faults, textOf } from './page-tools.ts';
import { hideWorkerGpu, inWorkers } from './in-workers.ts';

const CASES = ['rectangles/distances'];

test("without WebGPU in the browser's workers the CPU backend is measured, and the page says so", async () => {
  const demos = await openDemoPages('webgl');
  const { page, complaints } = await demos.open('bench', { before: inWorkers(hideWorkerGpu) });
  expect(await textOf(page, '#notices')).toMatch(
    /Measured on the CPU, with fewer pairs\s+There is no WebGPU in this browser's workers/,
  );
  await choose(page, CASES, 256);
  await expectRates(page, await run(page), 'cpu', CASES, 256);
  expect(faults(complaints)).toEqual([]);
  await demos.close();
});
