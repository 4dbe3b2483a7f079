/**
 * Times of impact by brute force, from signed distances in double precision at many times. The bodies are moved by this
 * module's own code. Along a straight path the signed distance is convex, so that tangents bound it from below. For
 * rotating bodies it is evaluated as often as a bound of its rate of change requires.
 */

import { contact, createShape, Status, type CpuMovingPose, type CpuPose, type CpuShape } from '../../src/cpu.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { isCurved } from '../../src/shapes/kinds.ts';
import {
  F32_ROUNDING,
  F64_ROUNDING,
  toleranceOf,
  UNIT_TOLERANCE,
  type Precision,
} from '../../src/shapes/tolerances.ts';
import { multiply } from '../families/arrangements.ts';
import { turnOf } from '../families/moving-family.ts';
import {
  corePieces,
  coreSupport,
  roundingRadius,
  rotate,
  rotateBack,
  rotationMatrix,
  type BoundedDescription,
  type CorePieces,
} from './shape.ts';

export interface MovingBody {
  shape: ShapeDescription;
  pose: CpuMovingPose;
}

/** Two moving bodies, prepared once. */
export interface MovingPair {
  a: MovingBody;
  b: MovingBody;
  cpuA: CpuShape;
  cpuB: CpuShape;
  /** max(s, |B - A|) at the start of the motion. Tolerances are shares of this. */
  size: number;
  isCurved: boolean;
  isTurning: boolean;
  /** B's velocity minus A's. */
  velocity: number[];
}

export function movingPair(
  a: MovingBody,
  b: MovingBody,
  cpuA = createShape(a.shape),
  cpuB = createShape(b.shape),
): MovingPair {
  const between = Math.hypot(...[0, 1, 2].map((k) => b.pose.position[k] - a.pose.position[k]));
  return {
    a,
    b,
    cpuA,
    cpuB,
    size: Math.max(reachOf(cpuA, a) + reachOf(cpuB, b), between, 1e-6),
    isCurved: isCurved(cpuA.kind) || isCurved(cpuB.kind),
    isTurning: [a, b].some(({ pose }) => Array.from(pose.angularVelocity ?? []).some((x) => x !== 0)),
    velocity: [0, 1, 2].map((k) => b.pose.linearVelocity[k] - a.pose.linearVelocity[k]),
  };
}

function reachOf(shape: CpuShape, { pose }: MovingBody): number {
  return shape.boundingRadius * (pose.scale ?? 1);
}

/**
 * A body's pose some seconds after the start. Before the start the body moved along a straight line with the rotation
 * that it has at the start.
 */
export function poseAt(
  { position, quaternion, scale, linearVelocity, angularVelocity }: CpuMovingPose,
  time: number,
): CpuPose {
  const moved = [0, 1, 2].map((k) => position[k] + linearVelocity[k] * time);
  const size = Math.hypot(...Array.from(quaternion));
  const unit = Array.from(quaternion, (x) => x / size);
  return {
    position: moved,
    quaternion: angularVelocity && time > 0 ? multiply(turnOf(angularVelocity, time), unit) : unit,
    scale,
  };
}

/** Both bodies some seconds after the start, relative to A's position, so that a common motion rounds nothing. */
function posesAt({ a, b, velocity }: MovingPair, time: number): [CpuPose, CpuPose] {
  const offset = [0, 1, 2].map((k) => b.pose.position[k] - a.pose.position[k] + velocity[k] * time);
  return [
    { ...poseAt(a.pose, time), position: [0, 0, 0] },
    { ...poseAt(b.pose, time), position: offset },
  ];
}

/** The signed distance some seconds after the start, and its normal. */
export function gapAt(pair: MovingPair, time: number): { distance: number; normal: number[] } {
  const [poseA, poseB] = posesAt(pair, time);
  return contact(pair.cpuA, poseA, pair.cpuB, poseB, { margin: Infinity });
}

/**
 * The first time, up to `until`, at which the bodies are nearer than `reach`; undefined if they never are by more than
 * `tolerance`.
 */
export function firstWithin(pair: MovingPair, reach: number, until: number, tolerance: number): number | undefined {
  const inside = pair.isTurning
    ? someWithinTurning(pair, reach, until, tolerance)
    : someWithinStraight(pair, reach, until, tolerance);
  if (!inside) return undefined;
  let [apart, near] = inside;
  if (apart === near) return near;
  for (let i = 0; i < 70; i++) {
    const middle = 0.5 * (apart + near);
    if (gapAt(pair, middle).distance > reach) apart = middle;
    else near = middle;
  }
  return near;
}

