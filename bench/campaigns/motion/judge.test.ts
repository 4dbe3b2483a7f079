/** The judge of `npm run motion` finds what is wrong with a time of impact, and nothing where nothing is. */

import { describe, expect, test } from 'vitest';
import { openByName } from './engines.ts';
import {
  createVerdict,
  judge,
  type Answers,
  type Terms,
  type Verdict,
} from '../../../verification/judges/motion/judge.ts';
import { createMoving, takePair, type MovingBodyArrays } from '../../../verification/judges/motion/moving.ts';
import { UsageError } from '../../options.ts';
import { parseOptions } from './options.ts';
import { makeChunk, TYPE_PAIRS } from './pairs.ts';
import { count, createStatistics } from './statistics.ts';
import { createShape } from '../../../src/cpu.ts';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import { F32_ROUNDING, TOLERANCE } from '../../../src/shapes/tolerances.ts';
import { Status } from '../../../src/api/types.ts';

const TERMS: Terms = { precision: 'kernels', rounding: F32_ROUNDING };

interface Motion {
  shapes: [ShapeDescription, ShapeDescription];
  positions: number[];
  velocities: number[];
  spins?: number[];
  duration: number;
}

interface Answer {
  status: number;
  time: number;
  unclampedTime: number;
  normal: number[];
  point: number[];
}

function judged(
  { shapes, positions, velocities, spins, duration }: Motion,
  { status, time, unclampedTime, normal, point }: Answer,
): Verdict {
  const bodies: MovingBodyArrays = {
    shapes: Uint32Array.of(0, 1),
    positions: Float32Array.from(positions),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    linearVelocities: Float32Array.from(velocities),
    ...(spins && { angularVelocities: Float32Array.from(spins) }),
  };
  const data = shapes.map((shape) => createShape(shape));
  const moving = createMoving(data[0]);
  takePair(data, bodies, 0, 1, duration, moving);
  const answers: Answers = { status: [status], time: [time], unclampedTime: [unclampedTime], normal, point };
  return judge(moving, answers, 0, TERMS, createVerdict());
}

const MISS: Answer = {
  status: Status.Separated,
  time: Infinity,
  unclampedTime: Infinity,
  normal: [0, 0, 0],
  point: [0, 0, 0],
};

function at(time: number): Partial<Answer> {
  return { time: Math.max(time, 0), unclampedTime: time };
}

/** Two unit balls, 4 apart, that touch after 1 second and part after 3. */
const balls: Motion = {
  shapes: [
    { type: 'sphere', radius: 1 },
    { type: 'sphere', radius: 1 },
  ],
  positions: [0, 0, 0, 4, 0, 0],
  velocities: [0.5, 0, 0, -1.5, 0, 0],
  duration: 5,
};
const hit: Answer = { status: Status.Overlapping, time: 1, unclampedTime: 1, normal: [1, 0, 0], point: [1.5, 0, 0] };
/** Seconds in which the distance of balls at a speed of 2, which start 4 apart, changes by 10 tolerances. */
const TEN = (10 * TOLERANCE.kernels * 4) / 2;

