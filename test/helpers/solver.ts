/**
 * A small solver for boxes, to see whether manifolds hold what rests on them: sequential impulses with friction,
 * started from the last frame's by the points' features (Catto, "Iterative dynamics with temporal coherence", 2005).
 * Gaps within the margin are closed no faster than touch (speculative contacts).
 */

import type { ManifoldItem } from '../../src/api/types.ts';

export interface RigidBody {
  position: number[];
  /** x, y, z, w */
  quaternion: number[];
  velocity: number[];
  spin: number[];
  halfExtents: readonly number[];
  /** 0 of what nothing moves. */
  inverseMass: number;
}

export interface SolverOptions {
  /** Seconds of a frame. */
  step: number;
  gravity: number;
  friction: number;
  /** Distance that contacts are kept at. */
  rest: number;
}

interface PointConstraint {
  key: string;
  a: RigidBody;
  b: RigidBody;
  armA: number[];
  armB: number[];
  /** Normal and two tangents. */
  axes: number[][];
  masses: number[];
  impulses: number[];
  bias: number;
}

const ROUNDS = 24;
/** Penetration that is left alone, so that what rests does not rock. */
const SLOP = 5e-4;
/** Share of what is deeper that a frame takes back. */
const RECOVERY = 0.2;

export function makeBody(halfExtents: readonly number[], position: readonly number[], density: number): RigidBody {
  const mass = 8 * halfExtents[0] * halfExtents[1] * halfExtents[2] * density;
  return {
    position: [...position],
    quaternion: [0, 0, 0, 1],
    velocity: [0, 0, 0],
    spin: [0, 0, 0],
    halfExtents,
    inverseMass: mass > 0 ? 1 / mass : 0,
  };
}

export interface Solver {
  /** Moves the bodies by a frame; `contacts` are the manifolds of `pairs`, which are indices of bodies. */
  step(contacts: Iterable<ManifoldItem>): void;
}

export function createSolver(
  bodies: readonly RigidBody[],
  pairs: ArrayLike<number>,
  { step, gravity, friction, rest }: SolverOptions,
): Solver {
  let last = new Map<string, number[]>();
  return {
    step(contacts) {
      for (const body of bodies) if (body.inverseMass > 0) body.velocity[1] -= gravity * step;
      const constraints = [...contacts].flatMap(({ pair, normal, points }) =>
        points.map(({ position, distance, feature }): PointConstraint => {
          const [a, b] = [bodies[pairs[2 * pair]], bodies[pairs[2 * pair + 1]]];
          const axes = frameOf(normal);
          const armA = subtract(position, a.position);
          const armB = subtract(
            position.map((x, k) => x + distance * normal[k]),
            b.position,
          );
          const masses = axes.map((axis) => 1 / (shareOf(a, armA, axis) + shareOf(b, armB, axis)));
          const key = `${pair} ${feature}`;
          const off = distance - rest;
          const bias = off > 0 ? off / step : (RECOVERY * Math.min(off + SLOP, 0)) / step;
          return { key, a, b, armA, armB, axes, masses, impulses: [...(last.get(key) ?? [0, 0, 0])], bias };
        }),
      );
      for (const constraint of constraints) for (let k = 0; k < 3; k++) push(constraint, k, constraint.impulses[k]);
      for (let round = 0; round < ROUNDS; round++) {
        for (const constraint of constraints) {
          for (const k of [1, 2, 0]) {
            const { impulses, masses, bias } = constraint;
            const least = k === 0 ? 0 : -friction * impulses[0];
            const most = k === 0 ? Infinity : friction * impulses[0];
            const before = impulses[k];
            const wanted = before - masses[k] * (speedOf(constraint, k) + (k === 0 ? bias : 0));
            impulses[k] = Math.min(Math.max(wanted, least), most);
            push(constraint, k, impulses[k] - before);
          }
        }
      }
      last = new Map(constraints.map(({ key, impulses }) => [key, impulses]));
      for (const body of bodies) move(body, step);
    },
  };
}

function move(body: RigidBody, step: number): void {
  const { position, velocity, spin, quaternion: q } = body;
  for (let k = 0; k < 3; k++) position[k] += step * velocity[k];
  const [x, y, z, w] = q;
  const [i, j, k] = spin.map((value) => 0.5 * step * value);
  const next = [
    x + i * w + j * z - k * y,
    y + j * w + k * x - i * z,
    z + k * w + i * y - j * x,
    w - i * x - j * y - k * z,
  ];
  const size = Math.hypot(...next);
  next.forEach((value, n) => (q[n] = value / size));
}

/** Speed of B's point away from A's along an axis. */
function speedOf({ a, b, armA, armB, axes }: PointConstraint, k: number): number {
  const [onA, onB] = [cross(a.spin, armA), cross(b.spin, armB)];
  return axes[k].reduce((sum, n, i) => sum + n * (b.velocity[i] + onB[i] - a.velocity[i] - onA[i]), 0);
}

function push({ a, b, armA, armB, axes }: PointConstraint, k: number, impulse: number): void {
  for (const [body, arm, sign] of [
    [a, armA, -1],
    [b, armB, 1],
  ] as const) {
    if (body.inverseMass === 0) continue;
    const turn = turned(body, cross(arm, axes[k]));
    for (let i = 0; i < 3; i++) {
      body.velocity[i] += sign * impulse * body.inverseMass * axes[k][i];
      body.spin[i] += sign * impulse * turn[i];
    }
  }
}

/** What of the inverse effective mass along an axis is a body's. */
function shareOf(body: RigidBody, arm: number[], axis: number[]): number {
  if (body.inverseMass === 0) return 0;
  const turn = cross(turned(body, cross(arm, axis)), arm);
  return body.inverseMass + axis.reduce((sum, n, k) => sum + n * turn[k], 0);
}

/** Inverse inertia times a torque, in world axes. */
function turned({ quaternion, halfExtents, inverseMass }: RigidBody, torque: number[]): number[] {
  const local = rotate(quaternion, torque, -1);
  const [x, y, z] = halfExtents.map((half) => half * half);
  return rotate(
    quaternion,
    [
      (3 * inverseMass * local[0]) / (y + z),
      (3 * inverseMass * local[1]) / (x + z),
      (3 * inverseMass * local[2]) / (x + y),
    ],
    1,
  );
}

function rotate([x, y, z, w]: number[], v: number[], sign: number): number[] {
  const axis = [sign * x, sign * y, sign * z];
  const once = cross(axis, v).map((value) => 2 * value);
  const twice = cross(axis, once);
  return v.map((value, k) => value + w * once[k] + twice[k]);
}

/** A normal and two tangents, which stay where the normal does. */
function frameOf(normal: number[]): number[][] {
  const other = Math.abs(normal[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const u = cross(normal, other);
  const size = Math.hypot(...u);
  const tangent = u.map((value) => value / size);
  return [normal, tangent, cross(normal, tangent)];
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function subtract(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, k) => value - b[k]);
}
