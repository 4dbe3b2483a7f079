/** The normal of an impact with a triangle of a mesh: one that the surface accepts, or the triangle's own. */
import { addScaled, copy, scale, set, transform, transformBack, vec3, type Vec3 } from '../../cpu/math.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { createPartPlace, placePart } from '../../cpu/parts/part-place.ts';
import { isAccepted } from './accepted-normal.ts';
import { NO_EDGE } from './edge-rings.ts';
import { FRONT_SLACK } from './first-pass.ts';
import { createPartInMesh, greatestHeight, leastHeight, placeInMesh } from './part-in-mesh.ts';
import { isMeshFirst, meshPlaceOf, surfaceOfPair } from './surface-pair.ts';

/** The normal of an impact, from A to B, and the point on A's surface, relative to A's position. */
export interface ImpactContact {
  readonly normal: Vec3;
  readonly point: Vec3;
}

export interface SurfaceNormal {
  /** Whether the normal is accepted as it is. */
  isAccepted: boolean;
  /** Otherwise on which side of its triangle it is, and how far the part reaches behind the triangle's plane there. */
  side: 1 | -1;
  below: number;
  /** Whether the mesh has one side, and more of the part is behind it. */
  isBehind: boolean;
}

export function createSurfaceNormal(): SurfaceNormal {
  return { isAccepted: true, side: 1, below: 0, isBehind: false };
}

const place = createPartPlace();
const part = createPartInMesh();
const inMesh = vec3();
const lever = vec3();

/**
 * Replaces a normal that the surface does not accept by that of the triangle, on the side with less of the part behind it. `angle`: the
 * error of normals.
 */
export function correctNormal(
  places: PairPlaces,
  [partA, partB]: readonly [number, number],
  margin: number,
  angle: number,
  { normal, point }: ImpactContact,
  to: SurfaceNormal,
): void {
  to.isAccepted = true;
  to.isBehind = false;
  const isMeshA = isMeshFirst(places);
  const mesh = meshPlaceOf(places);
  const surface = surfaceOfPair(places);
  const triangle = isMeshA ? partA : partB;
  if (surface.rings[3 * triangle] === NO_EDGE) return;
  const sign = isMeshA ? 1 : -1;
  transformBack(mesh.rotation, scale(normal, sign, inMesh), inMesh);
  copy(point, lever);
  // On B's surface.
  if (!isMeshA) addScaled(addScaled(lever, normal, margin, lever), places.offset, -1, lever);
  scale(transformBack(mesh.rotation, lever, lever), 1 / mesh.scale, lever);
  const at = 3 * triangle;
  const { isFront } = surface.mesh;
  const { normals } = surface;
  const isBehind = inMesh.x * normals[at] + inMesh.y * normals[at + 1] + inMesh.z * normals[at + 2] < -FRONT_SLACK;
  if (!(isFront && isBehind) && isAccepted(surface, triangle, inMesh, lever, angle)) return;
  const plane = placeOverTriangle(places, partA, partB);
  const below = plane - leastHeight(part, inMesh);
  const above = greatestHeight(part, inMesh) - plane;
  to.isAccepted = false;
  to.side = isFront || below <= above ? 1 : -1;
  to.isBehind = isFront && below > above;
  to.below = (to.side > 0 ? below : above) * mesh.scale;
  transform(mesh.rotation, scale(inMesh, to.side * sign, inMesh), normal);
}

/** Places the other body's part in the mesh, and the triangle's normal in `inMesh`. Returns the height of its plane. */
function placeOverTriangle(places: PairPlaces, partA: number, partB: number): number {
  const isMeshA = isMeshFirst(places);
  const mesh = meshPlaceOf(places);
  const { mesh: given, normals } = surfaceOfPair(places);
  const at = 3 * (isMeshA ? partA : partB);
  placePart(isMeshA ? places.b : places.a, isMeshA ? partB : partA, true, place);
  placeInMesh(mesh, place, scale(places.offset, isMeshA ? 1 : -1, lever), part);
  set(normals[at], normals[at + 1], normals[at + 2], inMesh);
  const corner = 3 * given.indices[at];
  const { positions } = given;
  return positions[corner] * inMesh.x + positions[corner + 1] * inMesh.y + positions[corner + 2] * inMesh.z;
}
