/** Mirror of shaders/queries/witness.wgsl: from the weights of a simplex or face to points of both cores. */
import { type Vec3, addScaled, set, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import type { Simplex } from '../simplex.ts';
import { vertexA, vertexB } from '../support.ts';

const corner = vec3();

/** The nearest points of the cores: the simplex's weights carried over to the vertices on either side. */
export function simplexWitness(pair: Pair, s: Simplex, onA: Vec3, onB: Vec3): void {
  set(0, 0, 0, onA);
  set(0, 0, 0, onB);
  for (let i = 0; i < s.count; i++) addVertex(pair, s.ids, i, s.weights[i], onA, onB);
}

export function cornerWitness(pair: Pair, ids: Float64Array, weights: Vec3, onA: Vec3, onB: Vec3): void {
  set(0, 0, 0, onA);
  set(0, 0, 0, onB);
  addVertex(pair, ids, 0, weights.x, onA, onB);
  addVertex(pair, ids, 1, weights.y, onA, onB);
  addVertex(pair, ids, 2, weights.z, onA, onB);
}

function addVertex(pair: Pair, ids: Float64Array, i: number, weight: number, onA: Vec3, onB: Vec3): void {
  addScaled(onA, vertexA(pair, ids[2 * i], corner), weight, onA);
  addScaled(onB, vertexB(pair, ids[2 * i + 1], corner), weight, onB);
}
