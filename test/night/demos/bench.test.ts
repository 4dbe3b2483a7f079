/**
 * The bench page in headless Chrome: its rates are pairs over time, its answers were compared first, the page goes on
 * meanwhile, a run can be cancelled, a lost device is replaced, and without WebGPU it measures the CPU backend.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CASES as ALL_CASES } from '../../../verification/gpu-cases/cases.ts';
import {
  choose,
  COMPARED,
  countFrames,
  expectRates,
  framesOf,
  run,
  untilEnded,
  untilStep,
} from '../../demos/bench-page.ts';
import { NARROW, openDemoPages, type DemoPages, type OpenDemo } from '../../demos/demo-pages.ts';
import { faults, textOf } from '../../demos/page-tools.ts';
import { hideWorkerGpu, inWorkers, workerOf } from '../../demos/in-workers.ts';
import { allowLosingDevice, loseDevice } from '../../demos/lose-device.ts';

const CASES = ['boxes/distances/gjk', 'rectangles/distances', 'hull32/impacts/straight'];

describe('on a software adapter', () => {
  let demos: DemoPages;
  let demo: OpenDemo;
  beforeAll(async () => {
    demos = await openDemoPages('webgpu');
    demo = await demos.open('bench', { query: '?backend=webgpu', before: inWorkers(allowLosingDevice) });
  });
  afterAll(() => demos?.close());

  test('all cases are offered, and chosen ones have rates while the page goes on', async () => {
    const { page, complaints } = demo;
    expect(await textOf(page, '#notices')).toMatch(/software adapter/i);
    expect(await textOf(page, '#stored')).toMatch(/nvidia-h200, \d{4}-\d\d-\d\d, narrowphase .*commit [0-9a-f]+/);
    const offered = await page.$$eval('#cases input', (boxes) => boxes.map((box) => box.value));
    expect(offered).toEqual(ALL_CASES.map(({ name }) => name));
    await choose(page, CASES, 1024);
    await countFrames(page);
    const report = await run(page);
    await expectRates(page, report, 'webgpu', CASES, 1024);
    for (const { name, answers } of report.cases) {
      expect(answers!.compared).toBeGreaterThan(name.includes('impacts') ? COMPARED.moving : COMPARED.still);
      expect(answers).toMatchObject({ wrongFlags: 0, wrongDistances: 0, withoutAnswer: 0 });
    }
    // Making hulls takes the worker a second of work without a pause.
    const frames = Object.entries(await framesOf(page)).filter(([step]) => step.endsWith(`${CASES[2]}, making pairs`));
    expect(frames).toEqual([[expect.stringContaining(CASES[2]), expect.any(Number)]]);
    expect(frames[0][1]).toBeGreaterThan(3);
    await demos.shoot(page, 'bench-wide');
    expect(complaints).toEqual([]);
  });

  test('a run is cancelled at once, and another one starts', async () => {
    const { page, complaints } = demo;
    await page.click('#run');
    await untilStep(page, 'checking answers');
    await page.click('#cancel');
    expect(await page.evaluate(() => document.documentElement.dataset.running)).toBe('false');
    expect(await textOf(page, '#progress-text')).toMatch(/^Cancelled after \d of 3 cases$/);
    await choose(page, CASES.slice(1, 2), 1024);
    const report = await run(page);
    expect(report.cases.map(({ name }) => name)).toEqual(CASES.slice(1, 2));
    expect(complaints).toEqual([]);
  });

  test('a lost device ends the run with the reason, and the next run has a new one', async () => {
    const { page } = demo;
    // More work than can end before the loss arrives.
    await choose(page, CASES, 1024);
    await page.click('#run');
    await untilStep(page, 'checking answers');
    await loseDevice(workerOf(page));
    await untilEnded(page);
    expect(await textOf(page, '#notices')).toMatch(/The graphics device was lost/);
    expect(await textOf(page, '#progress-text')).toMatch(/^Stopped after/);
    // The loss is no failure of the case.
    expect(await page.$$('#rows .failure')).toEqual([]);
    await choose(page, CASES.slice(1, 2), 1024);
    const report = await run(page);
    expect(report).toMatchObject({ backend: 'webgpu', failures: [] });
    expect(await textOf(page, '#notices')).not.toMatch(/was lost/);
    expect(report.cases).toHaveLength(1);
  });

  test('a case that fails has its reason in the table', async () => {
    const before = inWorkers(() => {
      GPUDevice.prototype.createQuerySet = () => {
        throw new Error('no queries today');
      };
    });
    const { page, close } = await demos.open('bench', { query: '?backend=webgpu', before });
    await choose(page, CASES.slice(0, 1), 1024);
    const report = await run(page);
    expect(report.cases).toEqual([]);
    expect(report.failures).toEqual([
      { name: CASES[0], reason: expect.stringContaining('no queries today') as string },
    ]);
    expect(await textOf(page, `[data-case="${CASES[0]}"]`)).toContain('no queries today');
    await close();
  });

  test('a device that the worker cannot use leaves the CPU backend, with the reason', async () => {
    const before = inWorkers(() => {
      Object.defineProperty(GPUDevice.prototype, 'limits', {
        get() {
          throw new Error('no limits today');
        },
      });
    });
    const { page, close } = await demos.open('bench', { query: '?backend=webgpu', before });
    expect(await textOf(page, '#notices')).toMatch(/Measured on the CPU, with fewer pairs\s+No limits today/);
    await choose(page, CASES.slice(0, 1), 256);
    expect(await run(page)).toMatchObject({ backend: 'cpu', failures: [] });
    await close();
  });
});

test("without WebGPU in the browser's workers the CPU backend is measured, and the page says so", async () => {
  const demos = await openDemoPages('webgl');
  for (const options of [{ viewport: NARROW }, { colorScheme: 'dark' as const }]) {
    const { page, complaints, close } = await demos.open('bench', { before: inWorkers(hideWorkerGpu), ...options });
    expect(await textOf(page, '#notices')).toMatch(
      /Measured on the CPU, with fewer pairs\s+There is no WebGPU in this browser's workers/,
    );
    await choose(page, CASES, 256);
    await expectRates(page, await run(page), 'cpu', CASES, 256);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(page.viewport()!.width);
    await demos.shoot(page, 'viewport' in options ? 'bench-narrow' : 'bench-dark');
    expect(faults(complaints)).toEqual([]);
    await close();
  }
  await demos.close();
});
