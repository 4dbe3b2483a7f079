/**
 * Mirror of shaders/planar/support.wgsl: corners, edges and supports of the cores, and of the Minkowski difference B -
 * A.
 */
import {
  PLANAR_POINT,
  PLANAR_POLYGON,
  PLANAR_RECTANGLE,
  PLANAR_SEGMENT,
  SMALL_POLYGON,
} from '../../generated/constants.ts';
import { cellOf } from '../../shapes/polygon.ts';
import { type Vec2, directionOf, rotateBack, scale, set, subtract, vec2 } from './math.ts';
import { type PlanarCore, type PlanarPair, fromB } from './pair.ts';

/** The core's corner farthest along `direction`, by number. */
export function support(core: PlanarCore, { x, y }: Vec2): number {
  const { data } = core;
  switch (core.kind) {
    case PLANAR_POINT:
      return 0;
    case PLANAR_SEGMENT:
      return (data[2] - data[0]) * x + (data[3] - data[1]) * y > 0 ? 1 : 0;
    case PLANAR_RECTANGLE:
      // The first of several that are equally far, as when all are tried.
      return x > 0 || (x === 0 && y > 0) ? (y > 0 ? 2 : 1) : y > 0 ? 3 : 0;
    default:
      return polygonSupport(core, x, y);
  }
}

function polygonSupport({ shape: { coreVertices: vertices, cells } }: PlanarCore, x: number, y: number): number {
  const count = vertices.length / 2;
  let first = 0;
  let last = count - 1;
  if (count > SMALL_POLYGON) {
    const cell = cellOf(x, y, (cells.length - 1) / 4);
    first = cells[cell];
    last = cells[cell + 1];
  }
  let best = first;
  let bestHeight = -Infinity;
  for (let i = first; i <= last; i++) {
    const number = i >= count ? i - count : i;
    const height = vertices[2 * number] * x + vertices[2 * number + 1] * y;
    if (height > bestHeight) {
      bestHeight = height;
      best = number;
    }
  }
  return best;
}

function cornerCount({ kind, shape }: PlanarCore): number {
  switch (kind) {
    case PLANAR_POINT:
      return 1;
    case PLANAR_SEGMENT:
      return 2;
    case PLANAR_RECTANGLE:
      return 4;
    default:
      return shape.vertices.length / 2;
  }
}

export function edgeCount(core: PlanarCore): number {
  return core.kind === PLANAR_POINT ? 0 : cornerCount(core);
}

export function cornerAfter(core: PlanarCore, number: number): number {
  return number + 1 >= cornerCount(core) ? 0 : number + 1;
}

export function cornerBefore(core: PlanarCore, number: number): number {
  return (number === 0 ? cornerCount(core) : number) - 1;
}

/** A corner, and the outward unit normal of the edge that starts there, in the body's frame. */
export interface Corner {
  position: Vec2;
  normal: Vec2;
}

export function createCorner(): Corner {
  return { position: vec2(), normal: vec2() };
}

const along = vec2();

export function corner(core: PlanarCore, number: number, to: Corner): Corner {
  const { kind, data, shape } = core;
  const { position, normal } = to;
  if (kind === PLANAR_POLYGON) {
    const { coreVertices: vertices, normals } = shape;
    set(vertices[2 * number] * core.scale, vertices[2 * number + 1] * core.scale, position);
    set(normals[2 * number], normals[2 * number + 1], normal);
  } else if (kind === PLANAR_RECTANGLE) {
    const isRight = number === 1 || number === 2;
    const isAbove = number >= 2;
    set(isRight ? data[0] : -data[0], isAbove ? data[1] : -data[1], position);
    if (number & 1) set(isRight ? 1 : -1, 0, normal);
    else set(0, isAbove ? 1 : -1, normal);
  } else if (kind === PLANAR_SEGMENT) {
    const sign = number === 1 ? -1 : 1;
    set(data[2 * number], data[2 * number + 1], position);
    directionOf(set(data[2] - data[0], data[3] - data[1], along), along);
    set(sign * along.y, -sign * along.x, normal);
  } else {
    set(data[0], data[1], position);
    set(0, 0, normal);
  }
  return to;
}

/** The number that callers know a corner by. */
export function pointNumber({ kind, shape }: PlanarCore, number: number): number {
  if (kind === PLANAR_RECTANGLE) return number ^ (number >> 1);
  return shape.pointIndices.length > 0 ? shape.pointIndices[number] : number;
}

/** A corner of the difference, with corner numbers on A and on B. */
export interface Point {
  position: Vec2;
  a: number;
  b: number;
}

export function createPoint(): Point {
  return { position: vec2(), a: 0, b: 0 };
}

export function copyPoint(from: Point, to: Point): Point {
  set(from.position.x, from.position.y, to.position);
  to.a = from.a;
  to.b = from.b;
  return to;
}

const at = createCorner();

export function cornerA(pair: PlanarPair, number: number, to: Vec2): Vec2 {
  const { x, y } = corner(pair.coreA, number, at).position;
  return set(x, y, to);
}

export function cornerB(pair: PlanarPair, number: number, to: Vec2): Vec2 {
  return fromB(pair, corner(pair.coreB, number, at).position, to);
}

const onA = vec2();
const direction = vec2();

export function differencePoint(pair: PlanarPair, a: number, b: number, to: Point): Point {
  to.a = a;
  to.b = b;
  cornerB(pair, b, to.position);
  subtract(to.position, cornerA(pair, a, onA), to.position);
  return to;
}

/** The point of B - A farthest along (x, y). */
export function differenceSupport(pair: PlanarPair, x: number, y: number, to: Point): Point {
  const a = support(pair.coreA, set(-x, -y, direction));
  const b = support(pair.coreB, rotateBack(pair.rotation, set(x, y, direction), direction));
  return differencePoint(pair, a, b, to);
}

/** A point inside B - A. */
export function innerPoint(pair: PlanarPair, to: Vec2): Vec2 {
  fromB(pair, centre(pair.coreB, to), to);
  return subtract(to, centre(pair.coreA, onA), to);
}

/** A point inside a core, in its body's frame. */
function centre({ kind, data }: PlanarCore, to: Vec2): Vec2 {
  if (kind === PLANAR_SEGMENT) return scale(set(data[0] + data[2], data[1] + data[3], to), 0.5, to);
  return kind === PLANAR_RECTANGLE ? set(0, 0, to) : set(data[0], data[1], to);
}