describe('straight motion', () => {
  test('the right answer has no fault, and none within the tolerance', () => {
    expect(judged(balls, hit)).toMatchObject({
      outcome: 'hit',
      faults: [],
      distanceError: 0,
      pointError: 0,
      isUnknown: false,
    });
    expect(judged(balls, { ...hit, ...at(1 + TEN / 20) })).toMatchObject({ faults: [] });
    expect(judged({ ...balls, duration: 0.9 }, MISS)).toMatchObject({ outcome: 'miss', faults: [] });
  });

  test.each<[what: string, answer: Partial<Answer>, faults: string[]]>([
    ['a time that is 10 tolerances too late', at(1 + TEN), ['outside']],
    ['a time that is 10 tolerances too early', at(1 - TEN), ['outside']],
    ['the time when they part', { ...at(3), normal: [-1, 0, 0], point: [0.5, 0, 0] }, ['early']],
    ['a time after the motion', { ...at(6), point: [4, 0, 0] }, ['form']],
    ['a miss', MISS, ['missed']],
    ['a miss with a time', { ...MISS, time: 1 }, ['form', 'missed']],
    ['a normal that is too long', { normal: [1.0001, 0, 0] }, ['unit']],
    ['a normal that is zero', { normal: [0, 0, 0] }, ['unit']],
    ['a normal the other way round', { normal: [-1, 0, 0] }, ['supports']],
    ['a normal beside the right one', { normal: [Math.cos(0.1), Math.sin(0.1), 0] }, ['supports']],
    ['a point off the surfaces', { point: [1.5, 1e-2, 0] }, ['point']],
    ['a time that differs from the unclamped one', { time: 1.5 }, ['form']],
    ['a bound behind the impact', { status: Status.NotConverged, ...at(1 + TEN) }, ['early']],
    ['a negative time though they are apart to begin with', at(-1), ['apart', 'outside', 'point']],
    ['a refusal', { status: Status.InvalidInput }, ['refused']],
    ['a status that there is not', { status: 7 }, ['refused']],
  ])('%s is wrong', (_, answer, faults) => {
    const verdict = judged(balls, { ...hit, ...answer });
    for (const fault of faults) expect(verdict.faults).toContain(fault);
  });

  test.each<[what: string, answer: Partial<Answer>]>([
    ['time', { time: NaN }],
    ['unclamped time', { unclampedTime: NaN }],
    ['both times', { time: NaN, unclampedTime: NaN }],
    ['normal', { normal: [1, NaN, 0] }],
    ['point', { point: [1.5, 0, NaN] }],
    ['a coordinate of the point that is infinite', { point: [Infinity, 0, 0] }],
    ['time of a bound', { status: Status.NotConverged, time: NaN, unclampedTime: NaN }],
    ['time of a miss', { ...MISS, time: NaN, unclampedTime: NaN }],
    ['normal of a miss', { ...MISS, normal: [NaN, 0, 0] }],
  ])('NaN or infinity is wrong: %s', (_, answer) => {
    expect(judged(balls, { ...hit, ...answer }).faults).not.toEqual([]);
  });

  test('a bound before the impact is right, a miss by less than the tolerance as well', () => {
    expect(judged(balls, { ...hit, status: Status.NotConverged, ...at(0.9) })).toMatchObject({
      outcome: 'open',
      faults: [],
    });
    const grazing = { ...balls, positions: [0, 0, 0, 4, 2 - 1e-6, 0] };
    expect(judged(grazing, MISS).faults).toEqual([]);
    expect(judged({ ...balls, positions: [0, 0, 0, 4, 2 - 1e-3, 0] }, MISS).faults).toEqual(['missed']);
  });

  test('of an overlap to begin with the time is when they met, not when they part', () => {
    const overlapping = { ...balls, positions: [0, 0, 0, 1, 0, 0] };
    const right: Answer = { ...hit, ...at(-0.5), point: [0.75, 0, 0] };
    expect(judged(overlapping, right)).toMatchObject({ outcome: 'start', faults: [] });
    expect(judged(overlapping, { ...right, ...at(-0.5 - TEN) }).faults).toContain('outside');
    expect(judged(overlapping, { ...right, ...at(1.5), normal: [-1, 0, 0], point: [-0.25, 0, 0] }).faults).toContain(
      'early',
    );
    expect(judged(overlapping, { ...right, ...at(-Infinity) }).faults).toContain('form');
    expect(judged({ ...overlapping, velocities: [1, 0, 0, 1, 0, 0] }, { ...right, ...at(-Infinity) }).faults).toEqual(
      [],
    );
  });
});

