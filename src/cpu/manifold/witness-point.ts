/** Mirror of shaders/manifold/witness-point.wgsl: the contact's own point as a corner of the manifold. */
import { CORE_HULL, MANIFOLD_RIM_RADIUS, MANIFOLD_VERTEX, MANIFOLD_WITNESS } from '../../generated/constants.ts';
import { type ContactFace, faceVertex } from '../contact-face/face.ts';
import { addCorner, cornerCount, cornerName, cornerPlace, deepestCorner, removeCorner } from '../corners.ts';
import { copy, vec3 } from '../math.ts';

const at = vec3();

/**
 * Whether another point is needed, because no corner is as deep as the contact. None is needed if several corners are
 * nearly as deep: the contact point of a round shape wanders while the shape is at rest. A normal that was chosen without a
 * contact has the distance Infinity.
 */
export function needsWitness(distance: number, depthTolerance: number, level: number): boolean {
  if (cornerCount() === 0) return distance < Infinity;
  return (
    cornerPlace(deepestCorner(), 3) > distance + depthTolerance && !(cornerCount() > 2 && areLevel(distance + level))
  );
}

/** Whether the distance is at most this at all corners. */
function areLevel(most: number): boolean {
  for (let i = 0; i < cornerCount(); i++) if (cornerPlace(i, 3) > most) return false;
  return true;
}

/**
 * Adds the contact's own point. Its name is that of a corner within `radius`, which it replaces, or else of a nearby
 * vertex of either face or a peak.
 */
export function addWitness(faceA: ContactFace, faceB: ContactFace, distance: number, radius: number): void {
  let name = MANIFOLD_WITNESS;
  let nearest = radius * radius;
  let replaced = -1;
  for (let i = 0; i < cornerCount(); i++) {
    const gap = cornerPlace(i, 0) ** 2 + cornerPlace(i, 1) ** 2;
    if (gap >= nearest) continue;
    nearest = gap;
    name = cornerName(i);
    replaced = i;
  }
  if (replaced >= 0) removeCorner(replaced);
  for (let side = 0; side < 2 && name === MANIFOLD_WITNESS; side++) {
    const face = side === 0 ? faceA : faceB;
    // The fixed points of a rim are no better than any other of its points.
    for (let i = face.kind > CORE_HULL && face.hasPeak ? face.count : 0; i < face.count + (face.hasPeak ? 1 : 0); i++) {
      if (i < face.count) faceVertex(face, i, at);
      else copy(face.peak, at);
      const isRim = i === face.count && name === MANIFOLD_WITNESS && face.kind > CORE_HULL;
      const gap = at.x * at.x + at.y * at.y;
      if (gap >= (isRim ? MANIFOLD_RIM_RADIUS * MANIFOLD_RIM_RADIUS : nearest)) continue;
      nearest = gap;
      name = side * MANIFOLD_VERTEX + i;
    }
  }
  addCorner({ u: 0, v: 0, h: 0, distance }, MANIFOLD_WITNESS, name, 0);
}
