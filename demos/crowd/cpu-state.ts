/** State of the crowd on the CPU: bodies as the tester takes them, and what the steps keep of each person. */

import type { PlanarTester } from 'narrowphase';
import type { Totals } from './crowd.ts';
import { TOTALS } from './crowd.ts';
import { makeEntries } from './entries.ts';
import type { Vector } from './steering.ts';
import type { World } from './world.ts';

/** Bodies of a query. Both queries share all arrays but the groups. */
interface Bodies {
  shapes: Uint32Array;
  positions: Float32Array;
  angles: Float32Array;
  /** Displacements of a step: the duration of the queries is 1. */
  linearVelocities: Float32Array;
  angularVelocities: Float32Array;
  fixed: Uint8Array;
  groups: Uint32Array;
}

export interface CpuState {
  tester: PlanarTester;
  world: World;
  /** For seeing each other, and for walls alone. */
  near: Bodies;
  walls: Bodies;
  /** x, y per person: metres per second, and the position at the beginning of the step. */
  velocities: Float32Array;
  origins: Float32Array;
  /** x, y per person: sums of the accelerations and of the pushes from neighbours. */
  forces: Float64Array;
  pushes: Float64Array;
  /** Zone of each person, or `NOWHERE`. */
  destinations: Uint32Array;
  entries: ReturnType<typeof makeEntries>;
  /** x, y per leaf, and the flow field of the doors that are closed. */
  leafTargets: Float32Array;
  field: Float32Array;
  totals: Totals;
}

/** `ids` are the world's shapes in the tester. */
export function createCpuState(tester: PlanarTester, world: World, ids: readonly number[]): CpuState {
  const { people, bodies, leaves, shapeOf } = world;
  const shared = {
    shapes: shapeOf.map((shape) => ids[shape]),
    positions: new Float32Array(2 * bodies),
    angles: new Float32Array(bodies),
    linearVelocities: new Float32Array(2 * bodies),
    angularVelocities: new Float32Array(bodies),
    fixed: new Uint8Array(bodies).fill(1, people + leaves),
  };
  return {
    tester,
    world,
    near: { ...shared, groups: new Uint32Array(bodies) },
    walls: { ...shared, groups: new Uint32Array(bodies) },
    velocities: new Float32Array(2 * people),
    origins: new Float32Array(2 * people),
    forces: new Float64Array(2 * people),
    pushes: new Float64Array(2 * people),
    destinations: new Uint32Array(people),
    entries: makeEntries(world),
    leafTargets: new Float32Array(2 * leaves),
    field: new Float32Array(),
    totals: Object.fromEntries(TOTALS.map((name) => [name, 0])) as unknown as Totals,
  };
}

export function velocityOf({ velocities }: CpuState, i: number): Vector {
  return [velocities[2 * i], velocities[2 * i + 1]];
}
