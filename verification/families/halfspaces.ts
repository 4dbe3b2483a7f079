/**
 * Bounded shapes of every type against half-spaces, and their signed distances by the definition of a half-space: the
 * least height of the shape over the plane. Heights of curved shapes are computed here, from the shapes' equations.
 */

import type { ConvexDescription, ShapeDescription } from '../../src/api/shapes.ts';
import { emptyFamily, poseOf, putBody, type Family, type Pose } from './family.ts';
import { corePieces, rotate, rotateBack, rotationMatrix, type Vector } from '../oracle/shape.ts';
import { hull32Points } from './random-shapes.ts';
import { below, createRandom, spread, uniform, unitVector, type Random } from './random.ts';

const QUARTERS = [
  [0, 0, 0, 1],
  [0, 0, 1, 1],
  [0.5, 0.5, 0.5, 0.5],
  [1, 0, 0, 0],
  [0, 1, 0, 1],
];

/** Multiples of a quarter, 0 included, or any size. */
function length(random: Random): number {
  return random() < 0.5 ? below(random, 5) / 4 : Math.fround(spread(random, 2, 4));
}

const makers: Record<Exclude<ConvexDescription['type'], 'halfspace'>, (random: Random) => ShapeDescription> = {
  sphere: (random) => ({ type: 'sphere', radius: length(random) }),
  box: (random) => ({
    type: 'box',
    halfExtents: [length(random), length(random), length(random)],
    radius: length(random),
  }),
  capsule: (random) => ({ type: 'capsule', halfHeight: length(random), radius: length(random) }),
  triangle: (random) => ({
    type: 'triangle',
    points: Array.from({ length: 9 }, () => Math.fround(uniform(random, -1, 1))),
    radius: length(random),
  }),
  hull: (random) => ({ type: 'hull', points: hull32Points(random, spread(random, 1, 3)), radius: length(random) }),
  cylinder: (random) => ({ type: 'cylinder', halfHeight: length(random), radius: length(random) }),
  cone: (random) => ({ type: 'cone', halfHeight: length(random), radius: length(random) }),
  ellipsoid: (random) => ({ type: 'ellipsoid', radii: [length(random), length(random), length(random)] }),
};

export const boundedTypes = Object.keys(makers) as (keyof typeof makers)[];

const SHAPES = 24;

/**
 * `count` pairs of the type and half-spaces, in either order: near the plane and far from it, on either side, the shape
 * often lying flat on it.
 */
export function makeHalfspaceFamily(type: keyof typeof makers, count: number, seed: number): Family {
  const random = createRandom(seed);
  const bounded = Array.from({ length: SHAPES }, () => makers[type](random));
  const axes = [
    [0, 1, 0],
    [0, -2, 0],
    [0, 0, 1],
    [3, 0, 0],
  ];
  const planes = Array.from({ length: SHAPES }, (_, i): ShapeDescription => ({
    type: 'halfspace',
    normal: i < axes.length ? axes[i] : unitVector(random, [0, 0, 0]).map((x) => x * spread(random, 10, 6)),
    offset: i % 3 === 0 ? 0 : Math.fround(uniform(random, -3, 3)),
  }));
  const family = emptyFamily(type, [...bounded, ...planes], count);
  family.bodies.scales = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const shape = below(random, SHAPES);
    const plane = SHAPES + below(random, SHAPES);
    const turn = (): readonly number[] =>
      random() < 0.5 ? QUARTERS[below(random, QUARTERS.length)] : unitVector(random, [0, 0, 0, 0]);
    const [first, second] = [i % 2, 1 - (i % 2)];
    const body = 2 * i + first;
    const other = 2 * i + second;
    putBody(family, other, plane, {
      position: [0, 1, 2].map(() => uniform(random, -2, 2)),
      quaternion: turn(),
      scale: Math.fround(spread(random, 2, 3)),
    });
    putBody(family, body, shape, {
      position: [0, 1, 2].map(() => uniform(random, -2, 2)),
      quaternion: turn(),
      scale: Math.fround(spread(random, 2, 3)),
    });
    // The shape is moved to a height over the plane: on it, slightly off it, or anywhere.
    const height = [0, 10 ** -uniform(random, 2, 6), -(10 ** -uniform(random, 2, 6)), uniform(random, -2, 2)][
      below(random, 4)
    ];
    const pose = poseOf(family, body);
    const by = height - heightOver(family, plane, poseOf(family, other), shape, pose);
    const normal = planeNormal(family, plane, poseOf(family, other));
    family.bodies.positions.set(
      [0, 1, 2].map((k) => pose.position[k] + by * normal[k]),
      3 * body,
    );
  }
  return family;
}

function planeNormal(family: Family, plane: number, pose: Pose): Vector {
  const { normal } = family.shapes[plane] as { normal: ArrayLike<number> };
  const rounded = Array.from(normal, Math.fround);
  const size = Math.hypot(...rounded);
  return rotate(
    rotationMatrix(pose.quaternion),
    rounded.map((x) => x / size),
  );
}

