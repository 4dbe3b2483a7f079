/** Rotated boxes in several arrangements. */
import { createRandom, uniform, unitVector, type Random } from '../../../verification/families/random.ts';
import type { PosedBodies } from '../../../src/api/types.ts';

/** Where body i of `count` is, and the edge of its cube. */
type BoxFamily = (i: number, count: number, random: Random) => { centre: number[]; edge: number };

export interface BoxBodies {
  bodies: PosedBodies;
  count: number;
}

const inCube = (random: Random, edge: number): number[] => [0, 1, 2].map(() => uniform(random, 0, edge));

/** A cube in which similar bodies have about 6.6 pairs each. */
const roomFor = (count: number): number => 1.25 * Math.cbrt(count);

export const boxFamilies: Record<string, BoxFamily> = {
  'similar sizes': (_, count, random) => ({
    centre: inCube(random, roomFor(count)),
    edge: uniform(random, 0.9, 1.1),
  }),
  'sizes from 1 to 1000': (_, count, random) => ({
    centre: inCube(random, 300 * Math.cbrt(count)),
    edge: 1000 ** uniform(random, 0, 1),
  }),
  'one giant': (i, count, random) => ({ centre: inCube(random, roomFor(count)), edge: i === 0 ? 1e6 : 1 }),
  clusters: (i, count, random) => ({
    centre: inCube(random, roomFor(count / 20)).map((x, k) => x + (k < 2 ? 1e5 * (i % 20) ** (k + 1) : 0)),
    edge: 1,
  }),
  'a line': (_, count, random) => ({ centre: [uniform(random, 0, 0.3 * count), 0, 0], edge: 1 }),
  'a sheet': (_, count, random) => {
    const [x, y, z] = inCube(random, 0.8 * Math.sqrt(count));
    return { centre: [x, 1e-3 * y, z], edge: 1 };
  },
};

/** All have the first shape, scaled. */
export function makeBodies(family: BoxFamily, count: number): BoxBodies {
  const random = createRandom(24);
  const bodies = {
    shapes: new Uint32Array(count),
    positions: new Float32Array(3 * count),
    quaternions: new Float32Array(4 * count),
    scales: new Float32Array(count),
  };
  for (let i = 0; i < count; i++) {
    const { centre, edge } = family(i, count, random);
    bodies.positions.set(centre, 3 * i);
    bodies.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * i);
    bodies.scales[i] = edge;
  }
  return { bodies, count };
}
