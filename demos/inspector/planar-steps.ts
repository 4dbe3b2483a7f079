/** In 2-D the reference records no searches: the only step is its answer. */

import { planar, type PlanarCapture, type TraceStep } from 'narrowphase/cpu';
import { fromCaptureNumber } from '../../src/capture/numbers.ts';

const QUERIES = {
  intersects: planar.intersects,
  distances: planar.distance,
  contacts: planar.contact,
  manifolds: planar.manifold,
  impacts: planar.impact,
};

export function planarSteps({ query, algorithm, shapes, poses, options }: PlanarCapture): TraceStep[] {
  const [a, b] = shapes.map((shape) => planar.createShape(shape));
  const { margin, duration, mprDepth, stopAtPenetration } = options;
  const given = {
    algorithm,
    ...(margin !== undefined && { margin: fromCaptureNumber(margin) }),
    ...(duration !== undefined && { duration: fromCaptureNumber(duration) }),
    ...(mprDepth && { mprDepth }),
    ...(stopAtPenetration !== undefined && { stopAtPenetration }),
  };
  const answer = QUERIES[query] as (...values: unknown[]) => never;
  return [{ type: 'result', query, result: answer(a, poses[0], b, poses[1], given) }];
}
