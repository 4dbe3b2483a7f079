/**
 * The contact solver on the CPU, for browsers without WebGPU: the steps of wgsl/, one body after the other.
 *
 * A step finds the displacement u of each body, three numbers of translation and three of rotation, that minimises
 *
 *   ½ (u - ũ)ᵀ M (u - ũ) + Σ over contact points (½ k |c|² - λ c)
 *
 * where ũ is the displacement without contacts, M the mass matrix, c the gap after the step or the slip during it, and
 * λ a multiplier in units of mass times displacement. Each body's six numbers are solved for exactly while the others
 * stand still (vertex block descent, Chen et al. 2024), and the multipliers follow each sweep (augmented Lagrangian, as
 * in Giles et al. 2025). Multipliers of the step before are the first guess of the next, matched by the features of the
 * manifolds.
 */

import type { Manifolds } from 'narrowphase';
import type { BodyArrays, PressingPoint } from './bodies.ts';
import * as constants from './constants.ts';
import { solveSixBySix } from './six-by-six.ts';

const { STEP, GRAVITY, HELD, STIFFNESS, FRICTION_STIFFNESS, FRICTION, BODY_FLOATS } = constants;

interface Point {
  /** From the centre of A, and from that of B. */
  armA: Float64Array;
  armB: Float64Array;
  /** The gap to close, at most: negative takes an overlap away. */
  gap: number;
  /** Multiplier of the force on B. */
  force: Float64Array;
  feature: number;
}

interface Contact {
  /** Bodies and parts. */
  key: string;
  a: number;
  b: number;
  normal: Float64Array;
  /** The reduced mass of both bodies. */
  mass: number;
  points: Point[];
}

export interface Drag {
  body: number;
  goal: readonly [number, number, number];
}

export interface CpuSolver {
  /** Contacts of the last step. */
  readonly contacts: number;
  /** The body that the user drags, and where to. */
  drag: Drag | undefined;
  /** Moves the bodies by one step. The manifolds are those of `pairs` at their present poses. */
  step(pairs: Uint32Array, manifolds: Manifolds): void;
  /** The contact points of the last step that press, up to `most`: place, force in newtons, normal, 0. */
  listMarks(most: number): Float32Array;
  /** The contact points of the last step that press. */
  listPoints(): PressingPoint[];
}

