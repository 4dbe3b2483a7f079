/** A family as a scene, for the judge of `verify`. Engines load the family's own bodies, whose positions are f32. */

import type { Family } from './families.ts';
import type { Scene } from '../../src/scene/scene.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';

export function familyScene({ name, shapes, bodies, pairs }: Family): Scene {
  return {
    name,
    shapes,
    shapeData: shapes.map((shape, i) => makeShapeData(shape, `shapes[${i}]`)),
    bodies: {
      shapes: bodies.shapes,
      positions: Float64Array.from(bodies.positions),
      quaternions: bodies.quaternions,
      scales: bodies.scales ?? new Float32Array(bodies.shapes.length).fill(1),
    },
    bodyNames: new Map(),
    allowed: [],
    pairs,
  };
}
