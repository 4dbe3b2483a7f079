/** A family of 2-D pairs: shapes, bodies and pairs, in the form that a 2-D tester takes, and the placement of pairs. */

import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import {
  oraclePlanarShape,
  planarExtent,
  type OraclePlanarPose,
  type OraclePlanarShape,
  type Vector2,
} from '../oracle/planar.ts';
import { below, spread, uniform, unitVector, type Random } from './random.ts';

/** All numbers are f32, except positions in a `Float64Array`. Pair i is bodies 2i and 2i + 1. */
export interface PlanarFamily {
  name: string;
  /** If they are added in order to a fresh tester, their ids are their indices here. */
  shapes: PlanarConvexDescription[];
  bodies: { shapes: Uint32Array; positions: Float32Array | Float64Array; angles: Float32Array; scales?: Float32Array };
  pairs: Uint32Array;
}

/**
 * One pair of a family in the form that the oracle takes. `shapeA` and `shapeB` are indices into the family's shapes.
 */
export interface PlanarFamilyPair {
  index: number;
  shapeA: number;
  shapeB: number;
  a: OraclePlanarShape;
  b: OraclePlanarShape;
  poseA: OraclePlanarPose;
  poseB: OraclePlanarPose;
  /** max(s, |B - A|). Tolerances are shares of this. */
  size: number;
}

export interface PlanarSlot {
  random: Random;
  family: PlanarFamily;
  shapes: OraclePlanarShape[];
  index: number;
}

export interface PlanarMaker {
  shapes: PlanarConvexDescription[];
  put: (slot: PlanarSlot) => void;
  /** Whether positions are 64-bit numbers. Default false. */
  isWide?: boolean;
  hasScales?: boolean;
}

export function fillPlanarFamily(
  name: string,
  { shapes, put, isWide, hasScales }: PlanarMaker,
  count: number,
  random: Random,
): PlanarFamily {
  const bodies: PlanarFamily['bodies'] = {
    shapes: new Uint32Array(2 * count),
    positions: isWide ? new Float64Array(4 * count) : new Float32Array(4 * count),
    angles: new Float32Array(2 * count),
    ...(hasScales && { scales: new Float32Array(2 * count).fill(1) }),
  };
  const family = { name, shapes, bodies, pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i) };
  const oracles = shapes.map(oraclePlanarShape);
  for (let index = 0; index < count; index++) put({ random, family, shapes: oracles, index });
  return family;
}

/** The pose of a body of a family. */
export function planarPoseOf({ bodies }: PlanarFamily, body: number): OraclePlanarPose {
  return {
    position: bodies.positions.subarray(2 * body, 2 * body + 2),
    angle: bodies.angles[body],
    ...(bodies.scales && { scale: bodies.scales[body] }),
  };
}

export function planarPairsOf(family: PlanarFamily): PlanarFamilyPair[] {
  const shapes = family.shapes.map(oraclePlanarShape);
  return Array.from({ length: family.pairs.length / 2 }, (_, index) => {
    const [bodyA, bodyB] = family.pairs.subarray(2 * index, 2 * index + 2);
    const [shapeA, shapeB] = [family.bodies.shapes[bodyA], family.bodies.shapes[bodyB]];
    const [poseA, poseB] = [planarPoseOf(family, bodyA), planarPoseOf(family, bodyB)];
    const [a, b] = [shapes[shapeA], shapes[shapeB]];
    return { index, shapeA, shapeB, a, b, poseA, poseB, size: planarExtent(a, poseA, b, poseB) };
  });
}

export function putPlanarBody(
  { bodies }: PlanarFamily,
  body: number,
  shape: number,
  { position, angle, scale = 1 }: OraclePlanarPose,
): void {
  bodies.shapes[body] = shape;
  bodies.positions.set(position, 2 * body);
  bodies.angles[body] = angle;
  if (bodies.scales) bodies.scales[body] = scale;
}

/** Places A in `frame`, and B by its pose relative to A. Every other pair is in the other order. */
export function putPlanarPair(
  { random, family, index }: PlanarSlot,
  a: number,
  b: number,
  poseB: OraclePlanarPose,
  frame: OraclePlanarPose,
): void {
  const [x, y] = turn(poseB.position, Math.fround(frame.angle));
  const inWorld = {
    ...poseB,
    position: [x + frame.position[0], y + frame.position[1]],
    angle: frame.angle + poseB.angle,
  };
  const swap = random() < 0.5 ? 1 : 0;
  putPlanarBody(family, 2 * index + swap, a, frame);
  putPlanarBody(family, 2 * index + 1 - swap, b, inWorld);
}

export function turn(v: ArrayLike<number>, angle: number): Vector2 {
  const cosine = Math.cos(angle);
  const sine = Math.sin(angle);
  return [cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1]];
}

export function anyAngle(random: Random): number {
  return uniform(random, -Math.PI, Math.PI);
}

/** A position in quarters; half the time without rotation. */
export function anyPlanarFrame(random: Random): OraclePlanarPose {
  return {
    position: [(below(random, 65) - 32) / 4, (below(random, 65) - 32) / 4],
    angle: random() < 0.5 ? 0 : anyAngle(random),
  };
}

