/**
 * In each browser: the WGSL of all kernels, and programs of callers on the built package: a module worker, and arrays in
 * resizable memory.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kernels } from '../../src/generated/kernel-table.ts';
import { searchKernels } from '../../src/generated/search-kernels.ts';
import { BROWSERS } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { CALL_TIMEOUT, openHarness } from './open.ts';
import type { HarnessPage } from './open.ts';
import type { WorkerReport } from './worker.ts';

describe.each(BROWSERS)('%s', (which) => {
  let opened: HarnessPage;

  beforeAll(async () => {
    opened = await openHarness(which);
  });
  afterAll(() => opened?.close());

  test('a module worker asks a query and runs a batch on WebGPU', { timeout: CALL_TIMEOUT }, async () => {
    const report = await opened.page.evaluate(
      () =>
        new Promise<WorkerReport>((resolve, reject) => {
          const worker = new Worker('/worker.js', { type: 'module' });
          worker.addEventListener('message', ({ data }) => resolve(data as WorkerReport), { once: true });
          worker.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
        }),
    );
    expect(report).toEqual({
      backend: 'webgpu',
      queried: [-0.25, 1],
      frames: [
        [-0.25, 1],
        [0, 1],
        [0.25, 1],
      ],
      hasDocument: false,
    });
    expect(opened.complaints).toEqual([]);
  });

  // In CI, Dawn has Chrome's compiler.
  if (which === 'firefox' || atNight(false, true)) {
    test('the WGSL of all kernels is valid', { timeout: CALL_TIMEOUT }, async () => {
      const { names, errors, ofWrong } = await opened.page.evaluate(() => window.harness.checkModules());
      expect(errors).toEqual([]);
      expect(new Set(names)).toEqual(new Set(Object.keys({ ...kernels, ...searchKernels })));
      expect(ofWrong).not.toEqual([]);
      // Firefox logs the module that is wrong.
      expect(opened.complaints.splice(0).filter((complaint) => !/"wrong"|wrong:1/.test(complaint))).toEqual([]);
    });
  }

  // Browsers' queues refuse such arrays.
  test(
    'queries and batches take arrays in resizable memory, in space and in the plane',
    { timeout: CALL_TIMEOUT },
    async () => {
      const gaps = [-0.25, 1];
      const expected = [{ memory: 'a resizable ArrayBuffer', distances: [gaps, gaps, gaps, gaps] }];
      expect(await opened.page.evaluate(() => window.harness.answerFromMemory())).toEqual(expected);
      expect(opened.complaints).toEqual([]);
    },
  );
});
