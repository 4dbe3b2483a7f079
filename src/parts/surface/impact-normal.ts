/** The normal of an impact with a part of a surface: one that the surface accepts, or the part's own. */
import { addScaled, copy, scale, transform, transformBack, vec3, type Vec3 } from '../../cpu/math.ts';
import type { PartPlaces } from '../part-geometry.ts';

/** The normal of an impact, from A to B, and the point on A's surface, relative to A's position. */
export interface ImpactContact {
  readonly normal: Vec3;
  readonly point: Vec3;
}

export interface SurfaceNormal {
  /** Whether the normal is accepted as it is. */
  isAccepted: boolean;
  /** Otherwise on which side of the surface's part it is, and how far the other part reaches behind its plane there. */
  side: 1 | -1;
  below: number;
  /** Whether the surface has one side, and more of the part is behind it. */
  isBehind: boolean;
}

export function createSurfaceNormal(): SurfaceNormal {
  return { isAccepted: true, side: 1, below: 0, isBehind: false };
}

const inSurface = vec3();
const lever = vec3();

/**
 * Replaces a normal that the surface does not accept by that of the surface's part, on the side with less of the other part behind it.
 * `angle`: the error of normals.
 */
export function correctNormal(
  places: PartPlaces,
  parts: readonly [partA: number, partB: number],
  margin: number,
  angle: number,
  { normal, point }: ImpactContact,
  to: SurfaceNormal,
): void {
  to.isAccepted = true;
  to.isBehind = false;
  const { surface } = places.geometry;
  const isFirst = surface.isFirst(places);
  const place = isFirst ? places.a : places.b;
  const sign = isFirst ? 1 : -1;
  transformBack(place.rotation, scale(normal, sign, inSurface), inSurface);
  copy(point, lever);
  // On B's surface.
  if (!isFirst) addScaled(addScaled(lever, normal, margin, lever), places.offset, -1, lever);
  scale(transformBack(place.rotation, lever, lever), 1 / place.scale, lever);
  const part = parts[isFirst ? 0 : 1];
  if (surface.acceptsImpact(places, part, inSurface, lever, angle)) {
    if (surface.makeExact?.(places, part, inSurface, angle))
      transform(place.rotation, scale(inSurface, sign, inSurface), normal);
    return;
  }
  const { below, above } = surface.depthsOfFace(places, parts, inSurface);
  const isFront = surface.isFront(places);
  to.isAccepted = false;
  to.side = isFront || below <= above ? 1 : -1;
  to.isBehind = isFront && below > above;
  to.below = (to.side > 0 ? below : above) * place.scale;
  transform(place.rotation, scale(inSurface, to.side * sign, inSurface), normal);
}
