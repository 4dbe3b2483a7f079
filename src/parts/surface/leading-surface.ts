/**
 * Which surface decides about the contacts of two bodies. If both have one, one leads: the mesh, or body A. Its passes decide, and the
 * other one follows: it only accepts or rejects. Two meshes meet triangle by triangle, and a half-space has no edges to catch on.
 */
import type { PairPlaces } from '../../cpu/parts/pair-places.ts';
import type { BodyPlace } from '../../cpu/parts/part-place.ts';
import { CORE_HALFSPACE } from '../../generated/constants.ts';
import { surfaceOf, type Surface } from './surface.ts';

/** Whether a body has a surface, and the other is bounded and not a second mesh: then the surface decides about their contacts. */
export function hasSurface({ a, b }: PairPlaces): boolean {
  const [isMeshA, isMeshB] = [isMesh(a), isMesh(b)];
  if (isMeshA && isMeshB) return false;
  if (isMeshA || surfaceOf(a.shape)) return b.shape.kind !== CORE_HALFSPACE;
  return (isMeshB || surfaceOf(b.shape) !== undefined) && a.shape.kind !== CORE_HALFSPACE;
}

function isMesh({ shape: { parts } }: BodyPlace): boolean {
  return parts?.type === 'mesh';
}

/** Whether body A of a pair that `hasSurface` has the surface that leads. */
export function isSurfaceFirst({ a, b }: PairPlaces): boolean {
  return isMesh(a) || (!isMesh(b) && surfaceOf(a.shape) !== undefined);
}

/** The body with the surface that leads. */
export function surfacePlaceOf(places: PairPlaces): BodyPlace {
  return isSurfaceFirst(places) ? places.a : places.b;
}

/** The surface that leads. */
export function surfaceOfPair(places: PairPlaces): Surface {
  return surfaceOf(surfacePlaceOf(places).shape)!;
}

/** The surface that follows; undefined if there is none. */
export function followingSurface(places: PairPlaces): Surface | undefined {
  return surfaceOf((isSurfaceFirst(places) ? places.b : places.a).shape);
}
