/** Distances of moving bodies, frame by frame, by each algorithm. */
import type { LeadStage } from '../../../src/request/backend.ts';
import { NO_GUESS } from '../../../src/cpu/gjk.ts';
import { distance } from '../../../src/cpu/queries/distances.ts';
import { createPairResult } from '../../../src/cpu/queries/result.ts';
import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import type { Family } from '../../../verification/families/family.ts';
import { createMotion } from '../../../verification/families/stepped-bodies.ts';
import { areSolids, comparedFamily, type ComparedName } from './families.ts';
import { polyhedronOf } from './polyhedron.ts';
import { motionsBetween, VERTEX, vClip, type Walker } from './v-clip.ts';
import { sceneOf } from './scene.ts';
import { askContact, clock, WAYS } from './ways.ts';
import { options } from './options.ts';

/** Pairs that move, and how far from frame to frame, as a share of the larger of their sizes. */
export const MOVING = 1000;
export const STEP = 0.01;

interface Moving {
  name: string;
  first: number;
  later: number;
  microseconds: number;
  error: number;
  wrong: number;
}

const answer = createPairResult();

/** What finds the distance of pair `index`: 0 where it overlaps, NaN for no answer. */
type Finder = (index: number) => { distance: number; steps: number };

/** Distances frame by frame of bodies that move a little. */
export function compareMoving(name: ComparedName): Moving[] {
  const start = comparedFamily(name, MOVING, options.seed + 1);
  const frames: Family[] = [];
  const move = createMotion(start, options.seed);
  for (let frame = 0; frame < options.frames; frame++) {
    const { shapes, positions, quaternions } = start.bodies;
    frames.push({ ...start, bodies: { shapes, positions: positions.slice(), quaternions: quaternions.slice() } });
    move(STEP);
  }
  const scenes = frames.map(sceneOf);
  const truths = scenes.map((scene) =>
    Float64Array.from({ length: MOVING }, (_, i) => Math.max(askContact(scene, WAYS[0], i, Infinity).distance, 0)),
  );
  const query =
    (leadStage: LeadStage, guesses?: Float64Array[]) =>
    (frame: number): Finder =>
    (index) => {
      const scene = scenes[frame];
      const found = distance(
        scene.place(index),
        scene.shapeA(index),
        scene.shapeB(index),
        { margin: Infinity, leadStage },
        answer,
        guesses?.[index],
      );
      return { distance: found.distance, steps: found.iterations };
    };
  const ways: [name: string, fresh: () => (frame: number) => Finder][] = [
    ['GJK', () => query('none')],
    [
      'GJK, warm',
      () =>
        query(
          'none',
          Array.from({ length: MOVING }, () => NO_GUESS.slice()),
        ),
    ],
    ['MPR, then GJK', () => query('mpr')],
  ];
  if (areSolids(start)) {
    const solids = start.shapes.map(polyhedronOf);
    const walk = (isWarm: boolean) => () => {
      const { shapes } = start.bodies;
      const walkers = Array.from(
        { length: 2 * MOVING },
        (_, body) => ({ solid: solids[shapes[body]], kind: VERTEX, index: 0 }) as Walker,
      );
      return (frame: number): Finder => {
        const { positions, quaternions } = frames[frame].bodies;
        const poseOf = (body: number) => ({
          position: positions.subarray(3 * body, 3 * body + 3),
          quaternion: quaternions.subarray(4 * body, 4 * body + 4),
        });
        return (index) => {
          const [a, b] = [walkers[2 * index], walkers[2 * index + 1]];
          [a.motion, b.motion] = motionsBetween(poseOf(2 * index), poseOf(2 * index + 1));
          if (!isWarm) a.kind = b.kind = VERTEX;
          if (!isWarm) a.index = b.index = 0;
          const found = vClip(a, b);
          return { distance: found.isLost ? NaN : found.distance, steps: found.steps };
        };
      };
    };
    ways.push(['V-Clip', walk(false)], ['V-Clip, warm', walk(true)]);
  }
  const times = clock(
    MOVING * options.frames,
    ways.map(([, fresh]) => () => {
      const finders = fresh();
      for (let frame = 0; frame < options.frames; frame++) {
        const find = finders(frame);
        for (let i = 0; i < MOVING; i++) find(i);
      }
    }),
  );
  return ways.map(([wayName, fresh], w) => {
    const row: Moving = { name: wayName, first: 0, later: 0, microseconds: times[w], error: 0, wrong: 0 };
    const findersOf = fresh();
    for (let frame = 0; frame < options.frames; frame++) {
      const find = findersOf(frame);
      for (let i = 0; i < MOVING; i++) {
        const { distance: found, steps } = find(i);
        const t = TOLERANCE.reference * scenes[frame].sizeOf(i);
        if (frame === 0) row.first += steps / MOVING;
        else row.later += steps / MOVING / (options.frames - 1);
        if (Number.isNaN(found) || (found > 0 !== truths[frame][i] > 0 && !(Math.abs(found - truths[frame][i]) <= t)))
          row.wrong++;
        row.error = Math.max(
          row.error,
          Number.isNaN(found) ? Infinity : Math.abs(found - truths[frame][i]) / scenes[frame].sizeOf(i),
        );
      }
    }
    return row;
  });
}