/**
 * A time before the first impact, and one at which they are nearer. The latter is the first such time, except for
 * bodies that separate before it.
 */
type Bracket = [apart: number, near: number];

/**
 * Straight motion. Evaluates the distance where two tangents cross, until the bodies are within reach at one of the
 * times or the tangents show that they never are. The tangent at a time is the bodies' separation along their normal
 * there, a lower bound of the distance at all times.
 */
function someWithinStraight(pair: MovingPair, reach: number, until: number, tolerance: number): Bracket | undefined {
  const at = (time: number) => {
    const { distance, normal } = gapAt(pair, time);
    return { time, distance: distance - reach, slope: dot(normal, pair.velocity) };
  };
  const first = at(0);
  if (first.distance < -tolerance) return [0, 0];
  // After that time they are apart for good.
  const speed = Math.hypot(...pair.velocity);
  const most = speed > 0 ? Math.min(until, (4 * pair.size + 2 * reach) / speed) : 0;
  let [left, right] = [first, at(most)];
  if (right.distance < -tolerance) return [0, most];
  for (let i = 0; i < 200; i++) {
    if (left.slope >= 0 || right.slope <= 0) return undefined;
    const crossing =
      (right.distance - left.distance + left.slope * left.time - right.slope * right.time) / (left.slope - right.slope);
    const bound = left.distance + left.slope * (crossing - left.time);
    if (bound >= -tolerance || !(crossing > left.time && crossing < right.time)) return undefined;
    const middle = at(i % 4 === 3 ? 0.5 * (left.time + right.time) : crossing);
    if (middle.distance < -tolerance) return [0, middle.time];
    if (middle.slope < 0) left = middle;
    else right = middle;
  }
  return undefined;
}

/**
 * Rotating motion. No step is longer than the distance allows, plus a share of the size. Local minima are examined
 * closely.
 */
function someWithinTurning(pair: MovingPair, reach: number, until: number, tolerance: number): Bracket | undefined {
  const speed = fastest(pair, until);
  const finest = (FINEST * pair.size) / speed;
  const gap = (time: number): number => gapAt(pair, time).distance - reach;
  let before = { time: 0, gap: gap(0) };
  if (before.gap < -tolerance) return [0, 0];
  let here = before;
  while (here.time < until) {
    const next = { time: Math.min(until, here.time + Math.max(here.gap / speed, finest)), gap: 0 };
    next.gap = gap(next.time);
    if (next.gap < -tolerance) return [here.time, next.time];
    if (here.gap < next.gap && here.gap <= before.gap && here.gap < FINEST * pair.size) {
      const lowest = leastBetween(gap, before.time, next.time, tolerance);
      if (lowest.gap < -tolerance) return [before.time, lowest.time];
    }
    [before, here] = [here, next];
  }
  return undefined;
}

/** Share of the pair's size by which the distance may shrink between two evaluations. */
const FINEST = 1e-3;

/** Golden-section search that stops when the distance is below `-tolerance`. */
function leastBetween(
  gap: (time: number) => number,
  from: number,
  to: number,
  tolerance: number,
): { time: number; gap: number } {
  const share = (Math.sqrt(5) - 1) / 2;
  let [a, d] = [from, to];
  let [b, c] = [d - share * (d - a), a + share * (d - a)];
  let [atB, atC] = [gap(b), gap(c)];
  for (let i = 0; i < 50 && Math.min(atB, atC) >= -tolerance; i++) {
    if (atB < atC) {
      [d, c, atC] = [c, b, atB];
      b = d - share * (d - a);
      atB = gap(b);
    } else {
      [a, b, atB] = [b, c, atC];
      c = a + share * (d - a);
      atC = gap(c);
    }
  }
  return atB < atC ? { time: b, gap: atB } : { time: c, gap: atC };
}

/** Upper bound of the distance's rate of change. A half-space that turns moves its whole plane. */
function fastest(pair: MovingPair, until: number): number {
  const speed = Math.hypot(...pair.velocity);
  const far = pair.size + speed * until;
  const swings = [pair.a, pair.b].map(({ shape, pose }, i) => {
    const reach =
      shape.type === 'halfspace'
        ? far + pair.size
        : reachOf(i === 0 ? pair.cpuA : pair.cpuB, i === 0 ? pair.a : pair.b);
    return Math.hypot(...Array.from(pose.angularVelocity ?? [0])) * reach;
  });
  return speed + swings[0] + swings[1];
}

