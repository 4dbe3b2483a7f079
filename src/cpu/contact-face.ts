/** Mirror of shaders/contact-face.wgsl: the part of a shape's surface that faces along a direction. */
import {
  CORE_BOX,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_HULL,
  CORE_POINT,
  CORE_SEGMENT,
  LEAST_WIDTH,
  MANIFOLD_EDGE_COSINE,
  MANIFOLD_LEAST_COSINE,
  RIM_PEAK,
  SIDE_LINE,
} from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { type Mat3, type Vec3, addScaled, copy, dot, length, scale, set, transform, vec3 } from './math.ts';
import type { Core } from './pair.ts';
import { support, vertex } from './support.ts';

/** In the coordinates u, v, h of a frame of the pair's own, in which h runs along the contact normal. */
export interface ContactFace {
  /** Number of vertices: 0 of an unbounded plane, 1 of a point, 2 of a line. */
  count: number;
  kind: number;
  /** 1 where the normal points along h, -1 where it points against it. */
  side: number;
  /** Whether others can be clipped against it. */
  isArea: boolean;
  /** Cosine between its normal and the direction. */
  cosine: number;
  /** How fast its plane rises along u and v. */
  slopeU: number;
  slopeV: number;
  /** A point of its plane. */
  anchor: Vec3;
  /** u, v, h of each vertex, counter-clockwise seen from outside. */
  vertices: Float64Array;
  /** Of a hull: its shape, and where in the loops the face's vertices are. */
  shape: ShapeData | undefined;
  loopStart: number;
  /** Of others but lines: the number of its first vertex; of a box the face's, 2 axis + positive. */
  number: number;
  /** Of a line: the numbers of its ends. */
  firstEnd: number;
  lastEnd: number;
  /** The surface's farthest point, where that is not sure to be a vertex of the face, and its number. */
  hasPeak: boolean;
  peak: Vec3;
  peakNumber: number;
  /** The peak is not the vertex of this number, but lies on its ball. */
  isRounded: boolean;
  /**
   * Of a line: middle and half of the core's line, which the surface bends around with this radius, and whether balls
   * are at its ends.
   */
  middle: Vec3;
  half: Vec3;
  bend: number;
  isCapped: boolean;
}

export function createContactFace(): ContactFace {
  return {
    count: 0,
    kind: 0,
    side: 1,
    isArea: false,
    cosine: 0,
    slopeU: 0,
    slopeV: 0,
    anchor: vec3(),
    vertices: new Float64Array(24),
    shape: undefined,
    loopStart: 0,
    number: 0,
    firstEnd: 0,
    lastEnd: 0,
    hasPeak: false,
    peak: vec3(),
    peakNumber: 0,
    isRounded: false,
    middle: vec3(),
    half: vec3(),
    bend: 0,
    isCapped: false,
  };
}

const origin = vec3();
const p = vec3();
const q = vec3();
const normal = vec3();
const top = vec3();
const radial = vec3();
const rim = vec3();
const flank = vec3();
const at = vec3();

/**
 * `direction` is a unit vector in the body's frame. `rotation` takes vectors from there to u, v, h; `offset` is the
 * body's origin there.
 */
