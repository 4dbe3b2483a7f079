/** Workloads: shapes, bodies and pairs. */

import { decodeMessage } from '../engines/binary-message.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';

/** In space. */
export interface Workload {
  name: string;
  dimension: 3;
  shapes: ShapeDescription[];
  /**
   * All numbers are f32. There are no scales and no rounded polytopes, which some peers don't have. Velocities are x, y,
   * z per second of each body.
   */
  bodies: { shapes: Uint32Array; positions: Float32Array; quaternions: Float32Array; linearVelocities?: Float32Array };
  /** 2 body indices per pair; the first n pairs are a fair sample of all. */
  pairs: Uint32Array;
  /** Seconds of motion, where bodies have velocities. */
  duration?: number;
}

/** A workload whose bodies have velocities. */
export type MovingWorkload = Workload & { bodies: { linearVelocities: Float32Array }; duration: number };

/** In the plane. */
export interface PlanarWorkload {
  name: string;
  dimension: 2;
  /** Rectangles, and polygons whose corners go counter-clockwise. */
  shapes: PlanarOutline[];
  /** All numbers are f32; no scales, no rounded shapes. */
  bodies: { shapes: Uint32Array; positions: Float32Array; angles: Float32Array };
  /** As in space. */
  pairs: Uint32Array;
}

export type PlanarOutline = Extract<PlanarConvexDescription, { type: 'rectangle' | 'polygon' }>;

export type AnyWorkload = Workload | PlanarWorkload;

export function emptyWorkload({ name, shapes }: Pick<Workload, 'name' | 'shapes'>, bodyCount: number): Workload {
  const bodies = {
    shapes: new Uint32Array(bodyCount),
    positions: new Float32Array(3 * bodyCount),
    quaternions: new Float32Array(4 * bodyCount),
  };
  return { name, dimension: 3, shapes, bodies, pairs: new Uint32Array(0) };
}

/** Number of bodies that the first `pairCount` pairs need, if bodies are taken in order. */
export function bodiesNeeded({ pairs }: AnyWorkload, pairCount: number): number {
  let greatest = -1;
  for (let i = 0; i < 2 * pairCount; i++) if (pairs[i] > greatest) greatest = pairs[i];
  return greatest + 1;
}

/** The first `count` pairs; where there are fewer, the list begins again as often as needed. */
export function firstPairs({ pairs }: AnyWorkload, count: number): Uint32Array {
  if (2 * count <= pairs.length) return pairs.subarray(0, 2 * count);
  const tiled = new Uint32Array(2 * count);
  for (let at = 0; at < tiled.length; at += pairs.length) tiled.set(pairs.subarray(0, tiled.length - at), at);
  return tiled;
}

/** Decodes a workload that bench/throughput/workload-file.ts wrote. */
export function decodeWorkload(bytes: ArrayBuffer): AnyWorkload {
  const { head, arrays } = decodeMessage<Omit<AnyWorkload, 'bodies' | 'pairs'>>(bytes);
  const { pairs, ...bodies } = arrays as unknown as AnyWorkload['bodies'] & { pairs: Uint32Array };
  return { ...head, bodies, pairs } as AnyWorkload;
}