/** Options of a random placement. */
export interface PlanarPlacement {
  scales?: readonly [number, number];
  /** A is within this distance of the world's origin along each axis. Default 10. */
  room?: number;
  angles?: readonly [number, number];
}

/**
 * Places two shapes so that they touch, then moves B by a gap along the contact's normal. Half of the gaps are
 * negative. The normal is either random, which brings corner to corner, or that of an edge of one shape; the other's
 * corner is then anywhere along that edge.
 */
export function putRandomPlanarPair(
  slot: PlanarSlot,
  shapeA: number,
  shapeB: number,
  { scales = [1, 1], room = 10, angles }: PlanarPlacement = {},
): void {
  const { random, family, shapes, index } = slot;
  const [a, b] = [shapes[shapeA], shapes[shapeB]];
  const [angleA, angleB] = (angles ?? [anyAngle(random), anyAngle(random)]).map(Math.fround);
  const choice = random();
  let normal = unitVector(random, [0, 0]) as Vector2;
  let edge = -1;
  const owner = choice < 0.35 ? a : b;
  if (choice < 0.7 && owner.normals.length > 0) {
    edge = below(random, owner.normals.length / 2);
    const own = turn(owner.normals.subarray(2 * edge, 2 * edge + 2), owner === a ? angleA : angleB);
    normal = owner === a ? own : [-own[0], -own[1]];
  }
  const onA = reachOf(a, angleA, scales[0], normal);
  const onB = reachOf(b, angleB, scales[1], [-normal[0], -normal[1]]);
  const isOfA = owner === a;
  const slide =
    edge < 0
      ? [0, 0]
      : alongEdge(owner, edge, isOfA ? angleA : angleB, scales[isOfA ? 0 : 1], random(), isOfA ? onA : onB, normal);
  const size = a.boundingRadius * scales[0] + b.boundingRadius * scales[1];
  const gap = randomPlanarGap(
    random,
    size,
    Math.min(widthOf(a, angleA, scales[0], normal), widthOf(b, angleB, scales[1], normal)),
  );
  const sign = isOfA ? 1 : -1;
  const position = [0, 1]
    .map(() => uniform(random, -room, room))
    .map(family.bodies.positions instanceof Float64Array ? Number : Math.fround);
  const offset = [0, 1].map((k) => onA[k] - onB[k] + sign * slide[k] + gap * normal[k]);
  putPlanarBody(family, 2 * index, shapeA, { position, angle: angleA, scale: scales[0] });
  putPlanarBody(family, 2 * index + 1, shapeB, {
    position: position.map((x, k) => x + offset[k]),
    angle: angleB,
    scale: scales[1],
  });
}

/** The point of a shape farthest along a world direction, relative to the shape's position. */
function reachOf({ corners, radius }: OraclePlanarShape, angle: number, scale: number, direction: Vector2): Vector2 {
  const [x, y] = turn(direction, -angle);
  let best = 0;
  for (let i = 2; i < corners.length; i += 2)
    if (corners[i] * x + corners[i + 1] * y > corners[best] * x + corners[best + 1] * y) best = i;
  const [px, py] = turn(corners.subarray(best, best + 2), angle);
  return [scale * (px + radius * direction[0]), scale * (py + radius * direction[1])];
}

function widthOf(shape: OraclePlanarShape, angle: number, scale: number, [x, y]: Vector2): number {
  const there = reachOf(shape, angle, scale, [x, y]);
  const back = reachOf(shape, angle, scale, [-x, -y]);
  return x * (there[0] - back[0]) + y * (there[1] - back[1]);
}

/** From `from`, which is an end of an edge on its rounded surface, to another point of the edge. */
function alongEdge(
  { corners }: OraclePlanarShape,
  edge: number,
  angle: number,
  scale: number,
  share: number,
  from: Vector2,
  normal: Vector2,
): Vector2 {
  const next = (2 * edge + 2) % corners.length;
  const start = turn(corners.subarray(2 * edge, 2 * edge + 2), angle);
  const end = turn(corners.subarray(next, next + 2), angle);
  const tangent: Vector2 = [-normal[1], normal[0]];
  const at = [0, 1].map((k) => scale * (start[k] + share * (end[k] - start[k])) - from[k]);
  const far = tangent[0] * at[0] + tangent[1] * at[1];
  return [far * tangent[0], far * tangent[1]];
}

/** Deep, shallow, near touch on either side, slightly apart, clearly apart. */
function randomPlanarGap(random: Random, size: number, width: number): number {
  const band = random();
  if (band < 0.25) return -width * uniform(random, 0.1, 1);
  if (band < 0.38) return -spread(random, 0.1 * width, 7);
  if (band < 0.62) return (band < 0.5 ? -1 : 1) * spread(random, 1e-3 * size, 13);
  if (band < 0.75) return spread(random, 0.1 * size, 7);
  return size * uniform(random, 0.1, 2);
}
