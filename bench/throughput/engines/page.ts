/** Runs in the browser: the package as built, answering the calls that `browser.ts` passes on. */

import { decodeWorkload } from '../../../verification/workloads/workload.ts';
import {
  createRunner,
  createWholeSubject,
  dimensionOf,
  workloadFor,
  type AnyTester,
  type EngineRunner,
  type WholeEngineRunner,
} from './narrowphase.ts';
import type { Arrays, EngineSpec, SubjectInfo, TargetUse } from '../protocol.ts';
import type { Query } from '../../../verification/workloads/query.ts';

const PACKAGE = '/dist/index.js';

let tester: AnyTester;
let plane: EngineSpec['plane'];
let runner: EngineRunner | WholeEngineRunner;

const methods = {
  async open(given?: EngineSpec['plane']): Promise<Omit<SubjectInfo, 'runtime' | 'openMs'>> {
    const { createTester } = (await import(/* @vite-ignore */ PACKAGE)) as typeof import('../../../src/index.ts');
    plane = given;
    tester = await createTester({ backend: 'webgpu', dimension: dimensionOf(plane) });
    return { adapter: { ...tester.adapter } };
  },
  async load(query: Query, arrays: Arrays) {
    const bytes = await (await fetch('/workload', { cache: 'no-store' })).arrayBuffer();
    const create = arrays === 'host' ? createWholeSubject : createRunner;
    runner = await create(tester, workloadFor(plane, decodeWorkload(bytes)), query);
    return runner.loaded;
  },
  reserve: async (count: number) => runner.reserve(count),
  run: (count: number) => runner.run(count),
  callWhole: (use: TargetUse) => (runner as WholeEngineRunner).call(use),
  async answers(indices: number[]) {
    const { hit, distance, time, iterations } = await runner.answers(Uint32Array.from(indices));
    // Typed arrays do not pass to the other side, and numbers that are none do not either.
    return {
      hit: Array.from(hit),
      distance: distance && Array.from(distance),
      time: time && Array.from(time),
      iterations,
    };
  },
};

Object.assign(globalThis, {
  ask: (method: keyof typeof methods, args: never[]): Promise<unknown> =>
    (methods[method] as (...given: never[]) => Promise<unknown>)(...args),
});
