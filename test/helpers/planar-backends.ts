/** Two-dimensional testers on the GPU and on the CPU, whose answers are held against the oracle and each other. */
import { expect } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { F32_ROUNDING, TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type PlanarTester } from '../../src/api/types.ts';
import { judgePlanarContact, judgePlanarManifold, judgePlanarStatus } from '../../verification/judges/planar-judge.ts';
import { planarSignedDistance } from '../../verification/oracle/planar.ts';
import {
  planarPairsOf,
  type PlanarFamily,
  type PlanarFamilyPair,
} from '../../verification/families/planar-families.ts';
import { openDefaultDevice, withoutErrors } from './gpu.ts';
import { usePlanarShapes } from './planar-tester.ts';

export interface PlanarBackends {
  gpu: PlanarTester;
  /** On the GPU and on the CPU. */
  testers: readonly PlanarTester[];
  /** Gives both testers the family's shapes. */
  use(family: { shapes: readonly PlanarShapeDescription[] }): void;
  /** Asks both testers. Returns the items of the GPU, and what is wrong with the answers of either. */
  judge(family: PlanarFamily, subjects: Subject[], asked: Question): Promise<{ items: Items; faults: string[] }>;
  close(): void;
}

export async function openPlanarBackends(label: string): Promise<PlanarBackends> {
  const device = await openDefaultDevice(label);
  const gpu = await createTester({ dimension: 2, device });
  const cpu = await createTester({ dimension: 2, backend: 'cpu' });
  return {
    gpu,
    testers: [gpu, cpu],
    use({ shapes }) {
      for (const tester of [gpu, cpu]) usePlanarShapes(tester, shapes);
    },
    async judge(family, subjects, asked) {
      const onGpu = await withoutErrors(device, () => judge(gpu, family, subjects, asked));
      const onCpu = await judge(cpu, family, subjects, asked);
      const faults = disagreements(onGpu.items, onCpu.items, subjects, asked);
      return { items: onGpu.items, faults: [...onGpu.faults, ...onCpu.faults, ...faults] };
    },
    close() {
      gpu.dispose();
      cpu.dispose();
      device.destroy();
    },
  };
}

export interface Subject extends PlanarFamilyPair {
  truth: number;
}

/** The family's pairs with their true distances. */
export function subjectsOf(family: PlanarFamily): Subject[] {
  return planarPairsOf(family).map((pair) => ({
    ...pair,
    truth: planarSignedDistance(pair.a, pair.poseA, pair.b, pair.poseB).distance,
  }));
}

/** Tolerances by backend, as shares of a pair's size. The reference's records are f32. */
export const FACTORS = { webgpu: TOLERANCE.kernels, cpu: TOLERANCE.reference + 4 * F32_ROUNDING } as const;

type Query = 'intersects' | 'distances' | 'contacts' | 'manifolds';
type Algorithm = 'auto' | 'gjk' | 'mpr' | 'sat';

/** A query, and the seed of its family. */
export interface Question {
  seed: number;
  query: Query;
  algorithm: Algorithm;
  /** undefined: the default. */
  margin?: number;
}

function marginOf({ query, margin }: Question): number {
  return margin ?? (query === 'distances' ? Infinity : 0);
}

export type Items = {
  pair: number;
  status: number;
  hit?: boolean;
  distance?: number;
  points?: { distance: number }[];
}[];

/** The signed distance that an item says, as far as it does, to hold against the other backend's. */
function distanceOf({ distance, points }: Items[number]): number | undefined {
  return distance ?? points?.[0]?.distance;
}

/** What is wrong with a backend's answers, in words. */
async function judge(
  tester: PlanarTester,
  { bodies, pairs }: PlanarFamily,
  subjects: Subject[],
  asked: Question,
): Promise<{ items: Items; faults: string[] }> {
  const { query, algorithm } = asked;
  const margin = marginOf(asked);
  const options = { algorithm, margin: asked.margin };
  const k = FACTORS[tester.backend];
  const terms = {
    margin,
    points: bodies.positions instanceof Float64Array ? 'f64' : 'f32',
    isUpperBound: algorithm === 'mpr',
  } as const;
  const answer = await tester[query](bodies, pairs, options);
  const depths = query === 'manifolds' ? (await tester.contacts(bodies, pairs, options)).distance : undefined;
  const items = [...answer] as Items;
  const counts = [0, 0, 0, 0, 0];
  const faults = subjects.flatMap(({ index, a, poseA, b, poseB, truth, size }) => {
    const item = items[index];
    counts[item.status]++;
    if (item.pair !== index) return [`slot ${index} is of pair ${item.pair}`];
    const found =
      query === 'intersects'
        ? judgePlanarStatus(item, truth, k * size, margin)
        : query === 'manifolds'
          ? judgePlanarManifold(a, poseA, b, poseB, item as never, depths![index], k, { ...terms, truth })
          : judgePlanarContact(a, poseA, b, poseB, item as never, k, { ...terms, truth, query });
    return found.map(
      (fault) =>
        `${tester.backend}, ${query} by ${algorithm}, margin ${margin}, seed ${asked.seed}, pair ${index}: ${fault}`,
    );
  });
  expect(answer.statusCounts).toEqual(counts);
  expect(counts[Status.NotConverged]).toBe(0);
  return { items, faults };
}

/** Where two backends differ by more than both may be off. */
function disagreements(one: Items, other: Items, subjects: Subject[], asked: Question): string[] {
  const margin = marginOf(asked);
  return subjects.flatMap(({ index, truth, size }) => {
    const t = (FACTORS.webgpu + FACTORS.cpu) * size;
    const [a, b] = [one[index], other[index]];
    const label = `${asked.query} by ${asked.algorithm}, margin ${margin}, seed ${asked.seed}, pair ${index}`;
    const faults: string[] = [];
    if (a.status !== b.status && Math.abs(truth) > t)
      faults.push(`${label}: statuses ${a.status} and ${b.status} at ${truth}`);
    if (a.hit !== b.hit && Math.abs(truth - margin) > t)
      faults.push(`${label}: hits ${a.hit} and ${b.hit} at ${truth}`);
    const [x, y] = [distanceOf(a), distanceOf(b)];
    if (x === undefined || y === undefined) return faults;
    // Beyond the margin they are bounds, and by portals upper bounds of the depth.
    const isExempt = Math.min(x, y) > margin || (asked.algorithm === 'mpr' && truth <= t);
    if (!isExempt && !(Math.abs(x - y) <= t)) faults.push(`${label}: distances ${x} and ${y}`);
    return faults;
  });
}
