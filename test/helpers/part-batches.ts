/**
 * Batches of `intersects` and `distances` with compounds and meshes beside the CPU backend: random scenes, one after the other.
 */
import type { Batch } from '../../src/api/batch.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Distances, Intersections, Tester } from '../../src/api/types.ts';
import { makeTiles } from '../../verification/families/compound-grounds.ts';
import { makePartsScene, type PartsScene } from '../../verification/families/parts-scene.ts';
import { frame, submit, type AnyResult } from './batch.ts';

export const BODIES = 16;
export const PAIRS = 60;
export const MARGINS = [0, 0.1] as const;
/** Margins of `distances`. */
const FAR_MARGINS = [Infinity, 0.5] as const;
/** All pairs of as many bodies. */
const ALL_PAIRS = (BODIES * (BODIES - 1)) / 2;

/** Shapes are at most about 4 units, and curved shapes are among them: their tolerance is 1e-4 of that. */
const TOLERANCE = 5e-4;

/**
 * Shapes of all sorts. With them, batches of contacts and manifolds have the same kernels whatever other shapes there
 * are. To compile these takes most of the time of a test.
 */
export const ALL_SORTS: readonly ShapeDescription[] = [
  { type: 'sphere', radius: 1 },
  { type: 'box', halfExtents: [1, 1, 1], radius: 0.5 },
  { type: 'capsule', halfHeight: 1, radius: 1 },
  { type: 'cylinder', halfHeight: 1, radius: 1 },
  { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
  { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
  makeTiles(4, 1),
];

export interface Comparison {
  /** Pairs that both answered, and hits among them. */
  pairs: number;
  hits: number;
  /** Pairs with other answers that are within the tolerance of the margin. */
  borderline: number;
  /** Pairs of parts of all scenes. */
  partPairs: number;
  faults: string[];
}

/** The bodies of a scene as a batch takes them. */
export function bodiesOf({ bodies: { shapes, positions, quaternions, scales } }: PartsScene) {
  return { shapes, positions, quaternions, scales };
}

/** Bodies that are not rotated. */
export function placed(shapes: readonly number[], positions: readonly number[]) {
  return {
    shapes: Uint32Array.from(shapes),
    positions: Float32Array.from(positions),
    quaternions: Float32Array.from({ length: 4 * shapes.length }, (_, i) => (i % 4 === 3 ? 1 : 0)),
  };
}

/** The shapes of a scene in place of those of the scene before. */
export function useShapesOf({ shapes }: PartsScene, testers: readonly Tester[], before: PartsScene | undefined): void {
  for (const tester of testers) {
    for (let id = 0; id < (before?.shapes.length ?? 0); id++) tester.removeShape(id);
    for (const shape of shapes) tester.addShape(shape);
  }
}

export async function compareBatches(
  tester: Tester,
  reference: Tester,
  { firstSeed, scenes }: { firstSeed: number; scenes: number },
): Promise<Comparison> {
  const to: Comparison = { pairs: 0, hits: 0, borderline: 0, partPairs: 0, faults: [] };
  let before: PartsScene | undefined = makePartsScene(firstSeed, BODIES, PAIRS);
  useShapesOf(before, [tester, reference], undefined);
  const batches = await Promise.all(MARGINS.map((margin) => createBatches(tester, margin)));
  const room = { maxBodies: BODIES, maxPairs: PAIRS, maxPartPairs: 10_000 };
  const ofDistances = await Promise.all(
    FAR_MARGINS.map((margin) => tester.createBatch({ query: 'distances', ...room, margin })),
  );
  for (let seed = firstSeed; seed < firstSeed + scenes && to.faults.length < 10; seed++) {
    const scene = makePartsScene(seed, BODIES, PAIRS);
    useShapesOf(scene, [tester, reference], before);
    before = scene;
    for (const [i, margin] of MARGINS.entries()) {
      const { own, searching } = batches[i];
      await Promise.all([own.prepare(), searching.prepare()]);
      await compareOwn(own, reference, { scene, seed, margin }, to);
      await compareFound(searching, reference, { scene, seed, margin }, to);
    }
    for (const [i, margin] of FAR_MARGINS.entries()) {
      await ofDistances[i].prepare();
      await compareDistances(ofDistances[i], reference, { scene, seed, margin }, to);
    }
  }
  for (const each of batches) for (const batch of Object.values(each)) batch.dispose();
  for (const batch of ofDistances) batch.dispose();
  useShapesOf({ ...before, shapes: [] }, [tester, reference], before);
  return to;
}

async function createBatches(tester: Tester, margin: number) {
  const what = { query: 'intersects', maxBodies: BODIES, margin } as const;
  return {
    own: await tester.createBatch({ ...what, maxPairs: PAIRS, maxPartPairs: 10_000 }),
    searching: await tester.createBatch({
      ...what,
      maxPairs: ALL_PAIRS,
      broadPhase: true,
      results: 'hits',
      maxPartPairs: 10_000,
    }),
  };
}

interface Case {
  scene: PartsScene;
  seed: number;
  margin: number;
}

/** The results of two runs of a batch over a scene. */
async function runTwice<Result extends AnyResult>(
  batch: Batch<Result>,
  { scene, seed }: Pick<Case, 'scene' | 'seed'>,
  to: Comparison,
) {
  const found = await frame(batch, { bodies: bodiesOf(scene), pairs: scene.pairs });
  submit(batch);
  const again = await batch.read();
  const counts = await batch.readCounts();
  if (counts.partPairOverflow !== 0) to.faults.push(`seed ${seed}: ${counts.partPairOverflow} pairs of parts left out`);
  return { found, again, counts };
}

async function compareOwn(
  batch: Batch<Intersections>,
  reference: Tester,
  { scene, seed, margin }: Case,
  to: Comparison,
): Promise<void> {
  const { pairs } = scene;
  const bodies = bodiesOf(scene);
  const { found, again, counts } = await runTwice(batch, { scene, seed }, to);
  const isSame = found.status.every((status, i) => status === again.status[i] && found.hit[i] === again.hit[i]);
  if (!isSame || found.count !== again.count) to.faults.push(`seed ${seed}: other bits on a second run`);
  to.partPairs += counts.partPairs!;
  const expected = await reference.intersects(bodies, pairs, { margin });
  for (let i = 0; i < PAIRS; i++) {
    to.pairs++;
    to.hits += expected.hit[i];
    if (found.hit[i] === expected.hit[i]) {
      const isUnsure = found.status[i] !== expected.status[i] && margin === 0;
      if (isUnsure) await judge(reference, { scene, seed, margin }, [pairs[2 * i], pairs[2 * i + 1]], to);
      continue;
    }
    await judge(reference, { scene, seed, margin }, [pairs[2 * i], pairs[2 * i + 1]], to);
  }
}

/**
 * Distances are those of the CPU backend. Where these exceed the margin, any lower bound above the margin is right. Points are
 * as far apart.
 */
async function compareDistances(
  batch: Batch<Distances>,
  reference: Tester,
  { scene, seed, margin }: Case,
  to: Comparison,
): Promise<void> {
  const { pairs } = scene;
  const bodies = bodiesOf(scene);
  const { found, again } = await runTwice(batch, { scene, seed }, to);
  const expected = await reference.distances(bodies, pairs, { margin: Infinity });
  for (let i = 0; i < PAIRS; i++) {
    const [distance, other] = [found.distance[i], expected.distance[i]];
    const isFar = distance > margin && other > margin && distance <= other + TOLERANCE;
    if (!isFar && !(Math.abs(distance - other) <= TOLERANCE)) {
      const types = [pairs[2 * i], pairs[2 * i + 1]].map((body) => scene.shapes[scene.bodies.shapes[body]].type);
      to.faults.push(`seed ${seed}, margin ${margin}: pair ${i} (${types.join('-')}) at ${other}: ${distance}`);
    }
    if (again.distance[i] !== distance || again.status[i] !== found.status[i])
      to.faults.push(`seed ${seed}: another distance on a second run`);
    if (distance <= 0.01 || distance > margin) continue;
    const apart = [0, 1, 2].map((k) => found.pointB[3 * i + k] - found.pointA[3 * i + k]);
    const gap = Math.hypot(...apart.map((each, k) => each - distance * found.normal[3 * i + k]));
    if (gap > TOLERANCE)
      to.faults.push(`seed ${seed}, margin ${margin}: points of pair ${i} are not ${distance} apart`);
  }
}

/** Hits among the pairs that the device finds, beside those among all pairs. */
async function compareFound(
  batch: Batch<Intersections>,
  reference: Tester,
  { scene, seed, margin }: Case,
  to: Comparison,
): Promise<void> {
  const bodies = bodiesOf(scene);
  const found = await frame(batch, { bodies }, { bodies: true } as never);
  const { a, b } = found as unknown as { a: Uint32Array; b: Uint32Array };
  const halfspace = scene.shapes.length - 1;
  const all: number[] = [];
  for (let i = 0; i < BODIES; i++)
    for (let j = i + 1; j < BODIES; j++)
      if (!(bodies.shapes[i] === halfspace && bodies.shapes[j] === halfspace)) all.push(i, j);
  const expected = await reference.intersects(bodies, Uint32Array.from(all), { margin });
  const keys = new Set(Array.from({ length: found.count }, (_, i) => `${a[i]} ${b[i]}`));
  for (let i = 0; i < expected.count; i++) {
    const pair = [all[2 * i], all[2 * i + 1]] as const;
    to.pairs++;
    to.hits += expected.hit[i];
    if (keys.has(pair.join(' ')) !== (expected.hit[i] === 1)) await judge(reference, { scene, seed, margin }, pair, to);
  }
}

/** A pair with two answers: within the tolerance of the margin, or a fault. */
async function judge(
  reference: Tester,
  { scene, seed, margin }: Case,
  [a, b]: readonly [number, number],
  to: Comparison,
): Promise<void> {
  const { distance } = await reference.contacts(bodiesOf(scene), Uint32Array.of(a, b), { margin: margin + 0.01 });
  if (Math.abs(distance[0] - margin) <= TOLERANCE) {
    to.borderline++;
    return;
  }
  const types = [a, b].map((body) => scene.shapes[scene.bodies.shapes[body]].type).join('-');
  to.faults.push(`seed ${seed}, margin ${margin}: bodies ${a} and ${b} (${types}) at ${distance[0]}`);
}
