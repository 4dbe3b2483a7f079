/** The bench page in headless Chrome: a case has a rate and right answers, on WebGPU and without it. */

import { expect, test } from 'vitest';
import { CASES as ALL_CASES } from '../../verification/gpu-cases/cases.ts';
import { choose, COMPARED, expectRates, run } from './bench-page.ts';
import { openDemoPages } from './demo-pages.ts';
import { faults, textOf } from './page-tools.ts';
import { hideWorkerGpu, inWorkers } from './in-workers.ts';

const CASES = ['rectangles/distances'];

test('on a software adapter all cases are offered, and a chosen one has its rate and right answers', async () => {
  const demos = await openDemoPages('webgpu');
  const { page, complaints } = await demos.open('bench', { query: '?backend=webgpu' });
  expect(await textOf(page, '#notices')).toMatch(/software adapter/i);
  const offered = await page.$$eval('#cases input', (boxes) => boxes.map((box) => box.value));
  expect(offered).toEqual(ALL_CASES.map(({ name }) => name));
  await choose(page, CASES, 1024);
  const report = await run(page);
  await expectRates(page, report, 'webgpu', CASES, 1024);
  const [{ answers }] = report.cases;
  expect(answers!.compared).toBeGreaterThan(COMPARED.still);
  expect(answers).toMatchObject({ wrongFlags: 0, wrongDistances: 0, withoutAnswer: 0 });
  expect(complaints).toEqual([]);
  await demos.close();
});

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
