/** Instructions of a case's kernels, on a device of their own. */

import type { FoundAdapter, OpenAdapter } from '../adapter.ts';
import type { GpuCase, Variant } from '../../../verification/gpu-cases/cases.ts';
import { createRunner } from '../../../verification/gpu-cases/runner.ts';
import { hostScene, uploadScene } from '../../../verification/gpu-cases/scene.ts';
import { isPlanar } from '../../../verification/gpu-cases/case-workload.ts';
import type { CountedStage } from './counting-device.ts';

/** The first pairs of a workload; a number for each invocation and segment is kept. */
export const COUNTED_PAIRS = 2 ** 12;

/** Runs of which the last one is counted: warm searches have to begin somewhere. */
const WARM_RUNS = 4;

export interface CaseCounter {
  /**
   * Stage by stage, in the order of the dispatches; one call at a time. Where a pair's bodies stand in memory makes no
   * difference.
   */
  count(variant: Variant): Promise<readonly CountedStage[]>;
  dispose(): void;
}

export function createCaseCounter(found: FoundAdapter, gpuCase: GpuCase, seed: number): CaseCounter {
  let opening: Promise<OpenAdapter> | undefined;
  const counted = new Map<string, Promise<readonly CountedStage[]>>();

  async function open(): Promise<OpenAdapter> {
    const opened = await found.open({ dimension: isPlanar(gpuCase.workload) ? 2 : 3, counts: true });
    for (const shape of hostScene(gpuCase, COUNTED_PAIRS, 0.5, seed).workload.shapes)
      opened.tester.addShape(shape as never);
    return opened;
  }

  async function run({ hitRate, isWarm }: Variant): Promise<readonly CountedStage[]> {
    const opened = await (opening ??= open());
    const host = hostScene(gpuCase, COUNTED_PAIRS, hitRate, seed);
    const layout = { bodies: 'shared', isMoving: isWarm, pairCount: COUNTED_PAIRS } as const;
    const scene = uploadScene(opened.device, host, layout);
    const runner = await createRunner(opened, undefined, gpuCase, scene, { pairs: COUNTED_PAIRS, turns: 1, isWarm });
    const runs = isWarm ? WARM_RUNS : 1;
    // The rehearsal of `createBatch`, which was never submitted.
    opened.counter!.forget();
    await runner.start(runs);
    const stages = await opened.counter!.read(runs, COUNTED_PAIRS);
    runner.dispose();
    scene.destroy();
    if (opened.errors.length > 0) throw new Error(opened.errors[0]);
    return stages;
  }

  return {
    count(variant) {
      const key = `${variant.hitRate} ${variant.isWarm}`;
      const known = counted.get(key) ?? run(variant);
      counted.set(key, known);
      return known;
    },
    dispose() {
      void opening?.then(
        ({ tester }) => tester.dispose(),
        () => undefined,
      );
    },
  };
}
