/** Mirror of shaders/contact-face/face.wgsl: a contact face, and functions that read its vertices and edges. */
import { CORE_BOX } from '../../generated/constants.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { type Mat3, type Vec3, set, vec3 } from '../math.ts';

/**
 * The files beside this one fill it in the body's frame. `contactFace` then takes vectors and points to the coordinates
 * u, v, h of the pair's contact frame, in which h runs along the contact normal.
 */
export interface ContactFace {
  /** Number of vertices: 0 for an unbounded plane, 1 for a point, 2 for a line. */
  count: number;
  kind: number;
  /** 1 if the normal points along h, -1 if it points against it. */
  readonly side: 1 | -1;
  /** Whether another face can be clipped against this one. */
  isArea: boolean;
  /** Unit normal out of the surface. */
  normal: Vec3;
  /** Cosine between the normal and the direction. */
  cosine: number;
  /** Slope of its plane along u and v. */
  slopeU: number;
  slopeV: number;
  /** A point of its plane. */
  anchor: Vec3;
  /** A vertex is origin + x, where x is a vertex of the hull or a sum of the half axes: see `corner`. */
  origin: Vec3;
  p: Vec3;
  q: Vec3;
  /** u, v, h of each vertex, counter-clockwise seen from outside. */
  vertices: Float64Array;
  /** Hulls: the shape, and where in its loops this face begins; and what takes vectors from its frame to u, v, h. */
  shape: ShapeData | undefined;
  loopStart: number;
  rotation: Float64Array;
  /** All but lines: number of the first vertex; for a box the number of the face, 2 axis + positive. */
  number: number;
  /** Lines: numbers of the ends. */
  firstEnd: number;
  lastEnd: number;
  /**
   * The surface's farthest point along the direction and its number, if that may be another than a vertex of the face.
   */
  hasPeak: boolean;
  peak: Vec3;
  peakNumber: number;
  /** Rounding radius of the shape. */
  radius: number;
  /**
   * Lines: the middle of the axis that the surface is bent around, the radius, and whether the ends are balls. Of a
   * cone, the middle of the line itself, and the cone's radius there.
   */
  middle: Vec3;
  bend: number;
  isCapped: boolean;
  /**
   * Whether the surface is bent all around the axis. If not, the line is above an edge, and these are the unit normals of
   * the edge's two faces.
   */
  isRound: boolean;
  flanks: readonly [Vec3, Vec3];
  /** Cones: the side's normal along the radius and along the axis. Otherwise 1, 0. */
  slantX: number;
  slantY: number;
}

/** Where a body is in the contact frame: takes vectors from the body's frame to u, v, h; the body's origin there. */
export interface FacePlace {
  rotation: Mat3;
  offset: Vec3;
}

export function createContactFace(side: 1 | -1): ContactFace {
  return {
    count: 0,
    kind: 0,
    side,
    isArea: false,
    normal: vec3(),
    cosine: 0,
    slopeU: 0,
    slopeV: 0,
    anchor: vec3(),
    origin: vec3(),
    p: vec3(),
    q: vec3(),
    vertices: new Float64Array(24),
    shape: undefined,
    loopStart: 0,
    number: 0,
    firstEnd: 0,
    lastEnd: 0,
    hasPeak: false,
    peak: vec3(),
    peakNumber: 0,
    middle: vec3(),
    radius: 0,
    bend: 0,
    isCapped: false,
    isRound: false,
    flanks: [vec3(), vec3()],
    rotation: new Float64Array(9),
    slantX: 1,
    slantY: 0,
  };
}

/** Whether the face is a hull's with an area: its vertices are then those of a loop. */
export function hasLoop({ shape, count }: ContactFace): boolean {
  return shape !== undefined && count > 2;
}

/** What `corner` gives: multiples of the half axes p and q. */
export let cornerP = 0;
export let cornerQ = 0;

/** Vertex i of a point, a line, a parallelogram or an octagon, in multiples of the half axes. */
export function corner(count: number, i: number): void {
  if (count === 1) {
    cornerP = cornerQ = 0;
  } else if (count === 2) {
    cornerP = i === 1 ? 1 : -1;
    cornerQ = 0;
  } else if (count === 4) {
    cornerP = i === 1 || i === 2 ? 1 : -1;
    cornerQ = i >= 2 ? 1 : -1;
  } else {
    const part = i & 1 ? Math.SQRT1_2 : 1;
    cornerP = (i & 3) === 2 ? 0 : i < 2 || i === 7 ? part : -part;
    cornerQ = (i & 3) === 0 ? 0 : i < 4 ? part : -part;
  }
}

/** Vertex i in u, v, h: counter-clockwise, seen from outside. */
export function faceVertex({ vertices }: ContactFace, i: number, to: Vec3): Vec3 {
  return set(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2], to);
}

/** Where an edge starts, and its vector. */
export interface FaceEdge {
  startU: number;
  startV: number;
  alongU: number;
  alongV: number;
}

export function faceEdge({ vertices }: ContactFace, from: number, to: number, edge: FaceEdge): FaceEdge {
  edge.startU = vertices[3 * from];
  edge.startV = vertices[3 * from + 1];
  edge.alongU = vertices[3 * to] - edge.startU;
  edge.alongV = vertices[3 * to + 1] - edge.startV;
  return edge;
}

/**
 * Number of vertex i of the face in the shape: the same for every face that the vertex belongs to. Vertex `face.count`
 * is the peak.
 */
export function faceVertexNumber(face: ContactFace, i: number): number {
  const { count, shape, number, loopStart } = face;
  if (i >= count) return face.peakNumber;
  if (count === 2) return i === 1 ? face.lastEnd : face.firstEnd;
  if (hasLoop(face)) return shape!.pointIndices[shape!.faceVertices[loopStart + i]];
  if (face.kind === CORE_BOX) {
    const isPositive = number & 1;
    const axis = number >> 1;
    corner(4, i);
    return (
      (isPositive << axis) |
      (Number(cornerP > 0 === (isPositive === 1)) << ((axis + 1) % 3)) |
      (Number(cornerQ > 0) << ((axis + 2) % 3))
    );
  }
  return number + i;
}
