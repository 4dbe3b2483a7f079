/** Queries with numbers that are wrong, or at the limits of what is accepted. */

import type { Bodies, MovingBodies, Tester } from '../../src/api/types.ts';
import { below, type Random } from '../../verification/families/random.ts';
import { areAll } from './both-paths.ts';
import type { Numbers } from './memory.ts';
import type { AnyDescription, Dimension } from './dimensions.ts';

/** What targets are filled with. */
const MARK = 77;
const GREATEST = Math.fround(1e30) * (1 - 2 ** -24);
const NO_NUMBERS = [NaN, Infinity, -Infinity];
/** 1e30 as f32 is above 1e30. */
const COORDINATES = [...NO_NUMBERS, 1e30, -1e30, 1e30 * (1 + 2 ** -52), 2e30, -3e38, GREATEST, -GREATEST, 1e-45, -0];

/** The numbers of a query, to be spoiled. */
export interface Scene {
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
export const REMOVED = 1;
/** Half-spaces are last; behind the caller's shapes comes one of the tester's own. */
const HALFSPACES = [4, 5];

export function shapesOf(dimension: Dimension): AnyDescription[] {
  const { ball, axes } = dimension;
  // Without offsets: the host checks bodies whose half-spaces it moves.
  const halfspace: AnyDescription = { type: 'halfspace', normal: [0, 1, 0], offset: 0 };
  return [ball(0.5), ball(1), ball(1), ball(9e14), ...(axes === 3 ? [halfspace, halfspace] : [])];
}

/** `isWide`: positions are 64-bit. The pairs are of the last bodies, or of all of them, again and again. */
export function makeScene(
  dimension: Dimension,
  random: Random,
  { bodyCount: count, pairCount, isWide }: { bodyCount: number; pairCount: number; isWide: boolean },
): Scene {
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
    pairs: Uint32Array.from({ length: 2 * pairCount }, (_, i) => count - 1 - ((25 * i) % count)),
  };
}

/** A number or an id that a query may be given, at one of its bodies. */
export interface Fault {
  name: string;
  /** Some of them are valid. */
  values: readonly number[];
  put(scene: Scene, body: number, value: number): void;
}

/** The place of one of a body's `length` numbers. */
function someOf({ random }: Scene, length: number, body: number): number {
  return length * body + below(random, length);
}

export function faultsOf(dimension: Dimension): Fault[] {
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
      const first = 2 * (body % (pairs.length / 2));
      if (Math.max(pairs[first], pairs[first + 1]) >= shapes.length) return;
      shapes[pairs[first]] = pick(random, HALFSPACES);
      shapes[pairs[first + 1]] = value;
    },
  };
  return [...bounded, halfspace];
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[below(random, items.length)];
}

/** A query that is asked on one path, with its arrays. */
export interface Ask {
  name: 'intersects' | 'distances' | 'contacts' | 'manifolds' | 'impacts';
  bodies: Bodies;
  pairs: Uint32Array;
  options: object;
}

export function makeBodies(scene: Scene, isMoving: boolean): Pick<Ask, 'bodies' | 'pairs'> {
  const { dimension, shapes, positions, rotations, scales, linear, angular, pairs } = scene;
  const bodies = dimension.makeBodies({ shapes, positions, rotations, scales });
  const moving: MovingBodies = { ...bodies, linearVelocities: linear, angularVelocities: angular };
  return { bodies: isMoving ? moving : bodies, pairs };
}

export function randomAsk(scene: Scene, isMoving: boolean): Ask {
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

export interface Outcome {
  result: object | undefined;
  message: string | undefined;
  /** Whether the target was written. */
  isTouched: boolean;
}

/** The answer or the message of a query. */
export async function outcomeOf(tester: Tester, { name, bodies, pairs, options }: Ask): Promise<Outcome> {
  const target = markedTarget({ name, positions: (bodies as { positions: object }).positions }, pairs.length / 2);
  const answer = await (tester[name] as (...given: unknown[]) => Promise<object>)(bodies, pairs, {
    ...options,
    target,
  }).then(
    (result) => ({ result, message: undefined }),
    ({ code, message }: { code?: string; message: string }) => ({ result: undefined, message: `${code}: ${message}` }),
  );
  return { ...answer, isTouched: !areAll(target, MARK) };
}
