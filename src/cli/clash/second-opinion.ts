/**
 * The double-precision backend, asked again where the engine's tolerance leaves the category open: near the rule's
 * tolerance or clearance, or without an answer. So the category does not depend on the engine.
 */

import { Status } from '../../api/types.ts';
import { CORE_HALFSPACE } from '../../generated/constants.ts';
import type { Scene } from '../../scene/scene.ts';
import { toleranceOf } from '../../shapes/tolerances.ts';
import { openCpu } from '../../../verification/engines/cpu.ts';
import type { Answer, Engine } from '../../../verification/engines/engine.ts';
import { shortestOfF32 } from '../report/decimal.ts';
import type { Limits } from './rules.ts';

export interface SecondOpinion {
  /** The contacts of these pairs, all of them. */
  ask(pairs: Uint32Array, margin: number): Promise<ContactAnswer>;
  close(): Promise<void>;
}

/** The fields of an answer to `contacts` that clashes are made of. */
export type ContactAnswer = Answer & Required<Pick<Answer, 'distance' | 'normal' | 'pointA' | 'pointB'>>;

/** Opens the backend when it is first asked. */
export function createSecondOpinion({ shapes, bodies }: Scene): SecondOpinion {
  let opened: Promise<Engine> | undefined;
  const open = async (): Promise<Engine> => {
    const engine = await openCpu();
    await engine.load(shapes, bodies);
    return engine;
  };
  return {
    async ask(pairs, margin) {
      const engine = await (opened ??= open());
      const { answer } = await engine.ask({ query: 'contacts', pairs, margin, results: 'all' });
      return answer as ContactAnswer;
    },
    async close() {
      if (opened) await (await opened).close();
    },
  };
}

/** A distance that is this many tolerances from a limit is on the side of the limit that it seems to be on. */
const SAFETY = 2;

/** Whether the engine's tolerance, or a missing answer, leaves open which category a pair has. */
export function isOpen(scene: Scene, a: number, b: number, status: number, distance: number, limits: Limits): boolean {
  if (status !== Status.Separated && status !== Status.Overlapping) return true;
  const { tolerance, clearance } = limits;
  const error = SAFETY * kernelError(scene, a, b, distance <= 0);
  const decimal = shortestOfF32(distance);
  return (
    Math.abs(Math.abs(decimal) - tolerance) <= error || (clearance !== null && Math.abs(decimal - clearance) <= error)
  );
}

/** The kernels' tolerance for the distance of two bodies. */
function kernelError({ bodies, shapeData }: Scene, a: number, b: number, isOverlapping: boolean): number {
  const { positions, scales, shapes } = bodies;
  const [shapeA, shapeB] = [shapeData[shapes[a]], shapeData[shapes[b]]];
  const between = Math.hypot(
    positions[3 * b] - positions[3 * a],
    positions[3 * b + 1] - positions[3 * a + 1],
    positions[3 * b + 2] - positions[3 * a + 2],
  );
  const size = shapeA.boundingRadius * scales[a] + shapeB.boundingRadius * scales[b];
  return toleranceOf('kernels', shapeA.kind, shapeB.kind, isOverlapping) * Math.max(size, between);
}

/** Gaps up to this much beyond the margin are asked for, so that no tolerance hides a pair at the margin. */
export function marginAllowance(scene: Scene, margin: number): number {
  const { bodies, shapeData } = scene;
  let reach = 0;
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let body = 0; body < bodies.shapes.length; body++) {
    reach = Math.max(reach, shapeData[bodies.shapes[body]].boundingRadius * bodies.scales[body]);
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], bodies.positions[3 * body + axis]);
      high[axis] = Math.max(high[axis], bodies.positions[3 * body + axis]);
    }
  }
  const hasHalfspace = shapeData.some(({ kind }) => kind === CORE_HALFSPACE);
  const spread = hasHalfspace && reach > 0 ? Math.hypot(...high.map((x, axis) => x - low[axis])) : 0;
  const kinds = shapeData.map(({ kind }) => kind);
  const factor = kinds.reduce((most, kind) => Math.max(most, toleranceOf('kernels', kind, kind, false)), 0);
  return SAFETY * factor * (Math.max(2 * reach, spread) + margin);
}
