/**
 * Contacts of convex bodies with meshes, made those of the mesh's surface. Where the normal of a contact with a triangle is
 * none of the surface (surface-normals.ts), the triangle's own normal takes its place, and the contact is what of the body
 * is over the triangle. If nothing of it is, the contact belongs to other triangles, which have it, and is dropped.
 */
import type { PosedBodies } from '../api/bodies.ts';
import { feature } from '../cpu/feature.ts';
import { addScaled, rotationMatrix, scale, set, transform, transformBack, vec3, type Vec3 } from '../cpu/math.ts';
import { createPair, type Pair } from '../cpu/pair.ts';
import { manifoldOfContact } from '../cpu/queries/manifolds.ts';
import { createPairResult, type PairResult } from '../cpu/queries/result.ts';
import { writeRecord } from '../cpu/write-record.ts';
import { INFO_HIT, INFO_ITERATIONS_SHIFT, STATUS_OVERLAPPING, STATUS_SEPARATED } from '../generated/constants.ts';
import type { Records } from '../records/layout.ts';
import type { QueryRequest } from '../request/backend.ts';
import { hasVertices } from '../shapes/kinds.ts';
import type { Mesh } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { edgesOf } from './mesh-edges.ts';
import { createPairPlaces, placePair, type PairPlaces } from './pair-places.ts';
import { pairOfParts } from './part-distances.ts';
import { createPartPlace, placePart, type BodyPlace, type PartPlace } from './part-place.ts';
import { isSurfaceNormal, triangleNormal } from './surface-normals.ts';

/**
 * Makes the record of a pair of parts one of the surface, where it is. Returns false if it is to be dropped. Points are
 * relative to A's body.
 */
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

/** For queries with contacts of meshes; undefined for others. The edges of all meshes are known. */
export function createFixContact(request: QueryRequest): FixContact | undefined {
  const { query, pairs, margin, dimension } = request;
  const { records } = dimension;
  const table = request.shapes.shapes as readonly (ShapeData | undefined)[];
  if (query === 'intersects' || query === 'distances' || !table.some((shape) => shape?.parts?.type === 'mesh'))
    return undefined;
  const bodies = request.bodies as PosedBodies;
  const places = createPairPlaces();
  let placed = -1;
  const normalWord = normalWordOf(query, records);
  const { info } = records.sizes[query];

  return (pair, partA, partB, integers, floats) => {
    if (placed !== pair) placePair(bodies, table, pairs[2 * pair], pairs[2 * pair + 1], places);
    placed = pair;
    const { a, b } = places;
    const isMeshA = a.shape.parts?.type === 'mesh';
    const isMeshB = b.shape.parts?.type === 'mesh';
    if (isMeshA === isMeshB || !(integers[info] & INFO_HIT)) return true;
    const meshPlace = isMeshA ? a : b;
    const mesh = meshPlace.shape.parts as Mesh;
    const triangle = isMeshA ? partA : partB;
    const sign = isMeshA ? 1 : -1;
    set(sign * floats[normalWord], sign * floats[normalWord + 1], sign * floats[normalWord + 2], normal);
    if (normal.x === 0 && normal.y === 0 && normal.z === 0) return true;
    transformBack(meshPlace.rotation, normal, inMesh);
    if (isSurfaceNormal(mesh, edgesOf(mesh), triangle, [inMesh.x, inMesh.y, inMesh.z])) return true;
    placePart(a, partA, true, placeA);
    placePart(b, partB, true, placeB);
    takeFaceNormal(mesh, triangle, meshPlace, isMeshA ? placeB : placeA, places, isMeshA, normal);
    if (query === 'impacts') {
      scale(normal, sign, normal);
      [floats[normalWord], floats[normalWord + 1], floats[normalWord + 2]] = [normal.x, normal.y, normal.z];
      return true;
    }
    pairOfParts(placeA, placeB, places.offset, pairOfTwo);
    scale(normal, sign, result.normal);
    if (!contactAlong(pairOfTwo, placeA.shape, placeB.shape, margin, result)) return false;
    result.iterations = integers[info] >>> INFO_ITERATIONS_SHIFT;
    movePoints(result, placeA.offset);
    writeRecord(query, records, result, floats, integers, 0);
    return true;
  };
}

function normalWordOf(query: QueryRequest['query'], { fields, manifold, impact }: Records): number {
  if (query === 'manifolds') return manifold.normal;
  return query === 'impacts' ? impact.normal : fields.normal;
}

/** Writes the triangle's normal on the side of the body's part, in world axes. `to` has the normal of before. */
function takeFaceNormal(
  mesh: Mesh,
  triangle: number,
  meshPlace: BodyPlace,
  part: PartPlace,
  { offset }: PairPlaces,
  isMeshA: boolean,
  to: Vec3,
): void {
  triangleNormal(mesh, triangle, face);
  // From the mesh's position to the middle of the part.
  const sign = isMeshA ? 1 : -1;
  set(sign * offset.x + part.offset.x, sign * offset.y + part.offset.y, sign * offset.z + part.offset.z, inFrame);
  addScaled(inFrame, middleOf(part), 1, inFrame);
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

const middle = vec3();
const rotation = new Float64Array(9);

/** The middle of a part relative to its position, in world axes: the centroid of a hull, the origin of other shapes. */
function middleOf({ shape, scale: factor, quaternion }: PartPlace): Vec3 {
  if (!hasVertices(shape.kind)) return set(0, 0, 0, middle);
  const [x, y, z] = shape.halfExtents;
  set(x * factor, y * factor, z * factor, middle);
  return transform(rotationMatrix(quaternion, rotation), middle, middle);
}

/**
 * The contact along a given normal: the points of both shapes' faces that are over each other. Returns whether there are
 * any within the margin.
 */
function contactAlong(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, margin: number, to: PairResult): boolean {
  to.status = STATUS_SEPARATED;
  to.hit = true;
  to.hasPoints = true;
  set(0, 0, 0, to.pointA);
  to.distance = Infinity;
  manifoldOfContact(pair, shapeA, shapeB, margin, to);
  if (to.pointCount === 0) return false;
  let deepest = 0;
  for (let i = 1; i < to.pointCount; i++) if (to.distances[i] < to.distances[deepest]) deepest = i;
  to.distance = to.lower = to.upper = to.distances[deepest];
  to.status = to.distance <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  const [x, y, z] = to.positions.subarray(3 * deepest, 3 * deepest + 3);
  set(x, y, z, to.pointA);
  addScaled(to.pointA, to.normal, to.distance, to.pointB);
  transformBack(pair.rotationA, to.normal, inFrame);
  to.featureA = feature(shapeA, pair.coreA, inFrame);
  transformBack(pair.rotation, scale(inFrame, -1, inFrame), inFrame);
  to.featureB = feature(shapeB, pair.coreB, inFrame);
  return true;
}

/** Makes points relative to A's body. */
function movePoints(to: PairResult, offset: Vec3): void {
  addScaled(to.pointA, offset, 1, to.pointA);
  addScaled(to.pointB, offset, 1, to.pointB);
  for (let i = 0; i < to.pointCount; i++) {
    to.positions[3 * i] += offset.x;
    to.positions[3 * i + 1] += offset.y;
    to.positions[3 * i + 2] += offset.z;
  }
}