export function contactFace(
  shape: ShapeData,
  core: Core,
  radius: number,
  direction: Vec3,
  side: number,
  rotation: Mat3,
  offset: Vec3,
  face: ContactFace,
): ContactFace {
  const [halfX, halfY, halfZ] = core.halfExtents;
  face.kind = core.kind;
  face.side = side;
  face.shape = undefined;
  face.count = face.loopStart = face.number = face.bend = face.peakNumber = 0;
  face.hasPeak = face.isCapped = face.isRounded = false;
  set(0, 0, 0, origin);
  set(0, 0, 0, p);
  set(0, 0, 0, q);
  set(0, 0, 0, face.middle);
  copy(direction, normal);
  if (core.kind <= CORE_HULL) {
    face.peakNumber = support(core, direction.x, direction.y, direction.z);
    face.isRounded = radius > 0;
    addScaled(vertex(core, face.peakNumber, top), direction, radius, top);
  }
  let isLoop = false;
  // A hull's face without a width.
  let isLine = false;
  switch (core.kind) {
    case CORE_POINT:
      face.count = 1;
      scale(direction, radius, origin);
      break;
    case CORE_ELLIPSOID: {
      face.count = 1;
      const size = Math.max(Math.hypot(halfX * direction.x, halfY * direction.y, halfZ * direction.z), 1e-300);
      set(
        (halfX * halfX * direction.x) / size,
        (halfY * halfY * direction.y) / size,
        (halfZ * halfZ * direction.z) / size,
        origin,
      );
      break;
    }
    case CORE_SEGMENT:
      face.count = 2;
      set(0, halfY, 0, p);
      face.firstEnd = 0;
      face.lastEnd = 1;
      across(direction, set(0, 1, 0, at), normal);
      face.hasPeak = true;
      break;
    case CORE_BOX: {
      face.count = 4;
      const slopeX = Math.abs(direction.x);
      const slopeY = Math.abs(direction.y);
      const slopeZ = Math.abs(direction.z);
      const axis = slopeY > slopeX && slopeY >= slopeZ ? 1 : slopeZ > slopeX ? 2 : 0;
      const along = axis === 0 ? direction.x : axis === 1 ? direction.y : direction.z;
      const sign = along >= 0 ? 1 : -1;
      unit(axis, sign, normal);
      scale(normal, core.halfExtents[axis] + radius, origin);
      unit((axis + 1) % 3, sign * core.halfExtents[(axis + 1) % 3], p);
      unit((axis + 2) % 3, core.halfExtents[(axis + 2) % 3], q);
      face.number = 2 * axis + (sign > 0 ? 1 : 0);
      face.hasPeak = radius > 0;
      if (radius > 0 && dot(direction, normal) < MANIFOLD_EDGE_COSINE) {
        // The edge along the axis that the direction is least along.
        const least = Math.min(slopeX, slopeY, slopeZ);
        const edgeAxis = slopeZ === least ? 2 : slopeY === least ? 1 : 0;
        const number = face.peakNumber;
        vertex(core, number, face.middle);
        unit(edgeAxis, core.halfExtents[edgeAxis], p);
        addScaled(face.middle, p, number & (1 << edgeAxis) ? -1 : 1, face.middle);
        set(0, 0, 0, q);
        across(direction, unit(edgeAxis, 1, at), normal);
        face.count = 2;
        face.firstEnd = number & ~(1 << edgeAxis);
        face.lastEnd = number | (1 << edgeAxis);
      }
      break;
    }
    case CORE_CYLINDER: {
      radialOf(direction, radial);
      const isUp = direction.y >= 0;
      const height = isUp ? halfY : -halfY;
      if (Math.abs(direction.y) >= Math.hypot(direction.x, direction.z)) {
        face.count = 8;
        set(0, isUp ? 1 : -1, 0, normal);
        set(0, height, 0, origin);
        addScaled(origin, normal, radius, origin);
        set(isUp ? 0 : halfX, 0, isUp ? halfX : 0, p);
        set(p.z, 0, p.x, q);
        face.number = isUp ? 0 : 8;
      } else {
        face.count = 2;
        copy(radial, normal);
        scale(radial, halfX + radius, origin);
        set(0, halfY, 0, p);
        face.firstEnd = SIDE_LINE;
        face.lastEnd = SIDE_LINE + 1;
        face.bend = halfX + radius;
      }
      face.hasPeak = true;
      // An end of the line is the farthest point of the rim there.
      face.peakNumber = face.count === 2 ? SIDE_LINE + (isUp ? 1 : 0) : RIM_PEAK + (isUp ? 0 : 1);
      set(radial.x * halfX, height, radial.z * halfX, top);
      addScaled(top, direction, radius, top);
      break;
    }
    case CORE_CONE: {
      radialOf(direction, radial);
      const slantSize = Math.max(Math.hypot(2 * halfY, halfX), 1e-300);
      set((radial.x * 2 * halfY) / slantSize, halfX / slantSize, (radial.z * 2 * halfY) / slantSize, flank);
      set(radial.x * halfX, -halfY, radial.z * halfX, rim);
      if (-direction.y >= dot(direction, flank)) {
        face.count = 8;
        set(0, -1, 0, normal);
        set(0, -halfY - radius, 0, origin);
        set(halfX, 0, 0, p);
        set(0, 0, halfX, q);
        face.number = 8;
      } else {
        face.count = 2;
        copy(flank, normal);
        set(0.5 * rim.x, 0, 0.5 * rim.z, face.middle);
        addScaled(face.middle, flank, radius, origin);
        set(-0.5 * rim.x, halfY, -0.5 * rim.z, p);
        face.firstEnd = SIDE_LINE;
        face.lastEnd = SIDE_LINE + 1;
        face.bend = radius;
      }
      const isApex = -direction.x * rim.x + direction.y * 2 * halfY - direction.z * rim.z >= 0;
      face.hasPeak = true;
      face.peakNumber = face.count === 2 ? SIDE_LINE + (isApex ? 1 : 0) : RIM_PEAK;
      if (isApex) set(0, halfY, 0, top);
      else copy(rim, top);
      addScaled(top, direction, radius, top);
      break;
    }
    case CORE_HALFSPACE: {
      const size = Math.hypot(halfX, halfY, halfZ);
      set(halfX / size, halfY / size, halfZ / size, normal);
      scale(normal, radius, origin);
      break;
    }
    default:
      face.shape = shape;
      face.hasPeak = true;
      face.peakNumber = shape.pointIndices[face.peakNumber];
      // The face's vertices, or the two ends of a line.
      line[0] = 0;
      line[1] = face.count = shape.vertices.length / 3;
      line[1]--;
      face.number = face.peakNumber;
      if (shape.facePlanes.length > 0) {
        const { facePlanes, faceStart } = shape;
        let best = 0;
        let alignment = -2;
        for (let f = 0; f < facePlanes.length; f += 4) {
          const cosine =
            facePlanes[f] * direction.x + facePlanes[f + 1] * direction.y + facePlanes[f + 2] * direction.z;
          if (cosine > alignment) {
            alignment = cosine;
            best = f;
          }
        }
        set(facePlanes[best], facePlanes[best + 1], facePlanes[best + 2], normal);
        face.loopStart = faceStart[best / 4];
        face.count = faceStart[best / 4 + 1] - face.loopStart;
        isLine = face.count === 2;
        isLoop = !isLine && !(radius > 0 && alignment < MANIFOLD_EDGE_COSINE);
        if (isLine) {
          line[0] = shape.faceVertices[face.loopStart];
          line[1] = shape.faceVertices[face.loopStart + 1];
        } else if (!isLoop) {
          leaningEdge(shape, face.loopStart, face.count, normal, direction);
          face.count = 2;
        }
      }
      if (!isLoop) {
        vertex(core, line[0], face.middle);
        vertex(core, line[1], p);
        set(0.5 * (p.x - face.middle.x), 0.5 * (p.y - face.middle.y), 0.5 * (p.z - face.middle.z), p);
        addScaled(face.middle, p, 1, face.middle);
        if (face.count === 2) across(direction, p, normal);
        face.firstEnd = shape.pointIndices[line[0]];
        face.lastEnd = shape.pointIndices[line[1]];
      }
      addScaled(face.middle, normal, radius, origin);
  }
  if (face.count === 2 && core.kind <= CORE_HULL) {
    addScaled(face.middle, normal, radius, origin);
    // What is all line has the ball all around; of an edge's surface only the line itself is sure to be there.
    face.isCapped =
      core.kind === CORE_SEGMENT ||
      (core.kind > CORE_BOX && (shape.facePlanes.length === 0 || (isLine && shape.facePlanes.length === 8)));
    face.bend = face.isCapped ? radius : 0;
    if (!face.isCapped) copy(origin, face.middle);
  }
  if (face.vertices.length < 3 * face.count) face.vertices = new Float64Array(6 * face.count);
  for (let i = 0; i < face.count; i++) {
    if (isLoop) {
      vertex(core, shape.faceVertices[face.loopStart + i], at);
      addScaled(at, origin, 1, at);
    } else {
      corner(face.count, i);
      set(
        origin.x + p.x * cornerX + q.x * cornerY,
        origin.y + p.y * cornerX + q.y * cornerY,
        origin.z + p.z * cornerX + q.z * cornerY,
        at,
      );
    }
    addScaled(transform(rotation, at, at), offset, 1, at);
    face.vertices[3 * i] = at.x;
    face.vertices[3 * i + 1] = at.y;
    face.vertices[3 * i + 2] = at.z;
  }
  addScaled(transform(rotation, top, face.peak), offset, 1, face.peak);
  addScaled(transform(rotation, face.middle, face.middle), offset, 1, face.middle);
  transform(rotation, p, face.half);
  transform(rotation, normal, normal);
  face.cosine = normal.z * side;
  // Boxes and discs may be flat: nothing lies over a line.
  const isFlat = !isLoop && face.count > 2 && Math.min(dot(p, p), dot(q, q)) < LEAST_WIDTH * LEAST_WIDTH;
  face.isArea = (face.count >= 3 || face.count === 0) && face.cosine >= MANIFOLD_LEAST_COSINE && !isFlat;
  face.slopeU = face.isArea ? -normal.x / normal.z : 0;
  face.slopeV = face.isArea ? -normal.y / normal.z : 0;
  if (isLoop) set(face.vertices[0], face.vertices[1], face.vertices[2], face.anchor);
  else addScaled(transform(rotation, origin, face.anchor), offset, 1, face.anchor);
  return face;
}

