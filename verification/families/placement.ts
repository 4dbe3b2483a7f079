/**
 * Places a body so that it touches another: how far B moves from A's position along a ray until the two no longer
 * overlap. With B at A's position the difference body D = A - B contains the origin if either shape contains its own.
 * The answer is where the ray leaves D.
 *
 * The method is portal refinement (Snethen 2008, "Complex collision made simple", Game Programming Gems 7). The ray
 * passes through a triangle of support points of D. The triangle is moved outward along its normal until no point of D
 * is beyond it.
 */

import type { Round } from '../oracle/shape.ts';

/** A core as points and ellipsoids whose hull it is, with a ball's radius and a rotation. */
export interface PlacedCore {
  /** x, y, z each. The hull of these and of `rounds` contains the origin in its interior. */
  points: Float64Array;
  /** Default: no ellipsoids. */
  rounds?: readonly Round[];
  radius: number;
  /** Row-major, 9 numbers; scaled if the core is. */
  rotation: Float64Array;
}

export interface Touch {
  /** Distance between the positions at touch. At most `tolerance` too large, never too small. */
  reach: number;
  /** Cosine between ray and contact normal. A step r along the ray changes the gap by r · cosine. */
  cosine: number;
}

const MAX_STEPS = 60;

/** Row-major rotation matrix of the quaternion x, y, z, w at `at`, of any length. */
export function setRotation(quaternions: ArrayLike<number>, at: number, out: Float64Array): void {
  const x = quaternions[at];
  const y = quaternions[at + 1];
  const z = quaternions[at + 2];
  const w = quaternions[at + 3];
  const s = 2 / (x * x + y * y + z * z + w * w);
  out[0] = 1 - s * (y * y + z * z);
  out[1] = s * (x * y - w * z);
  out[2] = s * (x * z + w * y);
  out[3] = s * (x * y + w * z);
  out[4] = 1 - s * (x * x + z * z);
  out[5] = s * (y * z - w * x);
  out[6] = s * (x * z - w * y);
  out[7] = s * (y * z + w * x);
  out[8] = 1 - s * (x * x + y * y);
}

const corners = [0, 1, 2, 3].map(() => new Float64Array(3));
const normal = new Float64Array(3);
const side1 = new Float64Array(3);
const side2 = new Float64Array(3);

/** How far B moves along the unit vector `ray` from A's position until they touch. */
export function touchingReach(a: PlacedCore, b: PlacedCore, ray: ArrayLike<number>, tolerance: number): Touch {
  let v1 = corners[0];
  let v2 = corners[1];
  let v3 = corners[2];
  let v4 = corners[3];
  difference(a, b, ray, v1);
  // Every supporting plane of D gives an upper bound of the distance at which the ray leaves D.
  let touch: Touch = { reach: dot(v1, ray), cosine: 1 };
  cross(v1, ray, normal);
  // The support along the ray lies on the ray.
  if (dot(normal, normal) <= 1e-20 * dot(v1, v1)) return touch;
  difference(a, b, normal, v2);
  cross(v1, v2, normal);
  if (dot(normal, ray) < 0) [v1, v2] = [v2, v1];

  // A portal: the ray on the inner side of the planes through the origin and each side, counter-clockwise from outside.
  for (let step = 0; step < MAX_STEPS; step++) {
    cross(v1, v2, normal);
    difference(a, b, normal, v3);
    cross(v3, v1, normal);
    if (dot(normal, ray) < 0) [v2, v3] = [v3, v2];
    else {
      cross(v2, v3, normal);
      if (dot(normal, ray) >= 0) break;
      [v1, v3] = [v3, v1];
    }
  }

  for (let step = 0; step < MAX_STEPS; step++) {
    for (let k = 0; k < 3; k++) {
      side1[k] = v2[k] - v1[k];
      side2[k] = v3[k] - v1[k];
    }
    cross(side1, side2, normal);
    const length = Math.sqrt(dot(normal, normal));
    const slope = dot(normal, ray);
    if (!(slope > 1e-12 * length)) break;
    difference(a, b, normal, v4);
    const reach = dot(normal, v4) / slope;
    if (reach < touch.reach) touch = { reach, cosine: slope / length };
    if (dot(normal, v4) - dot(normal, v1) <= tolerance * slope) break;
    // v4 splits the portal into three; the ray passes through one of them.
    cross(v4, ray, normal);
    const t1 = dot(v1, normal);
    const t2 = dot(v2, normal);
    const t3 = dot(v3, normal);
    if (t2 >= 0 && t1 <= 0) [v3, v4] = [v4, v3];
    else if (t3 >= 0 && t2 <= 0) [v1, v4] = [v4, v1];
    else [v2, v4] = [v4, v2];
  }
  return touch;
}

/** Support point of D = A - B along `direction`, which need not be a unit vector. */
function difference(a: PlacedCore, b: PlacedCore, direction: ArrayLike<number>, out: Float64Array): void {
  const [x, y, z] = [direction[0], direction[1], direction[2]];
  const radii = (a.radius + b.radius) / Math.sqrt(x * x + y * y + z * z);
  out[0] = radii * x;
  out[1] = radii * y;
  out[2] = radii * z;
  addSupport(a, x, y, z, 1, out);
  addSupport(b, -x, -y, -z, -1, out);
}

/** Adds `sign` times the rotated point that is farthest along (x, y, z). */
function addSupport(
  { points, rounds = [], rotation: m }: PlacedCore,
  x: number,
  y: number,
  z: number,
  sign: number,
  out: Float64Array,
): void {
  const lx = m[0] * x + m[3] * y + m[6] * z;
  const ly = m[1] * x + m[4] * y + m[7] * z;
  const lz = m[2] * x + m[5] * y + m[8] * z;
  let best = 0;
  let greatest = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const value = lx * points[i] + ly * points[i + 1] + lz * points[i + 2];
    if (value > greatest) {
      greatest = value;
      best = i;
    }
  }
  let px = points[best];
  let py = points[best + 1];
  let pz = points[best + 2];
  for (const { centre, radii } of rounds) {
    const u = radii[0] * lx;
    const v = radii[1] * ly;
    const w = radii[2] * lz;
    const reach = Math.sqrt(u * u + v * v + w * w);
    const value = lx * centre[0] + ly * centre[1] + lz * centre[2] + reach;
    if (value <= greatest) continue;
    greatest = value;
    // Along a disc's axis any of its points is a support.
    const inverse = reach > 0 ? 1 / reach : 0;
    px = centre[0] + inverse * radii[0] * u;
    py = centre[1] + inverse * radii[1] * v;
    pz = centre[2] + inverse * radii[2] * w;
  }
  for (let k = 0; k < 3; k++) out[k] += sign * (m[3 * k] * px + m[3 * k + 1] * py + m[3 * k + 2] * pz);
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>, out: Float64Array): void {
  const x = a[1] * b[2] - a[2] * b[1];
  const y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
