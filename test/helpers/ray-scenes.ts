/** Bodies of all types of shape for ray casts, in both dimensions. */

import { planar } from '../../src/cpu.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { planarTypePairNames } from '../../verification/families/planar-families.ts';
import {
  randomBox,
  randomCapsule,
  randomEllipsoid,
  randomHull,
  randomRoundedBox,
  randomSphere,
  randomTriangle,
  randomUpright,
} from '../../verification/families/random-shapes.ts';
import { below, createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import type { AnyDescription, BodyArrays } from './dimensions.ts';
import { mixPlanarTypes } from './planar-tester.ts';

interface RayScene {
  seed: number;
  descriptions: AnyDescription[];
  bodies: Required<BodyArrays>;
}

/** Nine 3-D bodies of each type except half-spaces in a cube of edge 16, and one half-space below them. */
export function randomSolids(seed: number): RayScene {
  const random = createRandom(seed);
  const descriptions: ShapeDescription[] = [];
  for (let i = 0; i < 9; i++) {
    descriptions.push(
      randomSphere(random),
      randomBox(random, i, 1),
      randomRoundedBox(random, i),
      randomCapsule(random),
      randomHull(random),
      randomTriangle(random, 1),
      randomUpright('cylinder', random, i, 1),
      randomUpright('cone', random, i, 1),
      randomEllipsoid(random, i, 1),
    );
  }
  const last = descriptions.length;
  descriptions.push({ type: 'halfspace', normal: [0, 1, 0], offset: -9 });
  const count = descriptions.length;
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => (i >= 3 * last ? 0 : uniform(random, -8, 8)));
  const rotations = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) rotations.set(i === last ? [0, 0, 0, 1] : unitVector(random, [0, 0, 0, 0]), 4 * i);
  return {
    seed,
    descriptions,
    bodies: {
      shapes: descriptions.map((_, body) => body),
      positions,
      rotations,
      scales: Float32Array.from({ length: count }, (_, i) => (i === last ? 1 : uniform(random, 0.5, 1.5))),
    },
  };
}

/** Sixty 2-D bodies of all types, each about a unit across, in a square of edge 24. */
export function mixFamilyShapes(seed: number): RayScene {
  const COUNT = 60;
  const random = createRandom(seed);
  const { shapes } = mixPlanarTypes(planarTypePairNames, 1, seed);
  const descriptions = Array.from({ length: COUNT }, () => shapes[below(random, shapes.length)]);
  return {
    seed,
    descriptions,
    bodies: {
      shapes: descriptions.map((_, body) => body),
      positions: Float32Array.from({ length: 2 * COUNT }, () => uniform(random, -12, 12)),
      rotations: Float32Array.from({ length: COUNT }, () => uniform(random, -100, 100)),
      scales: Float32Array.from(
        descriptions,
        (description) => uniform(random, 0.5, 1.5) / planar.createShape(description).boundingRadius,
      ),
    },
  };
}
