/** The judge: signed distances by the CPU reference in double precision, of which answers are held against. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readWorkload } from '../workloads/file.ts';
import type { ReferenceSubject } from './protocol.ts';

const PACKAGE = pathToFileURL(join(import.meta.dirname, '../../dist/cpu.js')).href;

export function referenceSubject(): ReferenceSubject {
  return {
    async judge(file, indices) {
      const { createShape, contact } = (await import(/* @vite-ignore */ PACKAGE)) as typeof import('../../src/cpu/index.ts');
      const { shapes: descriptions, bodies, pairs } = readWorkload(file);
      const shapes = descriptions.map((description) => createShape(description));
      const distance = new Float64Array(indices.length);
      const size = new Float64Array(indices.length);
      const poseOf = (body: number) => ({
        position: bodies.positions.subarray(3 * body, 3 * body + 3),
        quaternion: bodies.quaternions.subarray(4 * body, 4 * body + 4),
      });
      indices.forEach((pair, i) => {
        const a = pairs[2 * pair];
        const b = pairs[2 * pair + 1];
        const [shapeA, shapeB] = [shapes[bodies.shapes[a]], shapes[bodies.shapes[b]]];
        const [poseA, poseB] = [poseOf(a), poseOf(b)];
        const answer = contact(shapeA, poseA, shapeB, poseB, { margin: Infinity });
        const apart = Math.hypot(...poseA.position.map((x, k) => poseB.position[k] - x));
        // Of the statuses, 0 is separated and 1 overlapping; the others have no answer.
        distance[i] = answer.status <= 1 ? answer.distance : NaN;
        size[i] = Math.max(shapeA.boundingRadius + shapeB.boundingRadius, apart);
      });
      return { distance, size };
    },
  };
}
