/**
 * A scene with some pairs of another one, which gives the same answers again: the same shapes, poses to the bit, a list
 * of the pairs, and the same margin.
 *
 * Kernels form B - A in fixed point over the range of all bodies' positions, so in a scene of fewer bodies a pair could
 * round differently. If the bodies of the pairs don't extend as far as those of the scene, the outermost body is added
 * without a pair.
 */

import type { Scene, SceneBodies } from '../scene/scene.ts';
import { exactJson } from '../exact-json.ts';
import { bodyOf } from './pair-report.ts';

const LONGEST_NAME = 256;

/** JSON text of a scene file. `listed` has indices into `pairs`. An infinite margin is left out. */
export function replayScene(scene: Scene, pairs: Uint32Array, listed: readonly number[], margin: number): string {
  const bodies = numbering();
  const shapes = numbering();
  const newPairs = listed.map((pair) => [bodies.of(pairs[2 * pair]), bodies.of(pairs[2 * pair + 1])]);
  const inPairs = bodies.all.length;
  const outermost = outermostBody(scene.bodies);
  if (outermost >= 0 && !bodies.all.some((body) => reachOf(scene.bodies, body) === reachOf(scene.bodies, outermost)))
    bodies.of(outermost);
  const bodyLines = bodies.all.map((body, i) => {
    const { position, quaternion, scale, name } = bodyOf(scene, body);
    const keepsRange = i < inPairs ? name : 'outermost body of the scene, in no pair';
    return exactJson({ shape: shapes.of(scene.bodies.shapes[body]), position, quaternion, scale, name: keepsRange });
  });
  const fields = [
    '"version": 1',
    `"name": ${JSON.stringify(`${scene.name}, worst pairs`.slice(0, LONGEST_NAME))}`,
    `"shapes": ${lines(shapes.all.map((shape) => exactJson(scene.shapes[shape])))}`,
    `"bodies": ${lines(bodyLines)}`,
    `"pairs": ${lines(newPairs.map(exactJson))}`,
  ];
  if (Number.isFinite(margin)) fields.push(`"margin": ${exactJson(margin)}`);
  return `{\n  ${fields.join(',\n  ')}\n}\n`;
}

/** Assigns new numbers in order of first use. `all` has the old ones. */
function numbering(): { all: number[]; of(old: number): number } {
  const numbers = new Map<number, number>();
  const all: number[] = [];
  return {
    all,
    of(old) {
      if (!numbers.has(old)) numbers.set(old, all.push(old) - 1);
      return numbers.get(old)!;
    },
  };
}

/** The body with the largest absolute coordinate; -1 if there is none. */
function outermostBody({ shapes, positions }: SceneBodies): number {
  let outermost = -1;
  let reach = -1;
  for (let i = 0; i < 3 * shapes.length; i++) {
    if (Math.abs(positions[i]) <= reach) continue;
    reach = Math.abs(positions[i]);
    outermost = Math.floor(i / 3);
  }
  return outermost;
}

function reachOf({ positions }: SceneBodies, body: number): number {
  return Math.max(...positions.subarray(3 * body, 3 * body + 3).map(Math.abs));
}

function lines(items: string[]): string {
  return items.length === 0 ? '[]' : `[\n    ${items.join(',\n    ')}\n  ]`;
}
