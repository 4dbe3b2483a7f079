/** Judges a run: whether contacts of bodies at rest keep their features from step to step, and bodies stay above the ground. */

import { BODY_FLOATS, REST_STEPS } from './constants.ts';
import { posedBodies } from './bodies.ts';
import type { PressingPoint } from './bodies.ts';
import type { Simulation } from './simulation.ts';

/** Contact points that press, between bodies that are slow or fixed. */
export interface Persistence {
  /** Of all such points, and of those with a body that still moves. */
  points: number;
  awake: number;
  /** How many of them are there in the next step, with the same bodies, parts and feature. */
  kept: number;
  awakeKept: number;
  /** The points that are not. */
  lost: PressingPoint[];
}

/** Steps once, and compares the contact points before and after. */
export async function stepAndCompare(simulation: Simulation, before: PressingPoint[]): Promise<Persistence> {
  // Rests, and what the points of the next step are computed at, are as the step before left them.
  const motions = await simulation.readMotions();
  await simulation.step(1);
  const after = new Set((await simulation.readPoints()).map(({ id }) => id));
  const rests = new Uint32Array(motions.buffer);
  const { masses } = simulation.arrays;
  const stepsAtRest = (body: number): number =>
    masses[BODY_FLOATS * body] === 0 ? REST_STEPS + 1 : rests[BODY_FLOATS * body + 3];
  const result: Persistence = { points: 0, awake: 0, kept: 0, awakeKept: 0, lost: [] };
  for (const point of before) {
    const [a, b] = [stepsAtRest(point.a), stepsAtRest(point.b)];
    if (a === 0 || b === 0) continue;
    const isAwake = Math.min(a, b) <= REST_STEPS;
    const isKept = after.has(point.id);
    result.points++;
    result.kept += Number(isKept);
    result.awake += Number(isAwake);
    result.awakeKept += Number(isAwake && isKept);
    if (!isKept) result.lost.push(point);
  }
  return result;
}

export interface Burial {
  /** Bodies whose centre is below the ground. */
  below: number;
  /** Metres that a body is in the ground at most. */
  deepest: number;
}

/** Measures how bodies `first` to before `end` lie on the fixed bodies. */
export async function measureBurial(simulation: Simulation, first: number, end: number): Promise<Burial> {
  const poses = await simulation.readPoses();
  const { tester, arrays } = simulation;
  const bodies = posedBodies(arrays.shapes, poses);
  const grounds = [...arrays.fixed.keys()].filter((body) => arrays.fixed[body]);
  const moving = Array.from({ length: end - first }, (_, i) => first + i);
  const pairs = Uint32Array.from(moving.flatMap((body) => grounds.flatMap((ground) => [body, ground])));
  const { distance } = await tester.contacts(bodies, pairs);

  const high = 100;
  const origins = moving.flatMap((body) => [poses[BODY_FLOATS * body], high, poses[BODY_FLOATS * body + 2]]);
  const directions = Float32Array.from({ length: 3 * moving.length }, (_, i) => (i % 3 === 1 ? -1 : 0));
  const fixed = {
    shapes: Uint32Array.from(grounds, (ground) => bodies.shapes[ground]),
    positions: Float32Array.from(
      grounds.flatMap((ground) => [...bodies.positions.subarray(3 * ground, 3 * ground + 3)]),
    ),
    quaternions: Float32Array.from(
      grounds.flatMap((ground) => [...bodies.quaternions.subarray(4 * ground, 4 * ground + 4)]),
    ),
  };
  const { time } = await tester.rayCasts(fixed, { origins: Float32Array.from(origins), directions });
  const below = moving.filter((body, i) => poses[BODY_FLOATS * body + 1] < high - time[i]).length;
  return { below, deepest: Math.max(0, ...distance.map((gap) => -gap)) };
}
