/** Pairs of a family for the CPU reference. */
import { set, vec3 } from '../../../src/cpu/math.ts';
import { createPair, makePair, type Pair } from '../../../src/cpu/pair.ts';
import { makeShapeData } from '../../../src/shapes/shape-data.ts';
import type { Family } from '../../../verification/families/family.ts';

/** Pairs of a family as the reference takes them. */
export function sceneOf(family: Family) {
  const shapes = family.shapes.map((shape) => makeShapeData(shape));
  const { positions, quaternions, shapes: ids } = family.bodies;
  const poses = [
    { scale: 1, quaternion: new Float64Array(4) },
    { scale: 1, quaternion: new Float64Array(4) },
  ];
  const offset = vec3();
  const pair = createPair();
  const place = (index: number): Pair => {
    const a = 2 * index;
    for (const side of [0, 1]) for (let k = 0; k < 4; k++) poses[side].quaternion[k] = quaternions[4 * (a + side) + k];
    set(
      positions[3 * a + 3] - positions[3 * a],
      positions[3 * a + 4] - positions[3 * a + 1],
      positions[3 * a + 5] - positions[3 * a + 2],
      offset,
    );
    return makePair(shapes[ids[a]], poses[0], shapes[ids[a + 1]], poses[1], offset, pair);
  };
  const sizeOf = (index: number): number => {
    const a = 2 * index;
    const between = Math.hypot(...[0, 1, 2].map((k) => positions[3 * a + 3 + k] - positions[3 * a + k]));
    return Math.max(shapes[ids[a]].boundingRadius + shapes[ids[a + 1]].boundingRadius, between);
  };
  const shapeA = (index: number) => shapes[ids[2 * index]];
  const shapeB = (index: number) => shapes[ids[2 * index + 1]];
  return { shapes, place, sizeOf, shapeA, shapeB };
}

export type Scene = ReturnType<typeof sceneOf>;
