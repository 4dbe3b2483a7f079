/** The judge: signed distances by the CPU reference in double precision, of which answers are held against. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readWorkload } from '../workloads/file.ts';
import { leastDistance, type Moment } from './least-distance.ts';
import type { ReferenceSubject } from './protocol.ts';

const PACKAGE = pathToFileURL(join(import.meta.dirname, '../../dist/cpu.js')).href;

/** How well the least distance of bodies in motion is known, as a share of the size: well below what answers may be off. */
const LEAST_TOLERANCE = 1e-8;

export function referenceSubject(): ReferenceSubject {
  return {
    async judge(file, indices) {
      const { duration, momentOf, sizeOf } = await openPairs(file);
      const size = Float64Array.from(indices, sizeOf);
      const distance = Float64Array.from(indices, (pair, i) =>
        duration === undefined ? momentOf(pair, 0).distance : leastDistance((time) => momentOf(pair, time), duration, LEAST_TOLERANCE * size[i]),
      );
      return { distance, size };
    },
    async judgeTimes(file, indices, times) {
      const { momentOf } = await openPairs(file);
      const moments = Array.from(indices, (pair, i): Moment => (Number.isFinite(times[i]) ? momentOf(pair, times[i]) : { distance: NaN, slope: 0 }));
      return { distance: Float64Array.from(moments, ({ distance }) => distance), isParting: Uint8Array.from(moments, ({ slope }) => Number(slope > 0)) };
    },
  };
}

/** The pairs of a workload; what moves goes straight on. */
async function openPairs(file: string) {
  const { createShape, contact } = (await import(/* @vite-ignore */ PACKAGE)) as typeof import('../../src/cpu/index.ts');
  const { shapes: descriptions, bodies, pairs, duration } = readWorkload(file);
  const { positions, quaternions, linearVelocities } = bodies;
  const shapes = descriptions.map((description) => createShape(description));
  const shapeOf = (body: number) => shapes[bodies.shapes[body]];
  const velocityOf = (body: number, k: number): number => linearVelocities?.[3 * body + k] ?? 0;
  const positionOf = (body: number, time: number): number[] => [0, 1, 2].map((k) => positions[3 * body + k] + time * velocityOf(body, k));
  const poseOf = (body: number, time: number) => ({ position: positionOf(body, time), quaternion: quaternions.subarray(4 * body, 4 * body + 4) });
  return {
    duration,
    momentOf(pair: number, time: number): Moment {
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const { status, distance, normal } = contact(shapeOf(a), poseOf(a, time), shapeOf(b), poseOf(b, time), { margin: Infinity });
      const slope = normal.reduce((sum, along, k) => sum + along * (velocityOf(b, k) - velocityOf(a, k)), 0);
      // Of the statuses, 0 is separated and 1 overlapping; the others have no answer.
      return { distance: status <= 1 ? distance : NaN, slope };
    },
    /** max(sum of the bounding radii, distance of the bodies), the latter at the start. */
    sizeOf(pair: number): number {
      const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
      const start = positionOf(a, 0);
      const apart = Math.hypot(...positionOf(b, 0).map((x, k) => x - start[k]));
      return Math.max(shapeOf(a).boundingRadius + shapeOf(b).boundingRadius, apart);
    },
  };
}
