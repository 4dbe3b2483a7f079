/** Scenes of compounds and chains in 2-D, for batches beside the CPU backend. */
import type { PlanarTester } from '../../src/api/types.ts';
import type { PlanarPartsScene } from '../../verification/families/planar-parts-scene.ts';
import {
  makePlanarSurfaceFamilies,
  type PlanarSurfaceFamily,
} from '../../verification/families/planar-surface-families.ts';
import { frame } from './batch.ts';

/** The shapes of a scene in place of those of the scene before. */
export function usePlanarShapesOf(
  { shapes }: PlanarPartsScene,
  testers: readonly PlanarTester[],
  before: PlanarPartsScene | undefined,
): void {
  for (const tester of testers) {
    for (let id = 0; id < (before?.shapes.length ?? 0); id++) tester.removeShape(id);
    for (const shape of shapes) tester.addShape(shape);
  }
}

/** The bodies of a scene, at rest. */
export function placedBodies({ bodies: { shapes, positions, angles, scales } }: PlanarPartsScene) {
  return { shapes, positions, angles, scales };
}

/** Bodies that are not rotated. */
export function unturned(shapes: readonly number[], positions: readonly number[]) {
  return {
    shapes: Uint32Array.from(shapes),
    positions: Float32Array.from(positions),
    angles: new Float32Array(shapes.length),
  };
}

/** The shape of a family at the origin, and its cases with that shape, as body A and as body B in turns. */
export function sceneOfFamily({ shape, cases }: PlanarSurfaceFamily) {
  const count = cases.length;
  return {
    shapes: [shape, ...cases.map((each) => each.shape)],
    bodies: {
      shapes: Uint32Array.from({ length: count + 1 }, (_, i) => i),
      positions: Float32Array.of(0, 0, ...cases.flatMap(({ position }) => position)),
      angles: Float32Array.of(0, ...cases.map(({ angle }) => angle)),
    },
    pairs: Uint32Array.from({ length: 2 * count }, (_, i) => ((i >> 1) % 2 === i % 2 ? 0 : 1 + (i >> 1))),
  };
}

export interface PlanarComparison {
  hits: number;
  impacts: number;
  faults: string[];
}

/** Bodies of the families are 0.1 to 0.8 units large. */
const TOLERANCE = 3e-5;

/** Contacts and impacts of batches, also of bodies that turn, with all families of surfaces, beside the CPU backend. */
export async function comparePlanarFamilies(
  tester: PlanarTester,
  reference: PlanarTester,
  { count, seed }: { count: number; seed: number },
): Promise<PlanarComparison> {
  const to: PlanarComparison = { hits: 0, impacts: 0, faults: [] };
  const room = { maxBodies: count + 1, maxPairs: count, maxPartPairs: 1000 * count };
  const motion = { duration: 0.7, stopAtPenetration: false } as const;
  for (const family of makePlanarSurfaceFamilies(seed, count)) {
    const { shapes, bodies, pairs } = sceneOfFamily(family);
    const both = [tester, reference] as const;
    const ids = shapes.map((shape) => both.map((each) => each.addShape(shape)));
    bodies.shapes = Uint32Array.from(ids, ([id]) => id);
    const moving = {
      ...bodies,
      linearVelocities: Float32Array.from({ length: 2 * count + 2 }, (_, i) =>
        i < 2 ? 0 : i % 2 ? -0.2 : Math.sin(i),
      ),
    };
    const contacts = await tester.createBatch({ query: 'contacts', ...room });
    const impacts = await tester.createBatch({ query: 'impacts', ...room, ...motion });
    const turning = await tester.createBatch({ query: 'impacts', ...room, duration: motion.duration, turning: true });
    const found = await frame(contacts, { bodies, pairs });
    const met = await frame(impacts, { bodies: moving, pairs });
    const expected = await reference.contacts(bodies, pairs);
    const meets = await reference.impacts(moving, pairs, motion);
    const spins = Float32Array.from({ length: count + 1 }, (_, i) => (i === 0 ? 0 : [0, 0.3, -2, 5][i % 4]));
    const rolling = { ...moving, angularVelocities: spins };
    const rolled = await frame(turning, { bodies: rolling, pairs });
    const rolls = await reference.impacts(rolling, pairs, { duration: motion.duration });
    for (let i = 0; i < count; i++) {
      const [distance, time] = [expected.distance[i], meets.time[i]];
      to.hits += Number(distance <= 0);
      to.impacts += Number(time < Infinity);
      if (distance <= 0 && !(Math.abs(found.distance[i] - distance) < TOLERANCE))
        to.faults.push(`${family.name} ${i}, seed ${seed}: ${found.distance[i]}, expected ${distance}`);
      for (const [first, second] of [
        [met.time[i], time],
        [rolled.time[i], rolls.time[i]],
      ]) {
        if (second === Infinity ? first !== Infinity : !(Math.abs(first - second) < 1e-4))
          to.faults.push(`${family.name} ${i}, seed ${seed}: at ${first} s, expected ${second}`);
      }
    }
    for (const batch of [contacts, impacts, turning]) batch.dispose();
    for (const [i, each] of both.entries()) for (const id of ids) each.removeShape(id[i]);
  }
  return to;
}
