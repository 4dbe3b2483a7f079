/**
 * Bodies of parts on half-spaces, whose signed distance is exact: the height of the body's lowest point. A translation
 * along the normal by the depth separates them, and no shorter one does.
 */

import { transform, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import { CORE_HALFSPACE } from '../../../src/generated/constants.ts';
import { placeOf, pointsOf, type Body } from '../solids/body.ts';
import { slackOf } from '../solids/protrusion.ts';
import { solidHeight, type Solid } from '../solids/solid.ts';
import { shownDistance, type Measured, type PartPair } from './measured.ts';

/** One of the bodies is a half-space. Undefined if the pair is not a clash. */
export function measureOnHalfspace({ pair, bodyA, bodyB, limits }: PartPair): Measured | undefined {
  const isAPlane = bodyA.whole.shape.kind === CORE_HALFSPACE;
  const [plane, body] = isAPlane ? [bodyA.whole, bodyB] : [bodyB.whole, bodyA];
  const { tolerance, clearance } = limits;
  const [x, y, z] = plane.shape.halfExtents;
  const up = transform(plane.rotation, vec3(x, y, z), vec3());
  const down = vec3(-up.x, -up.y, -up.z);
  const offset = plane.shape.radius * plane.scale;
  const distance = shownDistance(-solidHeight(body.whole, down, plane.position) - offset);
  const normal = isAPlane ? up : down;
  const found = { pair, distance, normal, point: lowestPoint(body, plane, up, offset), source: 'exact' } as const;
  if (distance > tolerance) {
    return clearance !== null && distance < clearance ? { ...found, category: 'clearance' } : undefined;
  }
  if (distance >= -tolerance) return { ...found, category: 'touching' };
  const top = solidHeight(body.whole, up, plane.position) - offset;
  if (top > tolerance + slackOf(body.whole, plane)) return { ...found, category: 'overlap' };
  return { ...found, category: 'contained', inside: isAPlane ? 'b' : 'a' };
}

/** The middle between the plane and the lowest of the body's points. */
function lowestPoint(body: Body, { position }: Solid, up: Vec3, offset: number): Vec3 {
  let lowest = vec3();
  let least = Infinity;
  for (const point of pointsOf(body)) {
    const at = placeOf(point);
    const height = up.x * (at.x - position.x) + up.y * (at.y - position.y) + up.z * (at.z - position.z) - offset;
    if (height - point.radius >= least) continue;
    least = height - point.radius;
    lowest = vec3(
      at.x - up.x * (height - least / 2),
      at.y - up.y * (height - least / 2),
      at.z - up.z * (height - least / 2),
    );
  }
  return lowest;
}
