/**
 * A small solver for bodies of the plane, to see whether manifolds hold what rests on them: sequential impulses with
 * friction, started from the last frame's by pair and feature (Catto, "Iterative dynamics with temporal coherence",
 * 2005). Gaps within the margin are closed no faster than touch (speculative contacts). The frame is cut into steps,
 * over which points keep to their bodies (Catto, "Solver2D", 2024): high stacks need the small steps.
 */

import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import type { ManifoldItem, Vec2 } from '../../src/api/types.ts';

export interface PlanarRigidBody {
  shape: PlanarConvexDescription;
  /** Position of its origin, which is its centre of mass. */
  position: number[];
  angle: number;
  velocity: number[];
  spin: number;
  /** Both 0 of what nothing moves. */
  inverseMass: number;
  inverseInertia: number;
}

export interface PlanarSolverOptions {
  /** Seconds of a frame. */
  step: number;
  gravity: number;
  friction: number;
}

export interface PlanarSolver {
  /** Moves the bodies by a frame; `contacts` are the manifolds of `pairs`, which are indices of bodies. */
  step(contacts: Iterable<ManifoldItem<Vec2>>): void;
}

/** Along one axis at a point: what B moves along it away from A by, and the impulse that it has had. */
interface Row {
  x: number;
  y: number;
  /** Moments of the axis about the bodies' origins. */
  momentA: number;
  momentB: number;
  mass: number;
  impulse: number;
}

interface PointConstraint {
  key: string;
  a: PlanarRigidBody;
  b: PlanarRigidBody;
  normal: Row;
  tangent: Row;
  /** Along the normal as the step begins. */
  gap: number;
}

/**
 * Steps of a frame, and rounds of impulses in each: with those that take back overlap, and then without, for the
 * velocities that stay.
 */
const STEPS = 16;
const ROUNDS = 3;
const RELAXING_ROUNDS = 2;
/** Penetration that is left alone, so that what rests does not rock. */
const SLOP = 5e-4;
/** Share of what is deeper that a step takes back. */
const RECOVERY = 0.1;

/** A body at rest; `density` 0: one that nothing moves. */
export function makePlanarBody(
  shape: PlanarConvexDescription,
  position: readonly number[],
  { angle = 0, density = 0 } = {},
): PlanarRigidBody {
  const { area, inertia } = massOf(shape);
  const [inverseMass, inverseInertia] = density > 0 ? [1 / (density * area), 1 / (density * inertia)] : [0, 0];
  return { shape, position: [...position], angle, velocity: [0, 0], spin: 0, inverseMass, inverseInertia };
}

/**
 * Area and moment of area about the origin. What is rounded is its core, strips along the edges and a disc cut up among
 * the corners; a strip's and a slice's own moment is small beside that of where they are, and taken as if they were a
 * point there.
 */
function massOf(shape: PlanarConvexDescription): { area: number; inertia: number } {
  const radius = shape.radius ?? 0;
  const disc = Math.PI * radius ** 2;
  if (shape.type === 'circle') return { area: disc, inertia: (disc * radius ** 2) / 2 };
  const corners = cornersOf(shape);
  let [area, inertia] = [disc, (disc * radius ** 2) / 2];
  corners.forEach(([x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length];
    const twice = x * v - u * y;
    const length = Math.hypot(u - x, v - y);
    // The triangle from the origin, then the strip, then this corner's share of the disc.
    area += twice / 2 + length * radius;
    inertia += (twice * (x * x + x * u + u * u + y * y + y * v + v * v)) / 12;
    inertia += length * radius * (((x + u) ** 2 + (y + v) ** 2) / 4 + length ** 2 / 12);
    inertia += (disc / corners.length) * (x * x + y * y);
  });
  return { area, inertia };
}

/** Counter-clockwise corners of a core with edges; a polygon's have to be given so. */
function cornersOf(shape: Exclude<PlanarConvexDescription, { type: 'circle' }>): number[][] {
  if (shape.type === 'capsule')
    return [
      [0, -shape.halfHeight],
      [0, shape.halfHeight],
    ];
  if (shape.type === 'rectangle') {
    const [x, y] = Array.from(shape.halfExtents);
    return [
      [-x, -y],
      [x, -y],
      [x, y],
      [-x, y],
    ];
  }
  return Array.from({ length: shape.points.length / 2 }, (_, i) => [shape.points[2 * i], shape.points[2 * i + 1]]);
}