export function createCpuSolver(bodies: BodyArrays): CpuSolver {
  const { count, poses, motions, masses, rests } = bodies;
  const falls = new Float64Array(count);
  const brokenSolids = new Set<number>();
  const displacements = new Float64Array(6 * count);
  const free = new Float64Array(6 * count);
  const inertias = new Float64Array(9 * count);
  const contactsOf: Contact[][] = Array.from({ length: count }, () => []);
  let contacts: Contact[] = [];
  let former = new Map<string, Contact>();
  const matrix = new Float64Array(36);
  const right = new Float64Array(6);
  const slip = new Float64Array(3);
  const force = new Float64Array(3);

  function pull({ body, goal }: Drag): void {
    const wanted = goal.map((x, k) => constants.DRAG_RATE * (x - poses[BODY_FLOATS * body + k]));
    const share = Math.min(1, constants.DRAG_SPEED / Math.max(Math.hypot(...wanted), 1e-6));
    for (let k = 0; k < 3; k++) {
      motions[BODY_FLOATS * body + k] = share * wanted[k];
      motions[BODY_FLOATS * body + 4 + k] *= 0.9;
    }
  }

  function predict(dragged?: number): void {
    for (let i = 0; i < count; i++) {
      const moves = masses[BODY_FLOATS * i] > 0 ? STEP : 0;
      for (let k = 0; k < 3; k++) {
        free[6 * i + k] = moves * motions[BODY_FLOATS * i + k];
        free[6 * i + 3 + k] = moves * motions[BODY_FLOATS * i + 4 + k];
      }
      displacements.set(free.subarray(6 * i, 6 * i + 6), 6 * i);
      if (i !== dragged) {
        displacements[6 * i + 1] -= moves * STEP * GRAVITY * falls[i];
        free[6 * i + 1] -= moves * STEP * GRAVITY;
      }
      worldInertia(masses, poses, BODY_FLOATS * i, inertias, 9 * i);
    }
  }

  function prepare(pairs: Uint32Array, found: Manifolds): void {
    contacts = [];
    for (const list of contactsOf) list.length = 0;
    for (let slot = 0; slot < found.count; slot++) {
      const [a, b] = [pairs[2 * found.pair[slot]], pairs[2 * found.pair[slot] + 1]];
      if (found.pointCount[slot] === 0) continue;
      const [massA, massB] = [masses[BODY_FLOATS * a], masses[BODY_FLOATS * b]];
      if (massA === 0 && massB === 0) continue;
      const mass = massA === 0 ? massB : massB === 0 ? massA : (massA * massB) / (massA + massB);
      const normal = Float64Array.from(found.normal.subarray(3 * slot, 3 * slot + 3));
      const key = [a, b, found.partA?.[slot], found.partB?.[slot]].join();
      const old = former.get(key);
      const points: Point[] = [];
      for (let p = 0; p < found.pointCount[slot]; p++) {
        const distance = found.distance[4 * slot + p];
        const feature = found.feature[4 * slot + p];
        const armA = new Float64Array(3);
        const armB = new Float64Array(3);
        for (let k = 0; k < 3; k++) {
          const middle = found.position[12 * slot + 3 * p + k] + (distance / 2) * normal[k];
          armA[k] = middle - poses[BODY_FLOATS * a + k];
          armB[k] = middle - poses[BODY_FLOATS * b + k];
        }
        const same = old?.points.find((point) => point.feature === feature);
        points.push({ armA, armB, gap: gapOf(distance), feature, force: warmForce(same, normal) });
      }
      const contact = { key, a, b, normal, mass, points };
      contacts.push(contact);
      if (massA > 0) contactsOf[a].push(contact);
      if (massB > 0) contactsOf[b].push(contact);
    }
  }

  /** Puts the force on B at a point into `force`, and returns the share of the friction's stiffness that is left. */
  function evaluate({ a, b, normal, mass }: Contact, { armA, armB, gap, force: multiplier }: Point): number {
    relativeMotion(displacements, 6 * a, armA, 6 * b, armB, slip);
    const along = dot(slip, normal);
    const push = dot(multiplier, normal) - STIFFNESS * mass * (gap + along);
    if (push <= 0) {
      force.fill(0);
      return 0;
    }
    let square = 0;
    const before = dot(multiplier, normal);
    for (let k = 0; k < 3; k++) {
      force[k] = multiplier[k] - before * normal[k] - FRICTION_STIFFNESS * mass * (slip[k] - along * normal[k]);
      square += force[k] * force[k];
    }
    const limit = FRICTION * push;
    const share = square > limit * limit ? limit / Math.sqrt(square) : 1;
    for (let k = 0; k < 3; k++) force[k] = share * force[k] + push * normal[k];
    return share;
  }

  function solve(body: number): void {
    matrix.fill(0);
    const mass = masses[BODY_FLOATS * body];
    for (let k = 0; k < 3; k++) {
      matrix[7 * k] = mass;
      right[k] = mass * (free[6 * body + k] - displacements[6 * body + k]);
      right[3 + k] = 0;
      for (let l = 0; l < 3; l++) {
        const inertia = inertias[9 * body + 3 * k + l];
        matrix[6 * (3 + k) + 3 + l] = inertia;
        right[3 + k] += inertia * (free[6 * body + 3 + l] - displacements[6 * body + 3 + l]);
      }
    }
    for (const contact of contactsOf[body]) {
      const isB = contact.b === body;
      for (const point of contact.points) {
        const share = evaluate(contact, point);
        const arm = isB ? point.armB : point.armA;
        addForce(right, force, arm, isB ? 1 : -1);
        // Points that are apart count too: otherwise the body would jump to and fro across the surface.
        addStiffness(matrix, contact.normal, arm, STIFFNESS * contact.mass, share * FRICTION_STIFFNESS * contact.mass);
      }
    }
    solveSixBySix(matrix, right);
    for (let k = 0; k < 6; k++) displacements[6 * body + k] += right[k];
  }

  function integrate(): void {
    for (let i = 0; i < count; i++) {
      if (masses[BODY_FLOATS * i] === 0) continue;
      const u = displacements.subarray(6 * i, 6 * i + 6);
      const speed = Math.hypot(u[0], u[1], u[2]) / STEP;
      const turn = Math.hypot(u[3], u[4], u[5]) / STEP;
      if (rests[i] >= HELD) {
        if (speed > constants.HOLD_SPEED) brokenSolids.add(rests[i]);
        if (brokenSolids.has(rests[i])) rests[i] = 0;
      } else {
        rests[i] = restAfter(rests[i], speed, turn);
      }
      const kept = rests[i] > constants.REST_STEPS ? 0 : 1 / STEP;
      const fall = (motions[BODY_FLOATS * i + 1] - u[1] / STEP) / (GRAVITY * STEP);
      falls[i] = Math.min(Math.max(fall, 0), 1);
      for (let k = 0; k < 3; k++) {
        motions[BODY_FLOATS * i + k] = constants.DAMPING * kept * u[k];
        motions[BODY_FLOATS * i + 4 + k] = constants.TURN_DAMPING * kept * u[3 + k];
      }
      if (kept > 0) movePose(poses, BODY_FLOATS * i, u);
    }
  }

  return {
    drag: undefined,
    get contacts() {
      return contacts.length;
    },
    step(pairs, manifolds) {
      if (this.drag) pull(this.drag);
      predict(this.drag?.body);
      prepare(pairs, manifolds);
      for (let sweep = 0; sweep < constants.SWEEPS; sweep++) {
        for (let n = 0; n < count; n++) {
          const i = sweep % 2 === 0 ? n : count - 1 - n;
          if (masses[BODY_FLOATS * i] > 0) solve(i);
        }
        for (const contact of contacts) {
          for (const point of contact.points) {
            evaluate(contact, point);
            for (let k = 0; k < 3; k++) point.force[k] += constants.ASCENT * (force[k] - point.force[k]);
          }
        }
      }
      integrate();
      former = new Map(contacts.map((contact) => [contact.key, contact]));
    },
    listPoints: () =>
      contacts.flatMap(({ key, a, b, points }) =>
        points.filter(presses).map(({ feature }) => ({ a, b, id: [key, feature].join() })),
      ),
    listMarks(most) {
      const marks = contacts.flatMap(({ a, normal, points }) =>
        points.filter(presses).map(({ armA, force: [x, y, z] }) => {
          const place = Array.from(armA, (arm, k) => poses[BODY_FLOATS * a + k] + arm);
          return [...place, Math.hypot(x, y, z) / STEP ** 2, ...normal, 0];
        }),
      );
      return Float32Array.from(marks.slice(0, most).flat());
    },
  };
}

