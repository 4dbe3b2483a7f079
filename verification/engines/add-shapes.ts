import { NarrowphaseError } from '../../src/api/errors.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { Tester } from '../../src/api/types.ts';

/**
 * Adds a scene's shapes to a tester and returns their ids in the order of the shapes. Queries then take
 * `bodies.shapes.map((shape) => ids[shape])`.
 */
export function addShapes(tester: Tester, shapes: readonly ShapeDescription[]): number[] {
  return shapes.map((description, i) => {
    try {
      return tester.addShape(description);
    } catch (error) {
      if (!(error instanceof NarrowphaseError)) throw error;
      throw new NarrowphaseError(error.code, `shapes[${i}]: ${error.message}`, { cause: error });
    }
  });
}
