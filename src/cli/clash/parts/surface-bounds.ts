/**
 * Bounds of what separates two bodies of parts, from their parts alone: a translation that separates the bodies separates
 * each part of one from each part of the other. So it is at least as long as the least translation that separates the
 * deepest pair of parts.
 *
 * `contacts` gives that pair for compounds and for two meshes. For a mesh and convex parts it gives contacts of the mesh's
 * surface, whose depth may be more than what separates a triangle. So there every pair of parts that meets is measured by
 * itself.
 */

import { contact } from '../../../cpu/one-pair.ts';
import { vec3, type Vec3 } from '../../../cpu/math.ts';
import { triangleShape } from '../../../shapes/mesh-triangle.ts';
import type { ContactAnswer, Reference } from '../reference.ts';
import type { Body } from '../solids/body.ts';
import type { Solid } from '../solids/solid.ts';
import { deeper, type Bound, type PartPair } from './measured.ts';

/** The gap of each pair whose surfaces are apart; a bound of at most 0 for the others, if their parts have an answer. */
export async function surfaceBounds(
  pairs: readonly PartPair[],
  margin: number,
  reference: Reference,
): Promise<(Bound | undefined)[]> {
  const gaps = await reference.distances(flat(pairs), margin);
  const bounds: (Bound | undefined)[] = pairs.map((_, i) => (gaps.distance[i] > 0 ? boundAt(gaps, i) : undefined));
  const meeting = [...pairs.keys()].filter((i) => bounds[i] === undefined);
  const mixed = meeting.filter((i) => isMixed(pairs[i]));
  const others = meeting.filter((i) => !isMixed(pairs[i]));
  if (others.length > 0) {
    const contacts = await reference.contacts(flat(others.map((i) => pairs[i])), 0);
    others.forEach((i, slot) => (bounds[i] = boundAt(contacts, slot)));
  }
  if (mixed.length > 0) {
    const { pair, partA, partB } = await reference.partsThatMeet(flat(mixed.map((i) => pairs[i])));
    pair.forEach((slot, n) => {
      const { bodyA, bodyB } = pairs[mixed[slot]];
      const bound = boundOfParts(partAt(bodyA, partA[n]), partAt(bodyB, partB[n]));
      bounds[mixed[slot]] = deeper(bounds[mixed[slot]], bound);
    });
  }
  return bounds;
}

export function flat(pairs: readonly PartPair[]): Uint32Array {
  return Uint32Array.from(pairs.flatMap(({ a, b }) => [a, b]));
}

function isMixed({ bodyA, bodyB }: PartPair): boolean {
  return (bodyA.mesh === undefined) !== (bodyB.mesh === undefined);
}

function boundAt({ distance, normal, pointA, pointB }: ContactAnswer, slot: number): Bound {
  const at = (array: ArrayLike<number>): Vec3 => vec3(array[3 * slot], array[3 * slot + 1], array[3 * slot + 2]);
  return { distance: distance[slot], normal: at(normal), point: middle(at(pointA), at(pointB)) };
}

export function middle(p: Vec3, q: Vec3): Vec3 {
  return vec3((p.x + q.x) / 2, (p.y + q.y) / 2, (p.z + q.z) / 2);
}

export function partAt({ whole, parts, mesh }: Body, part: number): Solid {
  return mesh ? { ...whole, shape: triangleShape(mesh.mesh, part) } : parts[part];
}

export function boundOfParts(a: Solid, b: Solid): Bound {
  const { distance, normal, pointA, pointB } = contact(a.shape, poseOf(a), b.shape, poseOf(b));
  return { distance, normal: vec3(...normal), point: middle(vec3(...pointA), vec3(...pointB)) };
}

function poseOf({ position: { x, y, z }, quaternion, scale }: Solid) {
  return { position: [x, y, z], quaternion, scale };
}
