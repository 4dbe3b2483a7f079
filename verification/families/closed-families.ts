/**
 * Seeded families of the pairs that have a closed form, with many cases that closed forms get wrong: parallel,
 * collinear, crossing and zero-length capsules; sphere centres on and in boxes, in the planes of triangles, on edges
 * and corners, and slightly beside them.
 */

import type { BoxDescription, ShapeDescription, TriangleDescription } from '../../src/api/shapes.ts';
import { emptyFamily, poseOf, putBody, type Family } from './family.ts';
import { rotate, rotateBack, rotationMatrix } from '../oracle/shape.ts';
import { below, createRandom, uniform, unitVector, type Random } from './random.ts';

export const closedFamilyNames = ['capsules', 'sphere-box', 'sphere-triangle'] as const;
export type ClosedFamilyName = (typeof closedFamilyNames)[number];

type Vector = readonly number[];

const TURNS = [
  [0, 0, 0, 1],
  [0, 0, 1, 1],
  [0.5, 0.5, 0.5, 0.5],
  [1, 0, 0, 0],
  [0, 1, 0, 1],
];

/** `count` pairs; every other one has its shapes swapped. */
export function makeClosedFamily(name: ClosedFamilyName, count: number, seed: number): Family {
  const random = createRandom(seed);
  const shapes = { capsules: capsules(), 'sphere-box': boxes(random), 'sphere-triangle': triangles(random) }[name];
  const family = emptyFamily(name, shapes, count);
  const place = { capsules: placeCapsules, 'sphere-box': placeByBox, 'sphere-triangle': placeByTriangle }[name];
  for (let i = 0; i < count; i++) {
    const [first, second] = place(random, shapes, i);
    putBody(family, 2 * i + (i % 2), first.shape, first);
    putBody(family, 2 * i + 1 - (i % 2), second.shape, second);
  }
  return family;
}

interface Placed {
  shape: number;
  position: Vector;
  quaternion: Vector;
}

/** A pose at a grid point with quarter turns, where numbers are exact, or a random one. */
function somewhere(random: Random): { position: Vector; quaternion: Vector } {
  const isExact = random() < 0.5;
  return {
    position: [0, 1, 2].map(() => (isExact ? below(random, 9) - 4 : uniform(random, -4, 4))),
    quaternion: isExact ? TURNS[below(random, TURNS.length)] : unitVector(random, [0, 0, 0, 0]),
  };
}

/** Usually a multiple of a quarter, often 0, sometimes tiny. */
function gap(random: Random): number {
  const kind = random();
  if (kind < 0.3) return 0;
  if (kind < 0.5) return below(random, 5) / 4;
  if (kind < 0.8) return 10 ** -uniform(random, 2, 8);
  return uniform(random, 0, 1);
}

function sign(random: Random): number {
  return random() < 0.5 ? -1 : 1;
}

const SPHERES: ShapeDescription[] = [0, 0.125, 0.25, 0.5, 1, 3].map((radius) => ({ type: 'sphere', radius }));

function capsules(): ShapeDescription[] {
  const heights = [0, 0.25, 0.5, 1, 3, 20];
  return [
    ...SPHERES,
    ...heights.flatMap((halfHeight) =>
      [0, 0.125, 0.5].map((radius): ShapeDescription => ({ type: 'capsule', halfHeight, radius })),
    ),
  ];
}

/** Chooses the directions of both axes, and a point on each. The points are brought together up to a gap. */
function placeCapsules(random: Random, shapes: readonly ShapeDescription[], index: number): [Placed, Placed] {
  const capsule = (): number => SPHERES.length + below(random, shapes.length - SPHERES.length);
  const first = index % 5 === 0 ? below(random, SPHERES.length) : capsule();
  const second = index % 7 === 0 ? below(random, SPHERES.length) : capsule();
  const at = somewhere(random);
  const how = below(random, 4);
  // The same direction, a slightly different one, or any.
  const q = how === 0 ? at.quaternion : how === 1 ? somewhere(random).quaternion : unitVector(random, [0, 0, 0, 0]);
  const tilt = 10 ** -uniform(random, 2, 8);
  const quaternion = how === 3 ? at.quaternion.map((component) => component + tilt * uniform(random, -1, 1)) : q;
  const axisA = rotate(rotationMatrix(at.quaternion), [0, 1, 0]);
  const axisB = rotate(rotationMatrix(quaternion), [0, 1, 0]);
  const across = [
    axisA[1] * axisB[2] - axisA[2] * axisB[1],
    axisA[2] * axisB[0] - axisA[0] * axisB[2],
    axisA[0] * axisB[1] - axisA[1] * axisB[0],
  ];
  const sine = Math.hypot(...across);
  const normal =
    sine > 1e-3 && random() < 0.7 ? across.map((x) => x / sine) : rotate(rotationMatrix(at.quaternion), [1, 0, 0]);
  const apart = gap(random);
  const along = alongAxis(random, shapes[first]);
  const back = alongAxis(random, shapes[second]);
  const position = at.position.map((x, k) => x + along * axisA[k] - back * axisB[k] + apart * normal[k]);
  return [
    { shape: first, ...at },
    { shape: second, position, quaternion },
  ];
}

/** A point on the axis: the middle, an end, slightly off an end, anywhere, or beyond the ends. */
function alongAxis(random: Random, shape: ShapeDescription): number {
  const size = shape.type === 'capsule' ? shape.halfHeight : 0;
  return (
    sign(random) *
    [0, size, size + (random() - 0.5) * 10 ** -uniform(random, 2, 8), size * random(), size + gap(random)][
      below(random, 5)
    ]
  );
}

