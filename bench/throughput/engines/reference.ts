/** The judge: signed distances by the CPU reference in double precision, of which answers are held against. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readWorkload } from '../workload-file.ts';
import type { PlanarWorkload, Workload } from '../../../verification/workloads/workload.ts';
import { leastDistance, type Moment } from './least-distance.ts';
import type { ReferenceSubject } from '../protocol.ts';

const PACKAGE = pathToFileURL(join(import.meta.dirname, '../../dist/cpu.js')).href;

/**
 * How well the least distance of bodies in motion is known, as a share of the size: well below what answers may be off.
 */
const LEAST_TOLERANCE = 1e-8;

export function referenceSubject(): ReferenceSubject {
  return {
    async judge(file, indices) {
      const { duration, momentOf, sizeOf } = await openPairs(file);
      const size = Float64Array.from(indices, sizeOf);
      const distance = Float64Array.from(indices, (pair, i) =>
        duration === undefined
          ? momentOf(pair, 0).distance
          : leastDistance((time) => momentOf(pair, time), duration, LEAST_TOLERANCE * size[i]),
      );
      return { distance, size };
    },
    async judgeTimes(file, indices, times) {
      const { momentOf } = await openPairs(file);
      const moments = Array.from(indices, (pair, i): Moment =>
        Number.isFinite(times[i]) ? momentOf(pair, times[i]) : { distance: NaN, slope: 0 },
      );
      return {
        distance: Float64Array.from(moments, ({ distance }) => distance),
        isParting: Uint8Array.from(moments, ({ slope }) => Number(slope > 0)),
      };
    },
  };
}

interface Pairs {
  /** Seconds of the motion, for moving bodies. */
  duration?: number;
  momentOf(pair: number, time: number): Moment;
  /** max(sum of the bounding radii, distance of the bodies), the latter at the start. */
  sizeOf(pair: number): number;
}

type Reference = typeof import('../../../src/cpu.ts');

async function openPairs(file: string): Promise<Pairs> {
  const reference = (await import(/* @vite-ignore */ PACKAGE)) as Reference;
  const workload = readWorkload(file);
  return workload.dimension === 2 ? planarPairs(reference, workload) : spatialPairs(reference, workload);
}

function planarPairs(
  { planar: { createShape, contact } }: Reference,
  { shapes: descriptions, bodies, pairs }: PlanarWorkload,
): Pairs {
  const shapes = descriptions.map((description) => createShape(description));
  const shapeOf = (body: number) => shapes[bodies.shapes[body]];
  const poseOf = (body: number) => ({
    position: bodies.positions.subarray(2 * body, 2 * body + 2),
    angle: bodies.angles[body],
  });
  return {
    momentOf(pair) {
      const [a, b] = pairs.subarray(2 * pair, 2 * pair + 2);
      const { status, distance } = contact(shapeOf(a), poseOf(a), shapeOf(b), poseOf(b), { margin: Infinity });
      return { distance: status <= 1 ? distance : NaN, slope: 0 };
    },
    sizeOf(pair) {
      const [a, b] = pairs.subarray(2 * pair, 2 * pair + 2);
      const [from, to] = [poseOf(a).position, poseOf(b).position];
      return Math.max(
        shapeOf(a).boundingRadius + shapeOf(b).boundingRadius,
        Math.hypot(to[0] - from[0], to[1] - from[1]),
      );
    },
  };
}

/** What moves goes straight on. */
function spatialPairs(
  { createShape, contact }: Reference,
  { shapes: descriptions, bodies, pairs, duration }: Workload,
): Pairs {
  const { positions, quaternions, linearVelocities } = bodies;
  const shapes = descriptions.map((description) => createShape(description));
  const shapeOf = (body: number) => shapes[bodies.shapes[body]];
  const velocityOf = (body: number, k: number): number => linearVelocities?.[3 * body + k] ?? 0;
  const positionOf = (body: number, time: number): number[] =>
    [0, 1, 2].map((k) => positions[3 * body + k] + time * velocityOf(body, k));
  const poseOf = (body: number, time: number) => ({
    position: positionOf(body, time),
    quaternion: quaternions.subarray(4 * body, 4 * body + 4),
  });
  return {
    duration,
    momentOf(pair, time) {
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const { status, distance, normal } = contact(shapeOf(a), poseOf(a, time), shapeOf(b), poseOf(b, time), {
        margin: Infinity,
      });
      const slope = normal.reduce((sum, along, k) => sum + along * (velocityOf(b, k) - velocityOf(a, k)), 0);
      // Status 0 is separated and 1 is overlapping; the others have no answer.
      return { distance: status <= 1 ? distance : NaN, slope };
    },
    sizeOf(pair) {
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const start = positionOf(a, 0);
      const apart = Math.hypot(...positionOf(b, 0).map((x, k) => x - start[k]));
      return Math.max(shapeOf(a).boundingRadius + shapeOf(b).boundingRadius, apart);
    },
  };
}