function presses({ force }: Point): boolean {
  return force.some((x) => x !== 0);
}

/** The count of steps at rest after a step at this speed. */
function restAfter(rest: number, speed: number, turn: number): number {
  const { REST_SPEED, REST_TURN, REST_COUNT, REST_STEPS, ROCK_SPEED, ROCK_TURN } = constants;
  if (speed < REST_SPEED && turn < REST_TURN) return Math.min(rest + REST_COUNT, REST_STEPS + 1);
  return speed < ROCK_SPEED && turn < ROCK_TURN && rest <= REST_STEPS ? rest + 1 : 0;
}

/** The gap that the solver closes. Only part of an overlap is removed per step, so that bodies do not jump apart. */
function gapOf(distance: number): number {
  if (distance >= 0) return distance;
  return Math.max(Math.min(0, distance + constants.SLOP) * constants.CORRECTION, -constants.MAX_CORRECTION);
}

/** The multiplier of the same point in the step before. */
function warmForce(point: Point | undefined, normal: Float64Array): Float64Array {
  const force = new Float64Array(3);
  if (!point) return force;
  const push = dot(point.force, normal);
  if (push <= 0) return force;
  for (let k = 0; k < 3; k++) force[k] = constants.WARMTH * point.force[k];
  return force;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Motion of B's point minus that of A's. */
function relativeMotion(
  u: Float64Array,
  a: number,
  armA: Float64Array,
  b: number,
  armB: Float64Array,
  out: Float64Array,
): void {
  out[0] = u[b] + u[b + 4] * armB[2] - u[b + 5] * armB[1] - u[a] - u[a + 4] * armA[2] + u[a + 5] * armA[1];
  out[1] = u[b + 1] + u[b + 5] * armB[0] - u[b + 3] * armB[2] - u[a + 1] - u[a + 5] * armA[0] + u[a + 3] * armA[2];
  out[2] = u[b + 2] + u[b + 3] * armB[1] - u[b + 4] * armB[0] - u[a + 2] - u[a + 3] * armA[1] + u[a + 4] * armA[0];
}

function addForce(right: Float64Array, force: Float64Array, arm: Float64Array, sign: number): void {
  for (let k = 0; k < 3; k++) {
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    right[k] += sign * force[k];
    right[3 + k] += sign * (arm[l] * force[m] - arm[m] * force[l]);
  }
}

const jacobian = new Float64Array(18);

/** Adds Jᵀ K J, where J = (1, -[arm]×) and K = friction · 1 + (normal stiffness - friction) · n nᵀ. */
function addStiffness(
  matrix: Float64Array,
  normal: Float64Array,
  [x, y, z]: Float64Array,
  stiffness: number,
  friction: number,
): void {
  jacobian.set([1, 0, 0, 0, z, -y, 0, 1, 0, -z, 0, x, 0, 0, 1, y, -x, 0]);
  for (let i = 0; i < 6; i++) {
    const alongI = normal[0] * jacobian[i] + normal[1] * jacobian[6 + i] + normal[2] * jacobian[12 + i];
    for (let j = 0; j < 6; j++) {
      const alongJ = normal[0] * jacobian[j] + normal[1] * jacobian[6 + j] + normal[2] * jacobian[12 + j];
      let product = 0;
      for (let k = 0; k < 3; k++) product += jacobian[6 * k + i] * jacobian[6 * k + j];
      matrix[6 * i + j] += friction * product + (stiffness - friction) * alongI * alongJ;
    }
  }
}

/** R I Rᵀ, row by row. */
function worldInertia(masses: Float32Array, poses: Float32Array, from: number, out: Float64Array, to: number): void {
  const [, xx, yy, zz, xy, xz, yz] = masses.subarray(from, from + BODY_FLOATS);
  const [x, y, z, w] = poses.subarray(from + 4, from + 8);
  const r = [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ]; // prettier-ignore
  const local = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += r[3 * i + k] * local[3 * k + l] * r[3 * j + l];
      out[to + 3 * i + j] = sum;
    }
  }
}

/** Moves a pose by a translation and a rotation vector. */
function movePose(poses: Float32Array, at: number, [x, y, z, a, b, c]: Float64Array): void {
  poses[at] += x;
  poses[at + 1] += y;
  poses[at + 2] += z;
  const angle = Math.hypot(a, b, c);
  const sine = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  const [p, q, r, s] = [a * sine, b * sine, c * sine, Math.cos(angle / 2)];
  const [i, j, k, w] = poses.subarray(at + 4, at + 8);
  const turned = [
    s * i + p * w + q * k - r * j,
    s * j - p * k + q * w + r * i,
    s * k + p * j - q * i + r * w,
    s * w - p * i - q * j - r * k,
  ];
  const length = Math.hypot(...turned);
  for (let n = 0; n < 4; n++) poses[at + 4 + n] = turned[n] / length;
}
