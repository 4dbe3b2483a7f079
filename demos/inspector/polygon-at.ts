/** The polygon of EPA in 2-D as it is before a step: replayed from the steps. */

import { vec, type Vec } from './linear.ts';
import type { Step } from './step.ts';

export interface Polygon {
  vertices: Vec[];
  /** The vertices counter-clockwise. */
  loop: number[];
}

/** In A's frame; undefined if step `at` is not one of EPA's in 2-D. */
export function polygonAt(steps: readonly Step[], at: number): Polygon | undefined {
  if (!['epa-start', 'epa', 'epa-end'].includes(steps[at].type)) return undefined;
  let first = at;
  while (first > 0 && steps[first].type !== 'epa-start') first--;
  const start = steps[first];
  if (start.type !== 'epa-start' || !('edges' in start)) return undefined;
  const vertices = start.vertices.map(({ point }) => vec(point));
  const loop = start.edges.map(([from]) => from);
  for (const step of steps.slice(first + 1, at)) {
    if (step.type !== 'epa' || !('edge' in step) || step.apex < 0) continue;
    vertices[step.apex] = vec(step.support.point);
    loop.splice(loop.indexOf(step.edge[0]) + 1, 0, step.apex);
  }
  return { vertices, loop };
}
