/** The rule of surfaces in 3-D: that of meshes, for contacts with convex bodies and compounds. */
import { feature } from '../../cpu/feature.ts';
import { addScaled, scale, set, transformBack, vec3, type Vec3 } from '../../cpu/math.ts';
import { createPair } from '../../cpu/pair.ts';
import { movePoints } from '../../cpu/parts/answer-parts.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { createPartPlace, pairOfParts, placePart, type BodyPlace } from '../../cpu/parts/part-place.ts';
import { manifoldOfContact } from '../../cpu/queries/manifolds.ts';
import type { PairResult } from '../../cpu/queries/result.ts';
import { CORE_HALFSPACE } from '../../generated/constants.ts';
import type { Mesh } from '../../shapes/parts.ts';
import { isAccepted } from './accepted-normal.ts';
import { NO_EDGE } from './edge-rings.ts';
import { FRONT_SLACK, proposeContact } from './first-pass.ts';
import { expectFronts, meshSurface, surfaceOf, type MeshSurface } from './mesh-surface.ts';
import { createPartInMesh, greatestHeight, leastHeight, placeInMesh } from './part-in-mesh.ts';
import type { PartsOfContact, SurfaceRule } from './surface-rule.ts';

/** Whether one body is a mesh and the other is bounded and not a mesh: then the mesh's surface decides about their contacts. */
function hasSurface({ a, b }: PairPlaces): boolean {
  const isMeshA = a.shape.parts?.type === 'mesh';
  if (isMeshA === (b.shape.parts?.type === 'mesh')) return false;
  return (isMeshA ? b : a).shape.kind !== CORE_HALFSPACE;
}

function isFirst({ a }: PairPlaces): boolean {
  return a.shape.parts?.type === 'mesh';
}

function meshPlaceOf(places: PairPlaces): BodyPlace {
  return isFirst(places) ? places.a : places.b;
}

function surfaceOfPair(places: PairPlaces): MeshSurface {
  return surfaceOf(meshPlaceOf(places).shape.parts as Mesh);
}

const placeA = createPartPlace();
const placeB = createPartPlace();
const part = createPartInMesh();
const toPart = vec3();

/** Places the part of the other body in the mesh. Returns the triangle. */
function placeOther(places: PairPlaces, partA: number, partB: number): number {
  const isMeshA = isFirst(places);
  const mesh = meshPlaceOf(places);
  placePart(isMeshA ? places.b : places.a, isMeshA ? partB : partA, true, placeB);
  placeInMesh(mesh, placeB, scale(places.offset, isMeshA ? 1 : -1, toPart), part);
  return isMeshA ? partA : partB;
}

const pair = createPair();
const direction = vec3();

function finishContact(places: PairPlaces, { partA, partB, margin }: PartsOfContact, to: PairResult): void {
  const { a, b, offset } = places;
  placePart(a, partA, true, placeA);
  placePart(b, partB, true, placeB);
  pairOfParts(placeA, placeB, offset, pair);
  // Relative to the part, as the pair is.
  addScaled(to.pointA, placeA.offset, -1, to.pointA);
  addScaled(to.pointB, placeA.offset, -1, to.pointB);
  transformBack(pair.rotationA, to.normal, direction);
  to.featureA = feature(placeA.shape, pair.coreA, direction);
  transformBack(pair.rotation, set(-direction.x, -direction.y, -direction.z, direction), direction);
  to.featureB = feature(placeB.shape, pair.coreB, direction);
  if (margin !== undefined) manifoldOfContact(pair, placeA.shape, placeB.shape, margin, to);
  movePoints(to, placeA.offset);
}

function acceptsImpact(places: PairPlaces, triangle: number, normal: Vec3, point: Vec3, angle: number): boolean {
  const surface = surfaceOfPair(places);
  if (surface.rings[3 * triangle] === NO_EDGE) return true;
  const at = 3 * triangle;
  const { normals } = surface;
  const along = normal.x * normals[at] + normal.y * normals[at + 1] + normal.z * normals[at + 2];
  return !(surface.mesh.isFront && along < -FRONT_SLACK) && isAccepted(surface, triangle, normal, point, angle);
}

function depthsOfFace(places: PairPlaces, [partA, partB]: readonly [number, number], normal: Vec3) {
  const triangle = placeOther(places, partA, partB);
  const { mesh, normals } = surfaceOfPair(places);
  const at = 3 * triangle;
  set(normals[at], normals[at + 1], normals[at + 2], normal);
  const corner = 3 * mesh.indices[at];
  const { positions } = mesh;
  const plane = positions[corner] * normal.x + positions[corner + 1] * normal.y + positions[corner + 2] * normal.z;
  return { below: plane - leastHeight(part, normal), above: greatestHeight(part, normal) - plane };
}

export const meshRule: SurfaceRule = {
  isSurface: ({ parts }) => parts?.type === 'mesh',
  *prepare({ parts }, field) {
    if (parts?.type !== 'mesh') return;
    yield* expectFronts(yield* meshSurface(parts), field);
  },
  hasSurface,
  isFirst,
  isFront: (places) => surfaceOfPair(places).mesh.isFront,
  cornersOf: surfaceOfPair,
  propose(places, [partA, partB], given, options, to) {
    const triangle = placeOther(places, partA, partB);
    proposeContact(surfaceOfPair(places), triangle, part, given, options, to);
  },
  finishContact,
  acceptsImpact,
  depthsOfFace,
};
