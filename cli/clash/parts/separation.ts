/**
 * Translations that separate two bodies.
 *
 * A bound is exact if its translation separates the bodies, because no shorter one does. Bodies that touch after the
 * translation do not count as apart, so it is tried with a small addition in several directions.
 *
 * Bodies touch if a translation no longer than the tolerance separates them. A bound within the tolerance does not tell: it
 * is no more than their walls are thick, however deep thin-walled bodies overlap.
 */

import { addScaled, length, scale, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import type { Scene } from '../../scene/scene.ts';
import { hasCurvedPart } from '../../../src/shapes/parts.ts';
import type { OtherBodies, Reference } from '../reference.ts';
import { isInside, type Body, type BodyPoint } from '../solids/body.ts';
import { reachOf, type Solid } from '../solids/solid.ts';
import type { Bound, PartPair } from './measured.ts';

/** The precision of the reference as a share of both bodies' size. This much is added to the translation of a bound. */
const PRECISION = 1e-6;
const PRECISION_IF_CURVED = 4e-6;

/** Directions that are tried besides that of a bound. */
const ASIDE = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => vec3(x, y, z)).filter((v) => length(v) > 0)),
);

/** For each pair and its bound, which is at most 0, whether the translation separates the bodies. */
export function doSeparate(
  pairs: readonly PartPair[],
  bounds: readonly Bound[],
  scene: Scene,
  reference: Reference,
): Promise<boolean[]> {
  return isOneApart(pairs, (i, direction) => moveOf(pairs[i], bounds[i], direction), bounds, scene, reference);
}

/** For each pair and its bound, whether a translation as long as the tolerance is found that separates the bodies. */
export function doTouch(
  pairs: readonly PartPair[],
  bounds: readonly Bound[],
  scene: Scene,
  reference: Reference,
): Promise<boolean[]> {
  const moveAlong = (i: number, direction: Vec3): Vec3 =>
    scale(direction, pairs[i].limits.tolerance / length(direction), vec3());
  return isOneApart(pairs, moveAlong, bounds, scene, reference);
}

/** For each pair, whether one of the translations along the bound's normal and the other directions separates it. */
async function isOneApart(
  pairs: readonly PartPair[],
  moveAlong: (i: number, direction: Vec3) => Vec3,
  bounds: readonly Bound[],
  scene: Scene,
  reference: Reference,
): Promise<boolean[]> {
  const areApart = await areApartAfter(
    pairs.map((pair, i) => ({ pair, move: moveAlong(i, bounds[i].normal) })),
    scene,
    reference,
  );
  const open = [...pairs.keys()].filter((i) => !areApart[i]);
  const areApartAside = await areApartAfter(
    open.flatMap((i) => ASIDE.map((aside) => ({ pair: pairs[i], move: moveAlong(i, aside) }))),
    scene,
    reference,
  );
  open.forEach((i, n) => {
    areApart[i] = areApartAside.slice(n * ASIDE.length, (n + 1) * ASIDE.length).includes(true);
  });
  return areApart;
}

/** The translation of a bound, and a little more in a direction. */
function moveOf(pair: PartPair, { distance, normal }: Bound, more: Vec3): Vec3 {
  return addScaled(scale(normal, -distance, vec3()), more, precisionOf(pair) / length(more), vec3());
}

/** The precision of the reference for a pair, a length. */
export function precisionOf({ bodyA, bodyB }: PartPair): number {
  const isCurved = hasCurvedPart(bodyA.whole.shape) || hasCurvedPart(bodyB.whole.shape);
  return (reachOf(bodyA.whole) + reachOf(bodyB.whole)) * (isCurved ? PRECISION_IF_CURVED : PRECISION);
}

/** Whether each pair is apart after B has moved. */
async function areApartAfter(
  moved: readonly { pair: PartPair; move: Vec3 }[],
  scene: Scene,
  reference: Reference,
): Promise<boolean[]> {
  if (moved.length === 0) return [];
  const bodies: OtherBodies = { shapes: [], positions: [], quaternions: [], scales: [] };
  const asked = moved.flatMap(({ pair: { a, b }, move: { x, y, z } }) => [
    addBody(scene, a, [0, 0, 0], bodies),
    addBody(scene, b, [x, y, z], bodies),
  ]);
  const meet = await reference.doMeet(bodies, asked);
  return moved.map(({ pair: { bodyA, bodyB }, move }, i) => {
    if (meet[i]) return false;
    const there = movedBy(bodyB, move);
    return !hasComponentInside(bodyA, there) && !hasComponentInside(there, bodyA);
  });
}

function addBody({ bodies }: Scene, body: number, move: readonly number[], to: OtherBodies): number {
  to.positions.push(...move.map((x, k) => bodies.positions[3 * body + k] + x));
  to.quaternions.push(...bodies.quaternions.subarray(4 * body, 4 * body + 4));
  to.scales.push(bodies.scales[body]);
  return to.shapes.push(bodies.shapes[body]) - 1;
}

function movedBy(body: Body, { x, y, z }: Vec3): Body {
  const move = (solid: Solid): Solid => ({
    ...solid,
    position: vec3(solid.position.x + x, solid.position.y + y, solid.position.z + z),
  });
  return { ...body, whole: move(body.whole), parts: body.parts.map(move) };
}

/** Whether a connected part of A is inside the closed mesh B. If their surfaces do not meet, one point of it decides. */
export function hasComponentInside(a: Body, b: Body): boolean {
  if (!b.mesh?.isClosed) return false;
  return pointsOfComponents(a).some((point) => isInside(b, point));
}

function pointsOfComponents({ whole, parts, mesh }: Body): BodyPoint[] {
  if (!mesh) {
    // The middle of a hull is its centroid, and of other shapes their origin.
    return parts.map((solid) => {
      const [x, y, z] = solid.shape.vertices.length > 0 ? solid.shape.halfExtents : [0, 0, 0];
      return { solid, x, y, z, radius: 0 };
    });
  }
  const { positions } = mesh.mesh;
  return mesh.components.map((v) => ({
    solid: whole,
    x: positions[3 * v],
    y: positions[3 * v + 1],
    z: positions[3 * v + 2],
    radius: 0,
  }));
}
