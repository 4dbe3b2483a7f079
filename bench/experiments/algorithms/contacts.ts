/** Contacts by each algorithm, on the CPU and on the GPU: depths, steps and times. */
import { MPR_NORMAL, MPR_OPEN } from '../../../src/generated/constants.ts';
import { createMprResult, mpr } from '../../../src/cpu/mpr.ts';
import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import type { Tester } from '../../../src/api/types.ts';
import type { Family } from '../../../verification/families/family.ts';
import { areBoxes } from './families.ts';
import { sceneOf } from './scene.ts';
import { askContact, clock, isWrong, SAT, WAYS, type Way } from './ways.ts';
import { options } from './options.ts';

/** Depths below this share of the size have no share of themselves worth telling. */
export const SHALLOW = 1e-4;

interface Compared {
  way: Way;
  ofSize: Float64Array;
  ofDepth: Float64Array;
  /** Pairs whose depth is the true one. */
  exact: number;
  wrong: number;
  /** Mean steps of pairs that are apart, and of those that overlap. */
  steps: number[];
  microseconds: number;
}

export function compare(family: Family): { rows: Compared[]; overlapping: number; left: number } {
  const scene = sceneOf(family);
  const ways = areBoxes(scene.shapes) ? [SAT, ...WAYS] : WAYS;
  const truth = Float64Array.from(
    { length: options.pairs },
    (_, i) => askContact(scene, WAYS[0], i, Infinity).distance,
  );
  const deep = Array.from(truth.keys()).filter((i) => truth[i] < -TOLERANCE.reference * scene.sizeOf(i));
  const deeper = deep.filter((i) => truth[i] < -SHALLOW * scene.sizeOf(i));
  const times = clock(
    options.pairs,
    ways.map((way) => () => {
      for (let i = 0; i < options.pairs; i++) askContact(scene, way, i);
    }),
  );
  const rows = ways.map((way, w): Compared => {
    let wrong = 0;
    const steps = [0, 0];
    const found = truth.map((expected, i) => {
      const { status, distance: given, iterations } = askContact(scene, way, i);
      if (isWrong(status, expected, TOLERANCE.reference * scene.sizeOf(i))) wrong++;
      steps[Number(expected <= 0)] += iterations;
      return given;
    });
    const touching = truth.filter((expected) => expected <= 0).length;
    const ofSize = Float64Array.from(deep, (i) => (truth[i] - found[i]) / scene.sizeOf(i));
    return {
      way,
      ofSize,
      ofDepth: Float64Array.from(deeper, (i) => (truth[i] - found[i]) / -truth[i]),
      exact: ofSize.filter((excess) => Math.abs(excess) <= TOLERANCE.reference).length / ofSize.length,
      wrong,
      steps: [steps[0] / (options.pairs - touching), steps[1] / touching],
      microseconds: times[w],
    };
  });
  const portal = createMprResult();
  let left = 0;
  let cores = 0;
  for (const i of deep) {
    const pair = scene.place(i);
    if (truth[i] / pair.unit + pair.radiusA + pair.radiusB > -TOLERANCE.reference) continue;
    cores++;
    if (mpr(pair, 0, MPR_NORMAL, portal).state === MPR_OPEN) left++;
  }
  return { rows, overlapping: deep.length, left: left / Math.max(cores, 1) };
}

interface GpuCost {
  microseconds: number;
  wrong: number;
}

/** Kernel time of whole queries, all stages, in turns; and answers against the reference. */
export async function compareGpu(gpu: Tester, cpu: Tester, family: Family, ways: readonly Way[]): Promise<GpuCost[]> {
  const [onGpu, onCpu] = [gpu, cpu].map((tester) => {
    const ids = family.shapes.map((shape) => tester.addShape(shape));
    return { ...family.bodies, shapes: family.bodies.shapes.map((shape) => ids[shape]) };
  });
  const truth = (await cpu.contacts(onCpu, family.pairs, { algorithm: 'gjk', margin: Infinity })).distance;
  const { sizeOf } = sceneOf(family);
  const costs = ways.map((): GpuCost => ({ microseconds: Infinity, wrong: 0 }));
  for (let repeat = 0; repeat <= options.repeats; repeat++) {
    for (const [w, { algorithm, mprDepth }] of ways.entries()) {
      const { status, count } = await gpu.contacts(onGpu, family.pairs, { algorithm, mprDepth });
      if (repeat > 0) costs[w].microseconds = Math.min(costs[w].microseconds, (1e3 * gpu.timings.kernels) / count);
      costs[w].wrong = truth.filter((expected, i) =>
        isWrong(status[i], expected, TOLERANCE.kernels * sizeOf(i)),
      ).length;
    }
  }
  return costs;
}