function unit(axis: number, size: number, to: Vec3): Vec3 {
  return set(axis === 0 ? size : 0, axis === 1 ? size : 0, axis === 2 ? size : 0, to);
}

/** Numbers of the vertices at a line's ends. */
const line = [0, 0];

/**
 * Of the edges of a hull's face that the direction leans out over, the one most nearly perpendicular to it; left in
 * `line`.
 */
function leaningEdge(
  { vertices, faceVertices }: ShapeData,
  loopStart: number,
  count: number,
  faceNormal: Vec3,
  { x, y, z }: Vec3,
): void {
  let least = 2;
  for (let i = 0; i < count; i++) {
    const from = faceVertices[loopStart + (i === 0 ? count - 1 : i - 1)];
    const to = faceVertices[loopStart + i];
    const edgeX = vertices[3 * to] - vertices[3 * from];
    const edgeY = vertices[3 * to + 1] - vertices[3 * from + 1];
    const edgeZ = vertices[3 * to + 2] - vertices[3 * from + 2];
    const inward =
      x * (faceNormal.y * edgeZ - faceNormal.z * edgeY) +
      y * (faceNormal.z * edgeX - faceNormal.x * edgeZ) +
      z * (faceNormal.x * edgeY - faceNormal.y * edgeX);
    const cosine =
      Math.abs(x * edgeX + y * edgeY + z * edgeZ) / Math.sqrt(edgeX * edgeX + edgeY * edgeY + edgeZ * edgeZ);
    if (!(inward < 0 && cosine < least)) continue;
    least = cosine;
    line[0] = from;
    line[1] = to;
  }
}

