/**
 * Large queries are refused as small ones are: the device's check and the host's name the same fault, the first one of
 * several, and neither touches a target. Numbers at the limits are accepted by both.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bodies, MovingBodies } from '../../src/api/types.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';
import { areAll, differingFields, testerOfBothPaths, type BothPaths, type Path } from '../helpers/both-paths.ts';
import type { Numbers } from '../helpers/memory.ts';
import { dimensions, type AnyDescription, type Dimension } from '../helpers/dimensions.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

const SEED = 20_261_130;
const RUNS = 120;
const PAIRS = 600;
/** Bodies of the smallest large query, and of larger ones. Most are in no pair. */
const BODY_COUNTS = [2 ** 15 - PAIRS, 2 ** 15 - PAIRS + 1, 40_000];

const MARK = 77;
const GREATEST = Math.fround(1e30) * (1 - 2 ** -24);
const NO_NUMBERS = [NaN, Infinity, -Infinity];
/** 1e30 as f32 is above 1e30. */
const COORDINATES = [...NO_NUMBERS, 1e30, -1e30, 1e30 * (1 + 2 ** -52), 2e30, -3e38, GREATEST, -GREATEST, 1e-45, -0];

/** The numbers of a query, to be spoiled. */
interface Scene {
  dimension: Dimension;
  random: Random;
  shapes: Uint32Array;
  positions: Float32Array | Float64Array;
  rotations: Float32Array;
  scales: Float32Array;
  linear: Float32Array;
  angular: Float32Array;
  pairs: Uint32Array;
}

const LARGE_BALL = 3;
const REMOVED = 1;
/** Half-spaces are last; behind the caller's shapes comes one of the tester's own. */
const HALFSPACES = [4, 5];

function shapesOf(dimension: Dimension): AnyDescription[] {
  const { ball, box, axes } = dimension;
  // Without offsets: the host checks bodies whose half-spaces it moves.
  const halfspace: AnyDescription = { type: 'halfspace', normal: [0, 1, 0], offset: 0 };
  return [ball(0.5), box(1), box(1), ball(9e14), ...(axes === 3 ? [halfspace, halfspace] : [])];
}

function makeScene(dimension: Dimension, random: Random, count: number, isWide: boolean): Scene {
  const { axes, identity } = dimension;
  const fill = (width: number, from: number, to: number): Float32Array =>
    new Float32Array(width * count).map(() => from + (to - from) * random());
  return {
    dimension,
    random,
    shapes: new Uint32Array(count).map(() => 2 * below(random, 2)),
    positions: isWide ? Float64Array.from(fill(axes, 0, 50)) : fill(axes, 0, 50),
    rotations: fill(identity.length, 0.1, 1),
    scales: fill(1, 0.5, 1.5),
    linear: fill(axes, -1, 1),
    angular: fill(axes === 3 ? 3 : 1, -1, 1),
    pairs: Uint32Array.from({ length: 2 * PAIRS }, (_, i) => count - 1 - 25 * i),
  };
}

/** A number or an id that a query may be given, at one of its bodies. */
interface Fault {
  name: string;
  /** Some of them are valid. */
  values: readonly number[];
  put(scene: Scene, body: number, value: number): void;
}

/** The place of one of a body's `length` numbers. */
function someOf({ random }: Scene, length: number, body: number): number {
  return length * body + below(random, length);
}

