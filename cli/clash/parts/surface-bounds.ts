/**
 * Bounds of what separates two bodies of parts, from their parts alone: a translation that separates the bodies separates
 * each part of one from each part of the other. So it is at least as long as the least translation that separates the
 * deepest pair of parts.
 *
 * `contacts` gives that pair for compounds and for two meshes. For a mesh and convex parts it gives contacts of the mesh's
 * surface, whose depth may be more than what separates a triangle. So there every pair of parts that meets is measured by
 * itself.
 */

import { contact } from '../../../src/cpu/one-pair.ts';
import { vec3, type Vec3 } from '../../../src/cpu/math.ts';
import { triangleShape } from '../../../src/shapes/mesh-triangle.ts';
import { hasComponentInside } from './separation.ts';
import type { ContactAnswer, Reference } from '../reference.ts';
import type { Body } from '../solids/body.ts';
import type { Solid } from '../solids/solid.ts';
import { deeper, type Bound, type PartPair } from './measured.ts';

/** Gaps are rounded to f32, so that one of exactly the margin may seem larger. */
const MARGIN_ROUNDING = 2 ** -20;

/**
 * The pairs that may be clashes, with the gap of each whose surfaces are apart, and a bound of at most 0 for the others, if
 * their parts have an answer. Left out are pairs whose surfaces are more than the margin apart, unless one body is inside
 * the other.
 */
export async function surfaceBounds(
  given: readonly PartPair[],
  margin: number,
  reference: Reference,
): Promise<{ pairs: PartPair[]; surfaces: (Bound | undefined)[] }> {
  const gaps = await reference.distances(flat(given), margin * (1 + MARGIN_ROUNDING));
  const slots = new Map(Array.from(gaps.pair, (i, slot) => [i, slot]));
  const kept = [...given.keys()].filter((i) => {
    const { bodyA, bodyB } = given[i];
    return slots.has(i) || hasComponentInside(bodyA, bodyB) || hasComponentInside(bodyB, bodyA);
  });
  const pairs = kept.map((i) => given[i]);
  const bounds = kept.map((i) => {
    const slot = slots.get(i);
    return slot !== undefined && gaps.distance[slot] > 0 ? boundAt(gaps, slot) : undefined;
  });
  const meeting = [...pairs.keys()].filter((i) => bounds[i] === undefined && slots.has(kept[i]));
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
  return { pairs, surfaces: bounds };
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
