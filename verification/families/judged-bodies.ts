/** The bodies of a family for judges. Engines load the family's own bodies, whose positions are f32. */

import type { Family } from './families.ts';
import type { JudgedBodies } from '../judges/reference.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';

export function judgedBodies({ shapes, bodies }: Family): JudgedBodies {
  return {
    shapeData: shapes.map((shape, i) => makeShapeData(shape, `shapes[${i}]`)),
    bodies: {
      shapes: bodies.shapes,
      positions: Float64Array.from(bodies.positions),
      quaternions: bodies.quaternions,
      scales: bodies.scales ?? new Float32Array(bodies.shapes.length).fill(1),
    },
  };
}
