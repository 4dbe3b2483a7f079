/** The normal of an impact with a part of a surface: one that the surface accepts, or a face's. */
import { copy, dot, scale, set, transform, transformBack, vec3, type Vec3 } from '../../cpu/math.ts';
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import { followingSurface, isSurfaceFirst } from './leading-surface.ts';
import { greatestHeight, leastHeight, type PartInMesh } from './part-in-mesh.ts';
import { facesFrom, isThin, placeCorner, surfaceOf, type Surface } from './surface.ts';
import { acceptsContact, placeOther } from './part-of-pair.ts';
import { sineTo } from './accepted-normal.ts';
import {
  REFERENCE_ANGLE,
  type Asked,
  type ImpactContact,
  type PartContact,
  type SurfaceNormal,
} from './surface-rule.ts';

const face = vec3();
const corner = vec3();
const contact: PartContact = { normal: vec3(), distance: 0, point: vec3() };

/**
 * Replaces a normal that the surface does not accept by that of a face: of a triangle, on the side with less of the other part behind it;
 * of a solid, the open face with least of it behind.
 */
export function correctNormal(
  places: PairPlaces,
  parts: readonly [number, number],
  { margin }: Asked,
  given: ImpactContact,
  to: SurfaceNormal,
): void {
  to.isAccepted = true;
  to.isBehind = false;
  copy(given.normal, contact.normal);
  copy(given.point, contact.point);
  contact.distance = margin;
  const isFirst = isSurfaceFirst(places);
  const { side } = correctBy(places, isFirst, parts, given, to);
  if (!to.isAccepted || !followingSurface(places)) return;
  correctBy(places, !isFirst, parts, given, to);
  if (to.isAccepted) to.side = side;
}

function correctBy(
  places: PairPlaces,
  isFirst: boolean,
  parts: readonly [number, number],
  { normal }: ImpactContact,
  to: SurfaceNormal,
): SurfaceNormal {
  const body = isFirst ? places.a : places.b;
  const surface = surfaceOf(body.shape)!;
  const own = isFirst ? parts[0] : parts[1];
  to.side = 0;
  if (isThin(surface, own)) return to;
  if (acceptsContact(places, isFirst, parts, contact)) {
    transformBack(body.rotation, scale(normal, isFirst ? 1 : -1, corner), corner);
    to.side = sideAlong(surface, own, corner);
    return to;
  }
  to.isAccepted = false;
  const part = placeOther(places, isFirst, ...parts);
  if (surface.outline.solids) chooseFace(surface, own, part, to);
  else chooseSide(surface, own, part, to);
  to.below *= body.scale;
  if (to.side !== 0) transform(body.rotation, scale(face, isFirst ? 1 : -1, face), normal);
  return to;
}

/** Which face's normal an accepted one is, if it is one's. */
function sideAlong({ outline, normals }: Surface, own: number, m: Vec3): number {
  const first = facesFrom(outline, own);
  const last = facesFrom(outline, own + 1);
  for (let number = first; number < last; number++) {
    const along = normals[3 * number] * m.x + normals[3 * number + 1] * m.y + normals[3 * number + 2] * m.z;
    if (!outline.solids && sineTo(normals, 3 * number, m) <= REFERENCE_ANGLE) return along > 0 ? 1 : -1;
    if (outline.solids && along > 0 && sineTo(normals, 3 * number, m) <= REFERENCE_ANGLE) return 2 + number;
  }
  return 0;
}

/** Writes the normal of a triangle, on one side, to `face`. */
function chooseSide(
  { outline, normals, isFront }: Surface,
  triangle: number,
  part: PartInMesh,
  to: SurfaceNormal,
): void {
  set(normals[3 * triangle], normals[3 * triangle + 1], normals[3 * triangle + 2], face);
  const plane = dot(placeCorner(outline, 3 * triangle, corner), face);
  const below = plane - leastHeight(part, face);
  const above = greatestHeight(part, face) - plane;
  to.side = isFront || below <= above ? 1 : -1;
  to.isBehind = isFront && below > above;
  to.below = to.side > 0 ? below : above;
  scale(face, to.side, face);
}

/** Writes the normal of an open face of a solid to `face`. */
function chooseFace({ outline, normals }: Surface, own: number, part: PartInMesh, to: SurfaceNormal): void {
  const { open, heights } = outline.solids!;
  to.side = 0;
  to.below = Infinity;
  const last = facesFrom(outline, own + 1);
  for (let number = facesFrom(outline, own); number < last; number++) {
    if (open[number].length === 0) continue;
    set(normals[3 * number], normals[3 * number + 1], normals[3 * number + 2], corner);
    const below = heights[number] - leastHeight(part, corner);
    if (below >= to.below) continue;
    to.below = below;
    to.side = 2 + number;
    copy(corner, face);
  }
}