function boxes(random: Random): ShapeDescription[] {
  const length = (): number => [0, 0.25, 0.5, 1, 2, Math.fround(random())][below(random, 6)];
  return [
    ...SPHERES,
    ...Array.from({ length: 60 }, (_, i): ShapeDescription => ({
      type: 'box',
      halfExtents: [length(), length(), length()],
      radius: i % 3 === 0 ? 0.25 : 0,
    })),
  ];
}

/**
 * A sphere's centre in each of the 27 regions in turn. Along each axis it is below, between or above the box's faces,
 * or on one.
 */
function placeByBox(random: Random, shapes: readonly ShapeDescription[], index: number): [Placed, Placed] {
  const box = SPHERES.length + below(random, shapes.length - SPHERES.length);
  const { halfExtents } = shapes[box] as BoxDescription;
  const at = somewhere(random);
  const centre = Array.from(halfExtents, (size, axis) => {
    const side = (Math.floor(index / 3 ** axis) % 3) - 1;
    if (side !== 0) return side * (size + gap(random));
    return [0, size * uniform(random, -1, 1), sign(random) * Math.max(0, size - gap(random)), sign(random) * size][
      below(random, 4)
    ];
  });
  const turned = rotate(rotationMatrix(at.quaternion), centre);
  return [
    { shape: box, ...at },
    {
      shape: below(random, SPHERES.length),
      position: at.position.map((x, k) => x + turned[k]),
      quaternion: somewhere(random).quaternion,
    },
  ];
}

function triangles(random: Random): ShapeDescription[] {
  const corner = (): number[] =>
    [0, 1, 2].map(() => (random() < 0.7 ? (below(random, 9) - 4) / 4 : Math.fround(uniform(random, -1, 1))));
  const shapes = Array.from({ length: 160 }, (_, i): ShapeDescription => {
    const [a, b, c] = [corner(), corner(), corner()];
    const thin = 10 ** -uniform(random, 2, 7);
    const between = random();
    const sliver = a.map((x, k) => Math.fround(x + (b[k] - x) * between + thin * (k - 1)));
    const slivers = [
      [a, b, sliver],
      [sliver, a, b],
      [b, sliver, a],
      [a, a.map((x) => Math.fround(x + thin)), b],
    ];
    const points = [
      [a, b, c],
      slivers[i % 4],
      slivers[(i >> 2) % 4],
      [a, a, b],
      [a, a, a],
      [a, b, a.map((x, k) => (x + b[k]) / 2)],
    ][i % 6].flat();
    if (i % 8 === 7) return { type: 'hull', points: points.slice(0, 3 * (1 + (i % 3))) };
    return { type: 'triangle', points, radius: i % 4 === 0 ? 0.25 : 0 };
  });
  return [...SPHERES, ...shapes];
}

/** A sphere's centre over, in or beside the triangle, from weights of the corners and a height over the plane. */
function placeByTriangle(random: Random, shapes: readonly ShapeDescription[], index: number): [Placed, Placed] {
  const triangle = SPHERES.length + below(random, shapes.length - SPHERES.length);
  const points = Array.from((shapes[triangle] as TriangleDescription).points);
  const [a, b, c] = [0, 3, 6].map((i) => (i < points.length ? points.slice(i, i + 3) : points.slice(0, 3)));
  const at = somewhere(random);
  const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
  const plane = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const size = Math.hypot(...plane);
  // Inside, over an edge or a corner, or outside of one, depending on the index.
  const weights = [
    [0.25, 0.5, 0.25],
    [0.5, 0.5, 0],
    [0, 0, 1],
    [-gap(random), 0.5 + gap(random), 0.5],
    [1 + gap(random), -gap(random), 0],
    [uniform(random, -1, 2), uniform(random, -1, 2), 0],
  ][index % 6];
  const turn = below(random, 3);
  const [wa, wb] = [weights[turn], weights[(turn + 1) % 3]];
  const wc = 1 - wa - wb;
  const height = index % 2 === 0 ? 0 : sign(random) * gap(random);
  const normal = size > 0 ? plane.map((x) => x / size) : [0, 0, 1];
  const centre = [0, 1, 2].map((k) => wa * a[k] + wb * b[k] + wc * c[k] + height * normal[k]);
  const turned = rotate(rotationMatrix(at.quaternion), centre);
  return [
    { shape: triangle, ...at },
    {
      shape: below(random, SPHERES.length),
      position: at.position.map((x, k) => x + turned[k]),
      quaternion: somewhere(random).quaternion,
    },
  ];
}

/** Which of the box's 27 regions contains the sphere's centre in pair `index`. A centre on a face counts as between. */
export function boxRegion(family: Family, index: number): number {
  const [bodyBox, bodySphere] = index % 2 === 0 ? [2 * index, 2 * index + 1] : [2 * index + 1, 2 * index];
  const { halfExtents } = family.shapes[family.bodies.shapes[bodyBox]] as BoxDescription;
  const box = poseOf(family, bodyBox);
  const sphere = poseOf(family, bodySphere);
  const between = [0, 1, 2].map((k) => sphere.position[k] - box.position[k]);
  const centre = rotateBack(rotationMatrix(box.quaternion), between);
  return centre.reduce(
    (region, x, axis) => region + 3 ** axis * (x > halfExtents[axis] ? 2 : x < -halfExtents[axis] ? 0 : 1),
    0,
  );
}
