/**
 * Corrects contacts of convex bodies with meshes, so that their normals are those of the mesh's surface. If the normal of a
 * contact with a triangle is not a normal of the surface (surface-normals.ts), the triangle's own normal takes its place,
 * and the contact covers the part of the body over the triangle. If no part of the body is over it, the contact is dropped,
 * because other triangles have it.
 */
import type { PosedBodies } from '../api/bodies.ts';
import { movePoints } from '../cpu/parts/answer-parts.ts';
import { feature } from '../cpu/feature.ts';
import { addScaled, copy, rotationMatrix, scale, set, transform, transformBack, vec3, type Vec3 } from '../cpu/math.ts';
import { createPair, type Pair } from '../cpu/pair.ts';
import { setVelocity, turn } from '../cpu/parts/part-impacts.ts';
import { createPairPlaces, placePair, type PairPlaces } from '../cpu/parts/pair-places.ts';
import {
  createPartPlace,
  middleOf,
  pairOfParts,
  placePart,
  type BodyPlace,
  type PartPlace,
} from '../cpu/parts/part-place.ts';
import { manifoldOfContact } from '../cpu/queries/manifolds.ts';
import { createPairResult, type PairResult } from '../cpu/queries/result.ts';
import { writeRecord } from '../cpu/write-record.ts';
import {
  INFO_HIT,
  INFO_ITERATIONS_SHIFT,
  INFO_STATUS_MASK,
  STATUS_OVERLAPPING,
  STATUS_SEPARATED,
} from '../generated/constants.ts';
import type { Records } from '../records/layout.ts';
import type { PairQuery, AskedQuery } from '../request/backend.ts';
import type { Mesh } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { edgesOf } from './mesh-edges.ts';
import { isSurfaceNormal, triangleNormal } from './surface-normals.ts';

export interface SurfaceContacts {
  /**
   * Corrects the result for two parts of the bodies at the places. Returns false, and leaves the result as it was, if the
   * contact has to be dropped. Points are relative to A's body. If all contacts of two overlapping bodies would be dropped,
   * callers keep the deepest.
   */
  fixResult(partA: number, partB: number, to: PairResult): boolean;
  /** Does the same with a record. */
  fixRecord: FixContact;
}

export type FixContact = (
  pair: number,
  partA: number,
  partB: number,
  integers: Uint32Array,
  floats: Float32Array,
) => boolean;

const pairOfTwo = createPair();
const placeA = createPartPlace();
const placeB = createPartPlace();
const result = createPairResult();
const normal = vec3();
const inMesh = vec3();
const face = new Float64Array(3);
const inFrame = vec3();
const velocity = vec3();

/**
 * For queries with contacts of meshes; undefined for others. The edges of all meshes are known. `places` has the bodies of the
 * pair that is searched.
 */
export function createSurfaceContacts({ what, over }: AskedQuery, places: PairPlaces): SurfaceContacts | undefined {
  const { query, margin } = what;
  const { pairs, motion } = over;
  const { records } = over.dimension;
  const table = over.shapes.shapes as readonly (ShapeData | undefined)[];
  if (query === 'intersects' || query === 'distances' || !table.some((shape) => shape?.parts?.type === 'mesh'))
    return undefined;
  const bodies = over.bodies as PosedBodies;
  const normalWord = normalWordOf(query, records);
  const { info } = records.sizes[query];
  const moved = createPairPlaces();
  /** Records may come while another pair is searched, which has its own places. */
  const recorded = createPairPlaces();

  /** Where the bodies are at the time of an impact. Before the start, they moved without rotation. */
  function placesAt(given: PairPlaces, time: number): PairPlaces {
    const { linear, angular } = motion!;
    const [bodyA, bodyB] = [pairs[2 * given.pair], pairs[2 * given.pair + 1]];
    setVelocity(linear, bodyB, inFrame);
    setVelocity(linear, bodyA, velocity);
    addScaled(inFrame, velocity, -1, inFrame);
    addScaled(given.offset, inFrame, time, moved.offset);
    const turning = Math.max(time, 0);
    setVelocity(angular, bodyA, velocity);
    turn(given.a, velocity, turning, moved.a);
    setVelocity(angular, bodyB, velocity);
    turn(given.b, velocity, turning, moved.b);
    return moved;
  }

  /**
   * Decides about a contact with a normal from A to B: `KEPT`, `DROPPED` or `REPLACED`. If it is replaced, `normal` is the new
   * normal and, except for impacts, `result` the new contact, with points relative to A's part. `at`: where the bodies meet.
   */
  function replace({ a, b, offset }: PairPlaces, partA: number, partB: number, given: Vec3, status: number): Fate {
    const isMeshA = a.shape.parts?.type === 'mesh';
    const isMeshB = b.shape.parts?.type === 'mesh';
    if (isMeshA === isMeshB || (given.x === 0 && given.y === 0 && given.z === 0)) return KEPT;
    const meshPlace = isMeshA ? a : b;
    const mesh = meshPlace.shape.parts as Mesh;
    const triangle = isMeshA ? partA : partB;
    const sign = isMeshA ? 1 : -1;
    scale(given, sign, normal);
    transformBack(meshPlace.rotation, normal, inMesh);
    if (isSurfaceNormal(mesh, edgesOf(mesh), triangle, inMesh)) return KEPT;
    placePart(a, partA, true, placeA);
    placePart(b, partB, true, placeB);
    takeFaceNormal(triangle, meshPlace, isMeshA ? placeB : placeA, offset, isMeshA, normal);
    scale(normal, sign, normal);
    if (query === 'impacts') return REPLACED;
    pairOfParts(placeA, placeB, offset, pairOfTwo);
    copy(normal, result.normal);
    if (!contactAlong(pairOfTwo, placeA.shape, placeB.shape, margin, result)) return DROPPED;
    // Beside a triangle, a body may be below its plane: parts that are apart have no depth, and those that overlap no gap.
    return (status === STATUS_SEPARATED) === (result.status === STATUS_SEPARATED) ? REPLACED : DROPPED;
  }

  return {
    fixResult(partA, partB, to) {
      if (!to.hit) return true;
      const at = motion ? placesAt(places, to.unclampedTime) : places;
      const fate = replace(at, partA, partB, to.normal, to.status);
      if (fate !== REPLACED) return fate === KEPT;
      if (query === 'impacts') {
        copy(normal, to.normal);
        return true;
      }
      result.iterations = to.iterations;
      movePoints(result, placeA.offset);
      copyContact(result, to);
      return true;
    },
    fixRecord(pair, partA, partB, integers, floats) {
      if (!(integers[info] & INFO_HIT)) return true;
      if (recorded.pair !== pair) {
        placePair(bodies, table, pairs[2 * pair], pairs[2 * pair + 1], recorded);
        recorded.pair = pair;
      }
      set(floats[normalWord], floats[normalWord + 1], floats[normalWord + 2], normal);
      const at = motion ? placesAt(recorded, floats[records.impact.unclampedTime]) : recorded;
      const fate = replace(at, partA, partB, normal, integers[info] & INFO_STATUS_MASK);
      if (fate !== REPLACED) return fate === KEPT;
      if (query === 'impacts') {
        floats[normalWord] = normal.x;
        floats[normalWord + 1] = normal.y;
        floats[normalWord + 2] = normal.z;
        return true;
      }
      result.iterations = integers[info] >>> INFO_ITERATIONS_SHIFT;
      movePoints(result, placeA.offset);
      writeRecord(query, records, result, floats, integers, 0);
      return true;
    },
  };
}