/** A reported impact. */
export interface SaidImpact {
  status: number;
  time: number;
  unclampedTime: number;
  normal: ArrayLike<number>;
  point: ArrayLike<number>;
}

export interface ImpactTerms {
  /**
   * Selects the tolerances, as shares of max(s, |B - A|), with the greater distance of those at the start and at the
   * impact. The kernels' points are f32.
   */
  precision: Precision;
  duration: number;
  margin?: number;
  /** The time of impact from another source. If the reported one agrees, the search is skipped. Infinity: no impact. */
  known?: number;
}

/** The outcome for a pair. */
export type Outcome = 'missed' | 'met' | 'overlapped' | 'stood' | 'open';

export interface Verdict {
  outcome: Outcome;
  faults: string[];
  /** |distance - margin| at the unclamped time, as a share of the pair's size. */
  offBy: number;
}

/** Compares an impact with the truth. */
export function judgeImpact(
  pair: MovingPair,
  said: SaidImpact,
  { precision, duration, margin = 0, known = NaN }: ImpactTerms,
): Verdict {
  const faults: string[] = [];
  const k = toleranceOf(precision, pair.cpuA.kind, pair.cpuB.kind, false);
  const t = k * pair.size;
  /** Bodies whose overlap never exceeds this need not be reported as meeting. */
  const deep = toleranceOf(precision, pair.cpuA.kind, pair.cpuB.kind, true) * pair.size;
  const { status, time, unclampedTime, normal, point } = said;
  const expectThat = (isSo: boolean, fault: () => string): void => void (isSo || faults.push(fault()));
  const verdict = (outcome: Outcome, offBy = 0): Verdict => ({ outcome, faults, offBy });
  expectThat(
    ![time, unclampedTime, ...Array.from(normal), ...Array.from(point)].some(Number.isNaN),
    () => `NaN in ${JSON.stringify(said)}`,
  );
  expectThat(time === Math.max(unclampedTime, 0), () => `time ${time}, unclamped ${unclampedTime}`);
  if (status === Status.Separated) {
    expectThat(unclampedTime === Infinity, () => `no impact at ${unclampedTime}`);
    expectThat(
      [...Array.from(normal), ...Array.from(point)].every((x) => x === 0),
      () => `no impact with normal ${normal} and point ${point}`,
    );
    const met = known === Infinity ? undefined : firstWithin(pair, margin, duration, deep);
    expectThat(
      met === undefined,
      () =>
        `no impact, where they meet at ${met} and are ${gapAt(pair, met! + 1e-3 * (duration - met!)).distance} apart soon after`,
    );
    return verdict('missed');
  }
  const length = Math.hypot(normal[0], normal[1], normal[2]);
  expectThat(Math.abs(length - 1) <= UNIT_TOLERANCE, () => `normal of length ${length}`);
  expectThat(time <= duration, () => `time ${time} of ${duration}`);
  if (status === Status.NotConverged) {
    const met = firstWithin(pair, margin, Math.min(time, duration), t);
    expectThat(met === undefined || met >= time, () => `nothing before ${time}, where they meet at ${met}`);
    return verdict('open');
  }
  expectThat(status === Status.Overlapping, () => `status ${status}`);
  const start = gapAt(pair, 0).distance - margin;
  if (unclampedTime === -Infinity) {
    const speed = Math.hypot(...pair.velocity);
    const isAside =
      [pair.a, pair.b].some(({ shape }) => shape.type === 'halfspace') &&
      dot(normal, pair.velocity) >= -UNIT_TOLERANCE * speed;
    expectThat(speed === 0 || isAside, () => `overlap without motion at ${speed} a second`);
    expectThat(start <= t, () => `overlap of bodies ${start} apart`);
    return verdict('stood');
  }
  const farther = Math.hypot(
    ...[0, 1, 2].map((n) => pair.b.pose.position[n] - pair.a.pose.position[n] + pair.velocity[n] * unclampedTime),
  );
  const size = Math.max(pair.size, farther);
  const { distance } = gapAt(pair, unclampedTime);
  const offBy = Math.abs(distance - margin);
  expectThat(
    offBy <= k * size,
    () => `met at ${unclampedTime}, ${distance - margin} from touch, tolerance ${k * size}`,
  );
  if (unclampedTime < 0) {
    expectThat(start <= t, () => `met ${unclampedTime} ago, ${start} from touch as the motion begins`);
  } else if (unclampedTime > 0 && !((unclampedTime - known) * fastest(pair, unclampedTime) <= k * size)) {
    const met = firstWithin(pair, margin, unclampedTime, k * size);
    expectThat(met === undefined || met >= unclampedTime, () => `met at ${unclampedTime}, where they meet at ${met}`);
  }
  // The guarantees about the point hold for touching bodies.
  const t2 = 2 * toleranceOf(precision, pair.cpuA.kind, pair.cpuB.kind, true) * size;
  judgeNormal(pair, said, margin, t2, faults);
  const posed = posesAt(pair, unclampedTime);
  const way = [0, 1, 2].map((n) => pair.a.pose.linearVelocity[n] * unclampedTime);
  const rounded =
    4 *
    (precision === 'kernels' ? F32_ROUNDING : F64_ROUNDING) *
    Math.hypot(...Array.from(point), ...Array.from(pair.a.pose.position), ...way);
  const local = [0, 1, 2].map((n) => point[n] - (pair.a.pose.position[n] + way[n]));
  const [onA, onB] = [pair.cpuA, pair.cpuB].map(
    (shape, side) =>
      contact(shape, posed[side], POINT, { position: local, quaternion: UPRIGHT }, { margin: Infinity }).distance,
  );
  expectThat(Math.abs(onA) <= t2 + rounded, () => `point ${onA} off A, tolerance ${t2 + rounded}`);
  expectThat(Math.abs(onB - margin) <= t2 + rounded, () => `point ${onB - margin} off B, tolerance ${t2 + rounded}`);
  return verdict(unclampedTime < 0 ? 'overlapped' : 'met', offBy / pair.size);
}