function faultsOf(dimension: Dimension): Fault[] {
  const { axes, identity, name } = dimension;
  const width = identity.length;
  const angularWidth = axes === 3 ? 3 : 1;
  const shapeCount = shapesOf(dimension).length;
  const bounded: Fault[] = [
    {
      name: 'position',
      values: COORDINATES,
      put: (scene, body, value) => void (scene.positions[someOf(scene, axes, body)] = value),
    },
    {
      name: 'component of a rotation',
      values: [...NO_NUMBERS, 3e38, 1e6, 1e-45],
      put: (scene, body, value) => void (scene.rotations[someOf(scene, width, body)] = value),
    },
    {
      name: 'rotation',
      values: [0, 1e-45, 4.9e-7, 5.1e-7, 1e19, 3e38, NaN],
      put: ({ rotations }, body, value) => void rotations.fill(value, width * body, width * (body + 1)),
    },
    {
      name: 'only component of a rotation',
      values: [9.99999e-7, 1e-6, 1.000001e-6],
      put(scene, body, value) {
        scene.rotations.fill(0, width * body, width * (body + 1));
        scene.rotations[someOf(scene, width, body)] = value;
      },
    },
    {
      name: 'shape',
      values: [REMOVED, shapeCount, shapeCount + 1, shapeCount + 2, 0xffff_ffff],
      put: ({ shapes }, body, value) => void (shapes[body] = value),
    },
    {
      name: 'scale',
      values: [...NO_NUMBERS, 0, -0, -1, 1e15, 1.000001e15, 4e14, 6e14, 1e-45],
      put: ({ scales }, body, value) => void (scales[body] = value),
    },
    {
      name: 'scale of a large shape',
      values: [1, 1.1, 1.111, 1.112, 2],
      put({ shapes, scales }, body, value) {
        shapes[body] = LARGE_BALL;
        scales[body] = value;
      },
    },
    {
      name: 'linear velocity',
      values: COORDINATES,
      put: (scene, body, value) => void (scene.linear[someOf(scene, axes, body)] = value),
    },
    {
      name: 'component of an angular velocity',
      values: [...NO_NUMBERS, 30, 33, 63, 65, 1e38, 1e-45],
      put: (scene, body, value) => void (scene.angular[someOf(scene, angularWidth, body)] = value),
    },
    {
      name: 'angular velocity',
      values: [18, 19, 32, 36, 38],
      put: ({ angular }, body, value) => void angular.fill(value, angularWidth * body, angularWidth * (body + 1)),
    },
    {
      name: 'index in a pair',
      values: [0, 1, 2 ** 31 - 1].map((excess) => 2 ** 31 + excess).concat(-1, -2),
      // Those below 0 count from the number of bodies on.
      put: ({ pairs, shapes }, body, value) =>
        void (pairs[body % pairs.length] = value < 0 ? shapes.length - 1 - value : value),
    },
  ];
  if (name === '2-D') return bounded;
  const halfspace: Fault = {
    name: 'half-space opposite another',
    values: [0, ...HALFSPACES],
    put({ random, shapes, pairs }, body, value) {
      const first = 2 * (body % PAIRS);
      if (Math.max(pairs[first], pairs[first + 1]) >= shapes.length) return;
      shapes[pairs[first]] = pick(random, HALFSPACES);
      shapes[pairs[first + 1]] = value;
    },
  };
  return [...bounded, halfspace];
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[below(random, items.length)];
}

/** A query that is asked on one path, with its arrays. */
interface Ask {
  name: 'intersects' | 'distances' | 'contacts' | 'manifolds' | 'impacts';
  bodies: Bodies;
  pairs: Uint32Array;
  options: object;
}

function makeBodies(scene: Scene, isMoving: boolean): Pick<Ask, 'bodies' | 'pairs'> {
  const { dimension, shapes, positions, rotations, scales, linear, angular, pairs } = scene;
  const bodies = dimension.makeBodies({ shapes, positions, rotations, scales });
  const moving: MovingBodies = { ...bodies, linearVelocities: linear, angularVelocities: angular };
  return { bodies: isMoving ? moving : bodies, pairs };
}

function randomAsk(scene: Scene, isMoving: boolean): Ask {
  const { random } = scene;
  const given = makeBodies(scene, isMoving);
  if (isMoving) return { ...given, name: 'impacts', options: { duration: pick(random, [0, 0.5, 1, 1e-30, 40]) } };
  const name = pick(random, ['intersects', 'distances', 'contacts', 'manifolds'] as const);
  const isSat = name !== 'manifolds' && random() < 0.3;
  return { ...given, name, options: isSat ? { algorithm: 'sat' } : {} };
}

function markedTarget({ name, positions }: { name: string; positions: object }, length: number): object {
  const Points = positions instanceof Float64Array ? Float64Array : Float32Array;
  const array = (Type: new (length: number) => Numbers, width = 1): Numbers => new Type(width * length).fill(MARK);
  return {
    pair: array(Uint32Array),
    status: array(Uint8Array),
    hit: array(Uint8Array),
    normal: array(Float32Array, 3),
    distance: array(Float32Array, name === 'manifolds' ? 4 : 1),
    pointA: array(Points, 3),
    pointB: array(Points, 3),
    featureA: array(Uint32Array),
    featureB: array(Uint32Array),
    iterations: array(Uint16Array),
    contactDistance: array(Float32Array),
    pointCount: array(Uint8Array),
    position: array(Points, 12),
    feature: array(Uint32Array, 4),
    time: array(Float32Array),
    unclampedTime: array(Float32Array),
    point: array(Points, 3),
  };
}