const KEPT = 0;
const DROPPED = 1;
const REPLACED = 2;
type Fate = typeof KEPT | typeof DROPPED | typeof REPLACED;

function normalWordOf(query: PairQuery['query'], { fields, manifold, impact }: Records): number {
  if (query === 'manifolds') return manifold.normal;
  return query === 'impacts' ? impact.normal : fields.normal;
}

const middle = vec3();
const rotation = new Float64Array(9);

/** Writes the triangle's normal on the side of the body's part, in world axes. On entry, `to` is the contact's normal. */
function takeFaceNormal(
  triangle: number,
  meshPlace: BodyPlace,
  part: PartPlace,
  offset: Vec3,
  isMeshA: boolean,
  to: Vec3,
): void {
  const mesh = meshPlace.shape.parts as Mesh;
  triangleNormal(mesh, triangle, face);
  // From the mesh's position to the middle of the part.
  const sign = isMeshA ? 1 : -1;
  set(sign * offset.x + part.offset.x, sign * offset.y + part.offset.y, sign * offset.z + part.offset.z, inFrame);
  addScaled(inFrame, middleOf(part, rotationMatrix(part.quaternion, rotation), middle), 1, inFrame);
  transformBack(meshPlace.rotation, inFrame, inFrame);
  const { positions, indices } = mesh;
  const corner = 3 * indices[3 * triangle];
  const height =
    face[0] * (inFrame.x - positions[corner] * meshPlace.scale) +
    face[1] * (inFrame.y - positions[corner + 1] * meshPlace.scale) +
    face[2] * (inFrame.z - positions[corner + 2] * meshPlace.scale);
  transformBack(meshPlace.rotation, to, inFrame);
  const before = face[0] * inFrame.x + face[1] * inFrame.y + face[2] * inFrame.z;
  const side = height > 0 || (height === 0 && before >= 0) ? 1 : -1;
  set(side * face[0], side * face[1], side * face[2], inFrame);
  transform(meshPlace.rotation, inFrame, to);
}

/**
 * Writes the contact along a given normal, at points of both shapes' faces that are opposite each other. Returns whether
 * there are any within the margin.
 */
function contactAlong(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, margin: number, to: PairResult): boolean {
  to.status = STATUS_SEPARATED;
  to.hit = true;
  to.hasPoints = true;
  set(0, 0, 0, to.pointA);
  to.distance = Infinity;
  manifoldOfContact(pair, shapeA, shapeB, margin, to);
  if (to.pointCount === 0) return false;
  const { distances, positions } = to;
  let deepest = 0;
  for (let i = 1; i < to.pointCount; i++) if (distances[i] < distances[deepest]) deepest = i;
  to.distance = to.lower = to.upper = distances[deepest];
  to.status = to.distance <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  set(positions[3 * deepest], positions[3 * deepest + 1], positions[3 * deepest + 2], to.pointA);
  addScaled(to.pointA, to.normal, to.distance, to.pointB);
  transformBack(pair.rotationA, to.normal, inFrame);
  to.featureA = feature(shapeA, pair.coreA, inFrame);
  transformBack(pair.rotation, scale(inFrame, -1, inFrame), inFrame);
  to.featureB = feature(shapeB, pair.coreB, inFrame);
  return true;
}

/** Copies the fields of a contact. */
export function copyContact(from: PairResult, to: PairResult): void {
  to.status = from.status;
  to.hit = from.hit;
  to.iterations = from.iterations;
  to.hasPoints = from.hasPoints;
  to.distance = from.distance;
  to.lower = from.lower;
  to.upper = from.upper;
  to.featureA = from.featureA;
  to.featureB = from.featureB;
  copy(from.normal, to.normal);
  copy(from.pointA, to.pointA);
  copy(from.pointB, to.pointB);
}
