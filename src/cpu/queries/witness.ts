/** Mirror of shaders/queries/witness.wgsl: from the weights of a simplex or face to points on both surfaces. */
import { type Vec3, addScaled, set, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import type { Simplex } from '../simplex.ts';
import { vertexA, vertexB } from '../support.ts';

/** A point of A and one of B, in A's frame. */
export interface Surface {
  onA: Vec3;
  onB: Vec3;
}

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

/** What `surfacePoints` reads and fills, in world axes. */
interface WitnessPoints {
  readonly normal: Vec3;
  readonly distance: number;
  readonly pointA: Vec3;
  readonly pointB: Vec3;
}

/**
 * Points on the rounded surfaces exactly `distance` apart along the normal, which `to` has in world axes already: what
 * rounding left between the two estimates is shared by both.
 */
export function surfacePoints(pair: Pair, normal: Vec3, onA: Vec3, onB: Vec3, to: WitnessPoints): void {
  const { rotationA, unit, middleA } = pair;
  const { x: normalX, y: normalY, z: normalZ } = to.normal;
  const shift = pair.radiusA - pair.radiusB;
  const x = (0.5 * (onA.x + onB.x + normal.x * shift) + middleA.x) * unit;
  const y = (0.5 * (onA.y + onB.y + normal.y * shift) + middleA.y) * unit;
  const z = (0.5 * (onA.z + onB.z + normal.z * shift) + middleA.z) * unit;
  const middleX = rotationA[0] * x + rotationA[3] * y + rotationA[6] * z;
  const middleY = rotationA[1] * x + rotationA[4] * y + rotationA[7] * z;
  const middleZ = rotationA[2] * x + rotationA[5] * y + rotationA[8] * z;
  const half = 0.5 * to.distance;
  set(middleX - normalX * half, middleY - normalY * half, middleZ - normalZ * half, to.pointA);
  set(middleX + normalX * half, middleY + normalY * half, middleZ + normalZ * half, to.pointB);
}
