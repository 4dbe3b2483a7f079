/** An engine of narrowphase in this process: Dawn on a driver, or the CPU backend. Uses the package as built. */

import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withDawn } from '../../../src/node/dawn.ts';
import { throttleWhile } from '../../../src/node/throttle-polling.ts';
import type { TesterOptions } from '../../../src/api/types.ts';
import { readWorkload } from '../workload-file.ts';
import { meterTurns, meterThread } from './main-thread.ts';
import {
  createRunner,
  createWholeSubject,
  dimensionOf,
  workloadFor,
  type AnyTester,
  type EngineRunner,
} from './narrowphase.ts';
import type { EngineSpec, Subject } from '../protocol.ts';

/** The built package. The path is relative to bench/dist, where this file is bundled. */
const DIST = join(import.meta.dirname, '../../dist');

export function engineSubject({ name, driver, plane, algorithm, threads, dist = DIST }: EngineSpec): Subject {
  let tester: AnyTester;
  let runner: EngineRunner;
  return {
    async open() {
      const start = performance.now();
      const entry = pathToFileURL(resolve(dist, 'node.js')).href;
      const { createTester } = (await import(/* @vite-ignore */ entry)) as {
        createTester: (options: TesterOptions) => Promise<AnyTester>;
      };
      const dimension = dimensionOf(plane);
      if (name === 'cpu') tester = await createTester({ backend: 'cpu', threads, dimension });
      else tester = await withDawn(driver!, (gpu) => createTester({ backend: 'webgpu', dimension, gpu }));
      const runtime =
        name === 'cpu'
          ? `Node ${process.versions.node}`
          : `Dawn of webgpu ${webgpuVersion()}, ${basename(driver!.name)}`;
      return { runtime, adapter: { ...tester.adapter }, openMs: performance.now() - start };
    },
    async load(file, query, arrays) {
      const workload = workloadFor(plane, readWorkload(file));
      runner =
        arrays === 'host'
          ? await createWholeSubject(tester, workload, query, name === 'cpu' ? meterThread : meterTurns)
          : await createRunner(tester, workload, query, {
              rest: tester.adapter?.isSoftware ? throttleWhile : undefined,
              algorithm,
            });
      return runner.loaded;
    },
    reserve: async (count) => runner.reserve(count),
    run: (count) => runner.run(count),
    answers: (indices) => runner.answers(indices),
    close: async () => tester.dispose(),
  };
}

function webgpuVersion(): string {
  return (createRequire(import.meta.url)('webgpu/package.json') as { version: string }).version;
}
