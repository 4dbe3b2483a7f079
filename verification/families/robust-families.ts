/**
 * More pairs that break collision code: stacks at every size, concentric and contained bodies, nearly degenerate point
 * clouds, positions far from the origin.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import {
  anyFrame,
  f32,
  IDENTITY,
  multiply,
  pick,
  putPair,
  randomRotation,
  tilt,
  touchGap,
  type Maker,
  type Slot,
} from './arrangements.ts';
import { putRandomPair } from './family.ts';
import { hull32Points } from './random-shapes.ts';
import { below, uniform, unitVector, type Random } from './random.ts';

/**
 * Kissing and tilted stacks of boxes, prisms and drums of 1 cm to 1 km, with gaps and overlaps of 1e-5 and 1e-3 of
 * their size.
 */
export function stacks(): Maker {
  const sizes = [0.005, 0.05, 0.5, 5, 50, 500];
  const heights: number[] = [];
  const shapes = sizes.flatMap((size): ShapeDescription[] => {
    const [half, flat] = f32([size, 0.3 * size]);
    heights.push(half, flat, half, flat);
    return [
      { type: 'box', halfExtents: [half, half, half] },
      { type: 'box', halfExtents: [half, flat, f32([0.7 * size])[0]] },
      { type: 'cylinder', halfHeight: half, radius: half },
      { type: 'cylinder', halfHeight: flat, radius: half },
    ];
  });
  const put = (slot: Slot) => {
    const { random } = slot;
    const size = below(random, sizes.length);
    const a = 4 * size + below(random, 4);
    const b = 4 * size + below(random, 4);
    const across = () => sizes[size] * pick(random, [0, 0, 0.5, 1, uniform(random, -1.9, 1.9)]);
    const turn = pick(random, [IDENTITY, [0, 1, 0, 1], [0, uniform(random, -1, 1), 0, 1]]);
    const quaternion = random() < 0.4 ? multiply(tilt(random), turn) : turn;
    const position = [across(), heights[a] + heights[b] + touchGap(random, 2 * sizes[size]), across()];
    putPair(slot, a, b, { position, quaternion }, anyFrame(random));
  };
  return { shapes, put };
}

/**
 * Bodies around the same point, rotated against each other; small ones anywhere within large ones; and some near touch.
 */
export function concentric(random: Random): Maker {
  const large: ShapeDescription[] = [
    { type: 'box', halfExtents: [1, 1, 1] },
    { type: 'box', halfExtents: f32([1, 0.9, 0.8]) },
    { type: 'box', halfExtents: f32([1, 1, 0.1]) },
    { type: 'hull', points: hull32Points(random, 1) },
    { type: 'capsule', halfHeight: 1, radius: 0.5 },
    { type: 'cylinder', halfHeight: 1, radius: 0.75 },
    { type: 'cone', halfHeight: 1, radius: 1 },
    { type: 'ellipsoid', radii: f32([1, 0.8, 0.6]) },
  ];
  const small: ShapeDescription[] = [
    { type: 'box', halfExtents: f32([0.1, 0.1, 0.1]) },
    { type: 'sphere', radius: 0.125 },
    { type: 'hull', points: hull32Points(random, 0.125) },
    { type: 'cylinder', halfHeight: 0.125, radius: 0.0625 },
    { type: 'ellipsoid', radii: f32([0.1, 0.15, 0.2]) },
  ];
  const put = (slot: Slot) => {
    const a = below(random, large.length);
    if (random() < 0.35)
      return putRandomPair(random, slot.family, slot.cores, slot.index, [
        a,
        below(random, large.length + small.length),
      ]);
    const turn = pick(random, [IDENTITY, tilt(random), [1, 0, 0, 1], randomRotation(random)]);
    const nudge = unitVector(random, [0, 0, 0]).map((x) => pick(random, [0, 0, 1e-6, 1e-4, 1e-2]) * x);
    const inside = [0, 1, 2].map(() => uniform(random, -0.4, 0.4));
    const arrangements = [
      () => putPair(slot, a, a, { position: nudge, quaternion: turn }, anyFrame(random)),
      () => putPair(slot, a, below(random, large.length), { position: nudge, quaternion: turn }, anyFrame(random)),
      () =>
        putPair(
          slot,
          a,
          large.length + below(random, small.length),
          { position: random() < 0.3 ? nudge : inside, quaternion: turn },
          anyFrame(random),
        ),
    ];
    pick(random, arrangements)();
  };
  return { shapes: [...large, ...small], put };
}

/**
 * Ellipsoids whose half axes differ by shares of 1e-5 to 1e-1, and in them bodies of every kind and size, including
 * thin ones: all directions have almost the same depth.
 */