function heightOver(family: Family, plane: number, planePose: Pose, shape: number, pose: Pose): number {
  const { offset } = family.shapes[plane] as { offset: number };
  const normal = planeNormal(family, plane, planePose);
  const between = normal.reduce((sum, x, k) => sum + x * (pose.position[k] - planePose.position[k]), 0);
  const down = rotateBack(
    rotationMatrix(pose.quaternion),
    normal.map((x) => -x),
  );
  return between - depth(family.shapes[shape], down) * (pose.scale ?? 1) - Math.fround(offset) * (planePose.scale ?? 1);
}

/** How far a shape extends from its origin along the unit vector d. */
export function depth(shape: ShapeDescription, d: Vector): number {
  const slope = Math.hypot(d[0], d[2]);
  switch (shape.type) {
    case 'cylinder':
      return shape.radius * slope + shape.halfHeight * Math.abs(d[1]);
    case 'cone':
      return Math.max(shape.halfHeight * d[1], shape.radius * slope - shape.halfHeight * d[1]);
    case 'ellipsoid':
      return Math.hypot(...Array.from(shape.radii, (radius, k) => radius * d[k]));
    case 'halfspace':
    case 'compound':
    case 'mesh':
      throw new Error(`a ${shape.type} has no support here`);
    default: {
      const points = corePieces(shape).points;
      let most = -Infinity;
      for (let i = 0; i < points.length; i += 3)
        most = Math.max(most, points[i] * d[0] + points[i + 1] * d[1] + points[i + 2] * d[2]);
      return most + (shape.radius ?? 0);
    }
  }
}

export interface HalfspacePair {
  index: number;
  /** Whether the half-space is A. */
  isFirst: boolean;
  shapeA: number;
  shapeB: number;
  poseA: Pose;
  poseB: Pose;
  /** True signed distance, and unit vector from A to B. */
  distance: number;
  normal: Vector;
  /** max(s, |B - A|). A half-space adds nothing to s. */
  size: number;
}

export function halfspacePairs(family: Family): HalfspacePair[] {
  return Array.from({ length: family.pairs.length / 2 }, (_, index) => {
    const [poseA, poseB] = [poseOf(family, 2 * index), poseOf(family, 2 * index + 1)];
    const [shapeA, shapeB] = [family.bodies.shapes[2 * index], family.bodies.shapes[2 * index + 1]];
    const isFirst = family.shapes[shapeA].type === 'halfspace';
    const [plane, planePose, shape, pose] = isFirst ? [shapeA, poseA, shapeB, poseB] : [shapeB, poseB, shapeA, poseA];
    const out = planeNormal(family, plane, planePose);
    const between = Math.hypot(...[0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]));
    const size = Math.max(boundingRadius(family.shapes[shape]) * (pose.scale ?? 1), between);
    const distance = heightOver(family, plane, planePose, shape, pose);
    return {
      index,
      isFirst,
      shapeA,
      shapeB,
      poseA,
      poseB,
      distance,
      normal: isFirst ? out : (out.map((x) => -x) as Vector),
      size,
    };
  });
}

function boundingRadius(shape: ShapeDescription): number {
  switch (shape.type) {
    case 'cylinder':
    case 'cone':
      return Math.hypot(shape.radius, shape.halfHeight);
    case 'ellipsoid':
      return Math.max(...Array.from(shape.radii));
    case 'halfspace':
    case 'compound':
    case 'mesh':
      return 0;
    default: {
      const points = corePieces(shape).points;
      let most = 0;
      for (let i = 0; i < points.length; i += 3)
        most = Math.max(most, Math.hypot(points[i], points[i + 1], points[i + 2]));
      return most + (shape.radius ?? 0);
    }
  }
}

/**
 * How far a point is outside the shape's surface, by the shape's own equation. An upper bound; exact to first order at
 * the surface.
 */
export function offSurface(shape: ShapeDescription, pose: Pose, point: ArrayLike<number>): number {
  const scale = pose.scale ?? 1;
  const [x, y, z] = rotateBack(
    rotationMatrix(pose.quaternion),
    [0, 1, 2].map((k) => point[k] - pose.position[k]),
  ).map((v) => v / scale);
  const across = Math.hypot(x, z);
  switch (shape.type) {
    case 'cylinder':
      return scale * Math.max(across - shape.radius, Math.abs(y) - shape.halfHeight);
    case 'cone': {
      // Over the side's line from the apex to the rim, or below the base.
      const slant = Math.hypot(shape.radius, 2 * shape.halfHeight);
      const side =
        slant === 0
          ? Math.hypot(across, y)
          : (across * 2 * shape.halfHeight + (y - shape.halfHeight) * shape.radius) / slant;
      return scale * Math.max(side, -shape.halfHeight - y, y - shape.halfHeight, across - shape.radius);
    }
    case 'ellipsoid': {
      const [a, b, c] = Array.from(shape.radii);
      const flat = Math.max(a > 0 ? 0 : Math.abs(x), b > 0 ? 0 : Math.abs(y), c > 0 ? 0 : Math.abs(z));
      return (
        scale *
        Math.max(
          flat,
          (Math.hypot(share(x, a), share(y, b), share(z, c)) - 1) *
            Math.min(...[a, b, c].filter((radius) => radius > 0), 1e30),
        )
      );
    }
    default:
      throw new Error('polytopes are judged by the oracle');
  }
}

function share(v: number, radius: number): number {
  return radius > 0 ? v / radius : 0;
}