describe('turning bodies', () => {
  /** A rod from -2 to 2 that turns half around, through a ball of radius 0.25 at (1.5, 0, 0). */
  const sweep: Motion = {
    shapes: [
      { type: 'capsule', halfHeight: 2, radius: 0 },
      { type: 'sphere', radius: 0.25 },
    ],
    positions: [0, 0, 0, 1.5, 0, 0],
    velocities: [0, 0, 0, 0, 0, 0],
    spins: [0, 0, 1, 0, 0, 0],
    duration: 3,
  };
  // From along y it has to turn by 90 degrees less half the angle that the ball is seen under.
  const half = Math.asin(0.25 / 1.5);
  const meet = Math.PI / 2 - half;
  const reach = Math.sqrt(1.5 ** 2 - 0.25 ** 2);
  // The lower half of it comes to lie below the ball.
  const right: Answer = {
    status: Status.Overlapping,
    time: meet,
    unclampedTime: meet,
    normal: [Math.sin(half), Math.cos(half), 0],
    point: [reach * Math.cos(half), -reach * Math.sin(half), 0],
  };

  test('the right answer has no fault', () => {
    expect(judged(sweep, right)).toMatchObject({ outcome: 'hit', faults: [] });
  });

  test('a ball that the rod sweeps over between two times when they are apart is seen', () => {
    expect(judged(sweep, MISS).faults).toEqual(['missed']);
    const tiny: Motion = { ...sweep, shapes: [sweep.shapes[0], { type: 'sphere', radius: 1e-4 }] };
    expect(judged(tiny, MISS).faults).toEqual(['missed']);
    expect(judged({ ...tiny, duration: 1.5 }, MISS).faults).toEqual([]);
    expect(judged(sweep, { ...right, ...at(meet + 2 * half) }).faults).toContain('early');
  });

  test('a plane that turns over a ball is seen', () => {
    const plane: Motion = {
      ...sweep,
      shapes: [
        { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
        { type: 'sphere', radius: 0.25 },
      ],
      positions: [0, 0, 0, 0, 1.5, 0],
    };
    expect(judged(plane, MISS).faults).toEqual(['missed']);
    expect(judged({ ...plane, duration: 1.3 }, MISS).faults).toEqual([]);
  });
});

describe('random pairs', () => {
  test.each(['straight', 'turning'] as const)(
    '%s: a third and more meet, an eighth and more overlap to begin with, and the reference is right',
    async (kind) => {
      const reference = await openByName('reference');
      const types = TYPE_PAIRS.find(([a, b]) => a === 'box' && b === 'capsule')!;
      const chunk = makeChunk(types, kind, 0, 400, 3);
      const answers = await reference.ask(chunk);
      const statistics = createStatistics();
      const moving = createMoving(chunk.data[0]);
      const verdict = createVerdict();
      for (let pair = 0; pair < 400; pair++) {
        takePair(chunk.data, chunk.bodies, 2 * pair, 2 * pair + 1, chunk.duration, moving);
        count(judge(moving, answers, pair, reference.terms, verdict), statistics);
      }
      expect(statistics).toMatchObject({ pairs: 400, faulty: 0, unknown: 0 });
      expect(statistics.outcomes.hit).toBeGreaterThan(130);
      expect(statistics.outcomes.start).toBeGreaterThan(60);
      expect(statistics.outcomes.miss).toBeGreaterThan(30);
    },
  );

  test('fewer pairs are the first of more', () => {
    const few = makeChunk(TYPE_PAIRS[1], 'turning', 2, 3, 5).bodies;
    const more = makeChunk(TYPE_PAIRS[1], 'turning', 2, 9, 5).bodies;
    expect(few.positions).toEqual(more.positions.subarray(0, 18));
    expect(few.angularVelocities).toEqual(more.angularVelocities!.subarray(0, 18));
  });
});

test('a largest error that is no number stays one', () => {
  const statistics = createStatistics();
  for (const error of [0, NaN, 1e-9]) count({ ...createVerdict(), distanceError: error }, statistics);
  expect(statistics.distanceError).toBeNaN();
});

test('the command line names types by themselves or in pairs', () => {
  expect(parseOptions(['--types', 'box,hull'])!.types).toEqual([
    ['box', 'box'],
    ['box', 'hull'],
    ['hull', 'hull'],
  ]);
  expect(parseOptions(['--types', 'hull/box'])!.types).toEqual([['box', 'hull']]);
  expect(parseOptions([])!.types).toHaveLength(54);
  expect(() => parseOptions(['--engines', 'cpu,gpu'])).toThrow(UsageError);
  expect(() => parseOptions(['--pairs', '-1'])).toThrow(UsageError);
});