const POINT = createShape({ type: 'sphere', radius: 0 });
const UPRIGHT = [0, 0, 0, 1];

/**
 * Checks that the bodies are on the right sides of the normal, and that straight motion brings them together along it.
 */
function judgeNormal(
  pair: MovingPair,
  { unclampedTime, normal }: SaidImpact,
  margin: number,
  t: number,
  faults: string[],
): void {
  const plane = [pair.a, pair.b].find(({ shape }) => shape.type === 'halfspace');
  const n = Array.from(normal);
  if (plane) {
    const { normal: own } = plane.shape as { normal: ArrayLike<number> };
    const size = Math.hypot(...Array.from(own));
    const outward = rotate(
      rotationMatrix(poseAt(plane.pose, unclampedTime).quaternion),
      [0, 1, 2].map((k) => own[k] / size),
    );
    const sign = plane === pair.a ? 1 : -1;
    const off = Math.hypot(...outward.map((x, k) => sign * x - n[k]));
    if (off > UNIT_TOLERANCE) faults.push(`normal ${n}, the plane's is ${outward}`);
  } else {
    const [poseA, poseB] = posesAt(pair, unclampedTime);
    const room =
      -heightOf(
        pair.b.shape,
        poseB,
        n.map((x) => -x),
      ) - heightOf(pair.a.shape, poseA, n);
    if (!(room >= margin - t)) faults.push(`normal ${n} along which they overlap by ${margin - room}, tolerance ${t}`);
  }
  const speed = Math.hypot(...pair.velocity);
  const along = dot(n, pair.velocity);
  if (!pair.isTurning && along > UNIT_TOLERANCE * speed)
    faults.push(`normal ${n} along which they part by ${along} a second`);
}

/** Greatest n · x over a bounded body. */
function heightOf(shape: ShapeDescription, { position, quaternion, scale = 1 }: CpuPose, n: number[]): number {
  const core = piecesOf(shape as BoundedDescription);
  return (
    dot(n, position) +
    scale * (coreSupport(core, rotateBack(rotationMatrix(quaternion), n)) + roundingRadius(shape as BoundedDescription))
  );
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

const pieces = new WeakMap<ShapeDescription, CorePieces>();

function piecesOf(shape: BoundedDescription): CorePieces {
  const known = pieces.get(shape) ?? corePieces(shape);
  pieces.set(shape, known);
  return known;
}
