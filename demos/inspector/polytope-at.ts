/** The polytope of EPA, or of velocity EPA, in 3-D as it is before a step: replayed from the steps. */

import type { TraceFace } from 'narrowphase/cpu';
import { cross, subtract, unit, vec, type Vec } from './linear.ts';
import { edgesOf, type Solid } from './solid.ts';
import type { Step } from './step.ts';

export interface Polytope {
  vertices: Vec[];
  faces: TraceFace[];
}

/** In A's frame; undefined if step `at` is not one of EPA's in 3-D. */
export function polytopeAt(steps: readonly Step[], at: number): Polytope | undefined {
  if (!['epa-start', 'epa', 'epa-end', 'crossing'].includes(steps[at].type)) return undefined;
  let first = at;
  while (first >= 0 && steps[first].type !== 'epa-start') first--;
  if (first < 0) return undefined;
  const start = steps[first];
  if (start.type !== 'epa-start' || 'edges' in start) return undefined;
  const vertices = start.vertices.map(({ point }) => vec(point));
  let faces = [...start.faces];
  for (const step of steps.slice(first + 1, at)) {
    if ((step.type !== 'epa' && step.type !== 'crossing') || !('face' in step) || step.apex < 0) continue;
    vertices[step.apex] = vec(step.type === 'epa' ? step.support.point : step.support);
    const removed = new Set(step.removed.map(keyOf));
    const { apex } = step;
    faces = faces.filter((face) => !removed.has(keyOf(face)));
    faces.push(...step.horizon.map(([from, to]): TraceFace => [from, to, apex]));
  }
  return { vertices, faces };
}

function keyOf(face: readonly number[]): string {
  return [...face].sort((a, b) => a - b).join(' ');
}

/** For drawing. `place` takes points out of A's frame. */
export function polytopeSolid({ vertices, faces }: Polytope, place: (point: Vec) => Vec): Solid {
  const placed = vertices.map((vertex) => place(vertex));
  const sides = faces.map((loop) => {
    const [a, b, c] = loop.map((v) => placed[v]);
    return { loop: [...loop], normal: unit(cross(subtract(b, a), subtract(c, a))) };
  });
  return { vertices: placed, faces: sides, edges: edgesOf(sides, Infinity) };
}
