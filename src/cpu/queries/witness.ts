/** Mirror of shaders/queries/witness.wgsl: from the weights of a simplex or face to points on both surfaces. */
import { type Vec3, addScaled, set, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import type { Simplex } from '../simplex.ts';
import { vertexA, vertexB } from '../support.ts';

const corner = vec3();

/** The nearest points of the cores: the simplex's weights carried over to the vertices on either side. */
export function simplexWitness(pair: Pair, s: Simplex, onA: Vec3, onB: Vec3): void {
  set(0, 0, 0, onA);
  set(0, 0, 0, onB);
  for (let i = 0; i < s.count; i++) addVertex(pair, s.points[i].id, s.weights[i], onA, onB);
}

export function cornerWitness(pair: Pair, ids: readonly number[], weights: Vec3, onA: Vec3, onB: Vec3): void {
  set(0, 0, 0, onA);
  set(0, 0, 0, onB);
  addVertex(pair, ids[0], weights.x, onA, onB);
  addVertex(pair, ids[1], weights.y, onA, onB);
  addVertex(pair, ids[2], weights.z, onA, onB);
}

function addVertex(pair: Pair, id: number, weight: number, onA: Vec3, onB: Vec3): void {
  addScaled(onA, vertexA(pair, id, corner), weight, onA);
  addScaled(onB, vertexB(pair, id, corner), weight, onB);
}

const middle = vec3();

/** Points on the rounded surfaces exactly `distance` apart along the normal. */
export function surfacePoints(pair: Pair, normal: Vec3, distance: number, onA: Vec3, onB: Vec3): void {
  const shift = pair.radiusA - pair.radiusB;
  set(
    0.5 * (onA.x + onB.x + normal.x * shift),
    0.5 * (onA.y + onB.y + normal.y * shift),
    0.5 * (onA.z + onB.z + normal.z * shift),
    middle,
  );
  addScaled(middle, normal, -0.5 * distance, onA);
  addScaled(middle, normal, 0.5 * distance, onB);
}