export function createPlanarSolver(
  bodies: readonly PlanarRigidBody[],
  pairs: ArrayLike<number>,
  options: PlanarSolverOptions,
): PlanarSolver {
  let last = new Map<string, number[]>();
  const step = options.step / STEPS;
  return {
    step(contacts) {
      const constraints = [...contacts].flatMap(({ pair, normal: [x, y], points }) =>
        points.map(({ position, distance, feature }): PointConstraint => {
          const [a, b] = [bodies[pairs[2 * pair]], bodies[pairs[2 * pair + 1]]];
          const armA = position.map((at, k) => at - a.position[k]);
          const armB = position.map((at, k) => at + distance * [x, y][k] - b.position[k]);
          const key = `${pair} ${feature}`;
          const [normal, tangent] = last.get(key) ?? [0, 0];
          return {
            key,
            a,
            b,
            normal: makeRow(a, b, armA, armB, [x, y], normal),
            tangent: makeRow(a, b, armA, armB, [-y, x], tangent),
            gap: distance,
          };
        }),
      );
      for (let i = 0; i < STEPS; i++) {
        for (const body of bodies) if (body.inverseMass > 0) body.velocity[1] -= options.gravity * step;
        for (const { a, b, normal, tangent } of constraints) {
          push(a, b, normal, normal.impulse);
          push(a, b, tangent, tangent.impulse);
        }
        solve(
          constraints,
          options.friction,
          ROUNDS,
          ({ gap }) => (gap > 0 ? gap : RECOVERY * Math.min(gap + SLOP, 0)) / step,
        );
        for (const body of bodies) move(body, step);
        for (const constraint of constraints)
          constraint.gap += step * speedOf(constraint.a, constraint.b, constraint.normal);
        solve(constraints, options.friction, RELAXING_ROUNDS, ({ gap }) => Math.max(gap, 0) / step);
      }
      last = new Map(constraints.map(({ key, normal, tangent }) => [key, [normal.impulse, tangent.impulse]]));
    },
  };
}

/** `biasOf`: speed that a point may close in with. */
function solve(
  constraints: readonly PointConstraint[],
  friction: number,
  rounds: number,
  biasOf: (constraint: PointConstraint) => number,
): void {
  for (let round = 0; round < rounds; round++) {
    for (const constraint of constraints) {
      const { a, b, normal, tangent } = constraint;
      const most = friction * normal.impulse;
      adjust(a, b, tangent, 0, -most, most);
      adjust(a, b, normal, biasOf(constraint), 0, Infinity);
    }
  }
}

function adjust(a: PlanarRigidBody, b: PlanarRigidBody, row: Row, bias: number, least: number, most: number): void {
  const before = row.impulse;
  row.impulse = Math.min(Math.max(before - row.mass * (speedOf(a, b, row) + bias), least), most);
  push(a, b, row, row.impulse - before);
}

function makeRow(
  a: PlanarRigidBody,
  b: PlanarRigidBody,
  armA: readonly number[],
  armB: readonly number[],
  [x, y]: readonly number[],
  impulse: number,
): Row {
  const momentA = armA[0] * y - armA[1] * x;
  const momentB = armB[0] * y - armB[1] * x;
  const inverse = a.inverseMass + b.inverseMass + a.inverseInertia * momentA ** 2 + b.inverseInertia * momentB ** 2;
  return { x, y, momentA, momentB, mass: 1 / inverse, impulse };
}

/** Speed of B's point away from A's. */
function speedOf(a: PlanarRigidBody, b: PlanarRigidBody, { x, y, momentA, momentB }: Row): number {
  return (
    x * (b.velocity[0] - a.velocity[0]) + y * (b.velocity[1] - a.velocity[1]) + momentB * b.spin - momentA * a.spin
  );
}

function push(a: PlanarRigidBody, b: PlanarRigidBody, { x, y, momentA, momentB }: Row, impulse: number): void {
  a.velocity[0] -= impulse * a.inverseMass * x;
  a.velocity[1] -= impulse * a.inverseMass * y;
  a.spin -= impulse * a.inverseInertia * momentA;
  b.velocity[0] += impulse * b.inverseMass * x;
  b.velocity[1] += impulse * b.inverseMass * y;
  b.spin += impulse * b.inverseInertia * momentB;
}

function move(body: PlanarRigidBody, step: number): void {
  for (let k = 0; k < 2; k++) body.position[k] += step * body.velocity[k];
  body.angle += step * body.spin;
}