describe.each(dimensions)('$name', (dimension) => {
  let device: GPUDevice;
  let paths: BothPaths;
  beforeAll(async () => {
    device = await openDefaultDevice('input-faults.device');
    paths = await testerOfBothPaths(dimension.axes, { device });
    dimension.useShapes(paths.tester, shapesOf(dimension));
    paths.tester.removeShape(REMOVED);
  });
  afterAll(() => {
    paths?.tester.dispose();
    device?.destroy();
  });

  /** The answer or the message of a query on one path; `isTouched`: its target was written. */
  async function outcomeOn(path: Path, { name, bodies, pairs, options }: Ask) {
    paths.take(path);
    const target = markedTarget({ name, positions: (bodies as { positions: object }).positions }, pairs.length / 2);
    const answer = await (paths.tester[name] as (...given: unknown[]) => Promise<object>)(bodies, pairs, {
      ...options,
      target,
    }).then(
      (result) => ({ result, message: undefined }),
      ({ code, message }: { code?: string; message: string }) => ({
        result: undefined,
        message: `${code}: ${message}`,
      }),
    );
    return { ...answer, isTouched: !areAll(target, MARK) };
  }

  /** Asks on both paths. Gives the message, or undefined if there is an answer. */
  async function expectSame(what: string, ask: Ask): Promise<string | undefined> {
    const before = paths.unchecked();
    const found = await outcomeOn('device', ask);
    const expected = await outcomeOn('host', ask);
    expect(found.message, what).toBe(expected.message);
    if (found.result) expect(differingFields(found.result, expected.result!), what).toEqual([]);
    else expect([found.isTouched, expected.isTouched], what).toEqual([false, false]);
    // The host checks pairs for SAT itself.
    expect(paths.unchecked() - before, what).toBe('algorithm' in ask.options ? 0 : 1);
    return found.message;
  }

  const faults = faultsOf(dimension);

  test.each(faults)('$name', async ({ name, values, put }) => {
    const seen = new Set<boolean>();
    await withoutErrors(device, async () => {
      for (const value of values) {
        for (const isWide of name === 'position' ? [false, true] : [false]) {
          const random = createRandom(SEED);
          const scene = makeScene(dimension, random, BODY_COUNTS[0], isWide);
          put(scene, pick(random, [0, below(random, BODY_COUNTS[0]), BODY_COUNTS[0] - 1]), value);
          const bodies = makeBodies(scene, true);
          const what = `${isWide ? '64-bit ' : ''}${value}`;
          const message = await expectSame(what, { ...bodies, name: 'impacts', options: { duration: 1 } });
          expect(message ?? 'INVALID_INPUT', what).toMatch(/^INVALID_INPUT/);
          seen.add(message === undefined);
        }
      }
    });
    // In 2-D every finite angle is valid, however small.
    expect(seen.has(false)).toBe(name !== 'only component of a rotation' || dimension.axes === 3);
  });

  test('several at once', async () => {
    let answered = 0;
    let refused = 0;
    await withoutErrors(device, async () => {
      for (let run = 0; run < RUNS; run++) {
        const random = createRandom(SEED + run);
        const scene = makeScene(dimension, random, pick(random, BODY_COUNTS), random() < 0.5);
        const last = scene.shapes.length - 1;
        const chosen = Array.from({ length: below(random, 5) }, () => pick(random, faults));
        for (const { put, values } of chosen)
          put(scene, pick(random, [0, last, below(random, last)]), pick(random, values));
        const names = chosen.map(({ name }) => name).join(', ');
        const ask = randomAsk(scene, random() < 0.2 || names.includes('velocity'));
        const message = await expectSame(`seed ${SEED}, run ${run}: ${ask.name} with ${names || 'no fault'}`, ask);
        if (message === undefined) answered++;
        else refused++;
      }
    });
    expect(Math.min(answered, refused)).toBeGreaterThan(RUNS / 10);
  });
});