export function nearlyRound(random: Random): Maker {
  const large = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1].flatMap((by): ShapeDescription[] =>
    [0, 1].map(() => ({ type: 'ellipsoid', radii: f32([1, 1 + by * random(), 1 - by * random()]) })),
  );
  const small = [1e-3, 1e-2, 0.1, 0.7].flatMap((size): ShapeDescription[] => [
    { type: 'box', halfExtents: f32([size, 0.7 * size, 0.4 * size]) },
    { type: 'hull', points: hull32Points(random, size) },
    {
      type: 'triangle',
      points: Float32Array.from([0, 1, 2].flatMap(() => unitVector(random, [0, 0, 0]).map((x) => size * x))),
    },
    { type: 'capsule', halfHeight: f32([size])[0], radius: f32([0.3 * size])[0] },
    { type: 'cylinder', halfHeight: f32([0.5 * size])[0], radius: f32([size])[0] },
    { type: 'cone', halfHeight: f32([0.5 * size])[0], radius: f32([size])[0] },
    { type: 'ellipsoid', radii: f32([size, 0.003 * size, 0.003 * size]) },
    { type: 'ellipsoid', radii: f32([size, 0, size]) },
    { type: 'ellipsoid', radii: f32([size, 1.0001 * size, 0.999 * size]) },
  ]);
  const put = (slot: Slot) => {
    const round = below(random, large.length);
    if (random() < 0.2)
      return putRandomPair(random, slot.family, slot.cores, slot.index, [
        round,
        below(random, large.length + small.length),
      ]);
    const other = below(random, large.length + small.length);
    const [a, b] = random() < 0.5 ? [round, other] : [other, round];
    const far = pick(random, [0, 1e-6 * 10 ** (4 * random()), 0.7 * random()]);
    const position = unitVector(random, [0, 0, 0]).map((x) => far * x);
    putPair(slot, a, b, { position, quaternion: randomRotation(random) }, anyFrame(random));
  };
  return { shapes: [...large, ...small], put };
}

/**
 * Hulls of points that almost coincide, are almost collinear or almost coplanar. Some are off by less than f32 can
 * represent.
 */
export function nearPoints(random: Random): Maker {
  const shake = (points: number[], by: number) => Float32Array.from(points, (x) => x + by * uniform(random, -1, 1));
  const twice = (points: ArrayLike<number>, by: number) =>
    Float32Array.from([...Array.from(points), ...shake(Array.from(points), by)]);
  const onLine = (count: number) =>
    Array.from({ length: count }, () => uniform(random, -1, 1)).flatMap((t) => [t, 0.5 * t, -0.25 * t]);
  const cube = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [i & 1, i & 2, i & 4].map((bit) => (bit ? 0.5 : -0.5)));
  const shapes = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4].flatMap((by): ShapeDescription[] => [
    { type: 'hull', points: twice(cube, by) },
    { type: 'hull', points: twice(hull32Points(random, 1), by) },
    // Points along the cube's edges and in its faces.
    {
      type: 'hull',
      points: shake(
        [
          ...cube,
          ...cube.map((x, i) => (i % 3 === 0 ? 0.3 * x : x)),
          ...cube.map((x, i) => (i % 3 === 2 ? x : 0.3 * x)),
        ],
        by,
      ),
    },
    { type: 'hull', points: shake(onLine(9), by) },
    { type: 'hull', points: shake([...onLine(5), 0.2, 0.7, 0.1], by) },
    { type: 'hull', points: shake([...onLine(5), 0.2, 0.7, 0.1, -0.2, -0.7, -0.1], by) },
  ]);
  const put = (slot: Slot) => {
    const a = below(random, shapes.length);
    const b = below(random, shapes.length);
    if (random() < 0.5) return putRandomPair(random, slot.family, slot.cores, slot.index, [a, b]);
    const quaternion = pick(random, [IDENTITY, tilt(random), [0, 0, 1, 1], randomRotation(random)]);
    const step = pick(random, [0, 0.5, 1 + touchGap(random, 1)]);
    putPair(slot, a, b, { position: [step, 0, 0], quaternion }, anyFrame(random));
  };
  return { shapes, put };
}

/**
 * Bodies of half a metre some 1000 km from the world's origin, at random and in touching stacks, with 64-bit positions.
 */
export function farOut(random: Random): Maker {
  const shapes: ShapeDescription[] = [
    { type: 'box', halfExtents: [0.25, 0.25, 0.25] },
    { type: 'box', halfExtents: f32([0.25, 0.1, 0.2]), radius: Math.fround(0.02) },
    { type: 'hull', points: hull32Points(random, 0.25) },
    { type: 'sphere', radius: 0.25 },
    { type: 'capsule', halfHeight: 0.125, radius: 0.125 },
    { type: 'cylinder', halfHeight: 0.25, radius: 0.125 },
    { type: 'cone', halfHeight: 0.25, radius: 0.25 },
    { type: 'ellipsoid', radii: f32([0.25, 0.2, 0.1]) },
  ];
  const put = (slot: Slot) => {
    const { positions } = slot.family.bodies;
    const out = unitVector(random, [0, 0, 0]).map((x) => 1e6 * x);
    const pair = [below(random, shapes.length), below(random, shapes.length)] as const;
    if (random() < 0.5) putRandomPair(random, slot.family, slot.cores, slot.index, pair);
    else
      putPair(
        slot,
        pair[0],
        pair[0],
        { position: [0, 0.5 + touchGap(random, 0.5), 0], quaternion: pick(random, [IDENTITY, tilt(random)]) },
        anyFrame(random),
      );
    for (let k = 0; k < 6; k++) positions[6 * slot.index + k] += out[k % 3];
  };
  return { shapes, put, isWide: true };
}
