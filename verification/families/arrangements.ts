/** Building blocks of families of arranged pairs: frames, gaps, rotations, and the placement of a pair in a frame. */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import { putBody, type Cores, type Family, type Pose } from './family.ts';
import { setRotation } from './placement.ts';
import { below, unitVector, type Random } from './random.ts';

export interface Slot {
  random: Random;
  family: Family;
  cores: Cores;
  index: number;
}

export interface Maker {
  shapes: ShapeDescription[];
  put: (slot: Slot) => void;
  /** Whether positions are 64-bit numbers. Default false. */
  isWide?: boolean;
}

export const IDENTITY = [0, 0, 0, 1];

/** The 24 rotations that map the axes onto themselves. */
export const QUARTER_TURNS = quarterTurns();

function quarterTurns(): number[][] {
  const turns: number[][] = [];
  for (let code = 0; code < 81; code++) {
    const q = [1, 3, 9, 27].map((power) => (Math.floor(code / power) % 3) - 1);
    const used = q.filter((component) => component !== 0).length;
    // Of q and -q, keep the one whose first nonzero component is positive.
    if (used === 0 || used === 3 || q.find((component) => component !== 0)! < 0) continue;
    turns.push(q.map((component) => component / Math.sqrt(used)));
  }
  return turns;
}

export function pick<Item>(random: Random, items: ArrayLike<Item>): Item {
  return items[below(random, items.length)];
}

/** Gaps that have broken other libraries, as shares of the size: touch, and slightly to either side. */
export function touchGap(random: Random, size: number): number {
  return size * pick(random, [0, 1e-5, -1e-5, 1e-3, -1e-3]);
}

export function multiply(p: ArrayLike<number>, q: ArrayLike<number>): number[] {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}

/** A rotation by 1e-7 to 1e-2 radians about a random axis. */
export function tilt(random: Random): number[] {
  const half = 0.5 * pick(random, [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2]);
  return [...unitVector(random, [0, 0, 0]).map((component) => half * component), 1];
}

export function randomRotation(random: Random): number[] {
  return unitVector(random, [0, 0, 0, 0]);
}

export function inQuarters(random: Random): number[] {
  return [0, 1, 2].map(() => (below(random, 65) - 32) / 4);
}

export function rotated(quaternion: ArrayLike<number>, v: ArrayLike<number>): number[] {
  const m = new Float64Array(9);
  setRotation(quaternion, 0, m);
  return [0, 1, 2].map((k) => m[3 * k] * v[0] + m[3 * k + 1] * v[1] + m[3 * k + 2] * v[2]);
}

/** Places A in `frame`, and B by its pose relative to A. */
export function putPair({ random, family, index }: Slot, a: number, b: number, poseB: Pose, frame: Pose): void {
  const moved = rotated(frame.quaternion, poseB.position).map((x, k) => x + frame.position[k]);
  const inWorld = { position: moved, quaternion: multiply(frame.quaternion, poseB.quaternion) };
  const swap = random() < 0.5 ? 1 : 0;
  putBody(family, 2 * index + swap, a, frame);
  putBody(family, 2 * index + 1 - swap, b, inWorld);
}

/** Half the frames have the world's axes, half are rotated at random. */
export function anyFrame(random: Random): Pose {
  return { position: inQuarters(random), quaternion: random() < 0.5 ? IDENTITY : randomRotation(random) };
}

export function f32(numbers: number[]): number[] {
  return numbers.map(Math.fround);
}