/** The unit vector along the part of the unit vector `direction` that is perpendicular to `axis`. */
function across(direction: Vec3, axis: Vec3, to: Vec3): Vec3 {
  const share = dot(direction, axis) / Math.max(dot(axis, axis), 1e-300);
  addScaled(direction, axis, -share, to);
  const size = length(to);
  return size < 1e-6 ? copy(direction, to) : scale(to, 1 / size, to);
}

/** The unit vector away from the y axis. */
function radialOf({ x, z }: Vec3, to: Vec3): Vec3 {
  const size = Math.hypot(x, z);
  return size > 1e-20 ? set(x / size, 0, z / size, to) : set(1, 0, 0, to);
}

let cornerX = 0;
let cornerY = 0;

/** Of a point, a line, a parallelogram, an octagon in a circle; left in `cornerX` and `cornerY`. */
function corner(count: number, i: number): void {
  if (count === 1) {
    cornerX = cornerY = 0;
  } else if (count === 2) {
    cornerX = i === 1 ? 1 : -1;
    cornerY = 0;
  } else if (count === 4) {
    cornerX = i === 1 || i === 2 ? 1 : -1;
    cornerY = i >= 2 ? 1 : -1;
  } else {
    const part = i & 1 ? Math.SQRT1_2 : 1;
    cornerX = (i & 3) === 2 ? 0 : i < 2 || i === 7 ? part : -part;
    cornerY = (i & 3) === 0 ? 0 : i < 4 ? part : -part;
  }
}

/** Vertices go around counter-clockwise, seen from outside. */
export function faceVertex({ vertices }: ContactFace, i: number, to: Vec3): Vec3 {
  return set(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2], to);
}

/** Where an edge starts, and which way it goes. */
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
 * The number that a vertex of the face has in the shape, whichever face it is seen as part of; `face.count` is the
 * peak's.
 */
export function faceVertexNumber(face: ContactFace, i: number): number {
  const { count, shape, number, loopStart } = face;
  if (i >= count) return face.peakNumber;
  if (count === 2) return i === 1 ? face.lastEnd : face.firstEnd;
  if (shape && count > 2) return shape.pointIndices[shape.faceVertices[loopStart + i]];
  if (face.kind === CORE_BOX) {
    const isPositive = number & 1;
    const axis = number >> 1;
    corner(4, i);
    return (
      (isPositive << axis) |
      (Number(cornerX > 0 === (isPositive === 1)) << ((axis + 1) % 3)) |
      (Number(cornerY > 0) << ((axis + 2) % 3))
    );
  }
  return number + i;
}
