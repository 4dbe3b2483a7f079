/**
 * How far a convex part has to move along a direction until it leaves a part of a surface, or a face, an edge or a vertex of it, and
 * where it leaves that: it is cast back from beyond. All is in the surface's frame.
 *
 *        part, beyond    ( )
 *                         | back along -n
 *        n ^             \ /
 *          |      ________*_____ triangle      exit = how far the part went, minus how far it came back
 *                        ( ) part
 */
import { addScaled, copy, scale, set, vec3, type Vec3 } from '../../cpu/math.ts';
import { createPair } from '../../cpu/pair.ts';
import { impactOfBodies } from '../../cpu/queries/impacts.ts';
import { createMotion } from '../../cpu/queries/motion.ts';
import { createPairResult } from '../../cpu/queries/result.ts';
import { createTriangle, setTriangle } from '../../shapes/mesh-triangle.ts';
import { makePlainHull, makeShapeData, type ShapeData } from '../../shapes/shape-data.ts';
import type { Exit } from './exit.ts';
import type { PartInMesh } from './part-in-mesh.ts';
import type { OpenPolygon, Outline } from './surface.ts';

const pair = createPair();
const motion = createMotion();
const met = createPairResult();
const atRest = { scale: 1, quaternion: Float64Array.of(0, 0, 0, 1) };
const triangleShape = createTriangle();

/** A vertex, and an edge of length 2 along y. */
const POINT = makeShapeData({ type: 'sphere', radius: 0 });
const SEGMENT = makeShapeData({ type: 'capsule', halfHeight: 1, radius: 0 });

/** By how much more than needed a part is cast from beyond, as a share of its reach. */
const BEYOND = 1e-3;

/** `most`: the exit is at most this. `margin`: a part that is apart by no more than this is found. */
export interface ExitRange {
  most: number;
  margin: number;
}

const asPlaced = { scale: 1, quaternion: new Float64Array(4) };

/** Of a whole triangle or solid. */
export function exitOfPart(outline: Outline, own: number, part: PartInMesh, n: Vec3, range: ExitRange, to: Exit): void {
  set(0, 0, 0, to.point);
  if (!outline.solids) {
    cast(setTriangle(outline, own, triangleShape), atRest, part, n, range, to);
    return;
  }
  const { shapes, positions, quaternions, scales } = outline.solids.compound;
  set(positions[3 * own], positions[3 * own + 1], positions[3 * own + 2], to.point);
  asPlaced.scale = scales[own];
  for (let k = 0; k < 4; k++) asPlaced.quaternion[k] = quaternions[4 * own + k];
  cast(shapes[own], asPlaced, part, n, range, to);
}

/** Open polygons of faces as flat hulls. */
const polygons = new WeakMap<OpenPolygon, ShapeData>();

export function exitOfPolygon(polygon: OpenPolygon, part: PartInMesh, n: Vec3, range: ExitRange, to: Exit): void {
  let shape = polygons.get(polygon);
  if (!shape) polygons.set(polygon, (shape = makePlainHull(Array.from(polygon.points))));
  set(0, 0, 0, to.point);
  cast(shape, atRest, part, n, range, to);
}

export function exitOfVertex(vertex: Vec3, part: PartInMesh, n: Vec3, most: number, to: Exit): void {
  copy(vertex, to.point);
  cast(POINT, atRest, part, n, { most, margin: 0 }, to);
}

const alongEdge = { scale: 1, quaternion: new Float64Array(4) };

/** Of the edge between two points. */
export function exitOfEdge(from: Vec3, end: Vec3, part: PartInMesh, n: Vec3, most: number, to: Exit): void {
  const half = vec3((end.x - from.x) / 2, (end.y - from.y) / 2, (end.z - from.z) / 2);
  const length = Math.sqrt(half.x * half.x + half.y * half.y + half.z * half.z);
  // The shortest rotation from the y axis to the edge, which has no direction.
  const side = half.y < 0 ? -1 / length : 1 / length;
  const w = 1 + side * half.y;
  const { quaternion } = alongEdge;
  quaternion.set([side * half.z, 0, -side * half.x, w]);
  const size = Math.hypot(...quaternion);
  for (let k = 0; k < 4; k++) quaternion[k] /= size;
  alongEdge.scale = length;
  addScaled(from, half, 1, to.point);
  cast(SEGMENT, alongEdge, part, n, { most, margin: 0 }, to);
}

/** On entry, `to.point` is the feature's position. */
function cast(
  shape: ShapeData,
  pose: { scale: number; quaternion: Float64Array },
  part: PartInMesh,
  n: Vec3,
  { most, margin }: ExitRange,
  to: Exit,
): void {
  const { position } = part;
  const { point } = to;
  const beyond = Math.max(most, 0) + BEYOND * part.reach;
  set(position.x - point.x, position.y - point.y, position.z - point.z, motion.offset);
  addScaled(motion.offset, n, beyond, motion.offset);
  scale(n, -1, motion.velocity);
  motion.duration = beyond + margin + BEYOND * part.reach + Math.max(-most, 0);
  impactOfBodies(pair, { shapeA: shape, poseA: pose, shapeB: part.shape, poseB: part, motion }, 'sat', met);
  if (!met.hit || !met.hasPoints) {
    to.distance = -Infinity;
    return;
  }
  to.distance = beyond - met.unclampedTime;
  addScaled(point, met.pointA, 1, point);
}
