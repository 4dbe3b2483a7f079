import { NarrowphaseError } from '../errors.ts';
import type { ShapeDescription } from '../shapes/descriptions.ts';
import type { Tester } from '../types.ts';
import type { SceneBodies } from './scene.ts';

/** Adds a scene's shapes to a tester, and gives the scene's bodies with the tester's shape ids in place of the scene's indices. */
export function addShapes(tester: Tester, shapes: readonly ShapeDescription[], bodies: SceneBodies): SceneBodies {
  const ids = shapes.map((description, i) => {
    try {
      return tester.addShape(description);
    } catch (error) {
      if (!(error instanceof NarrowphaseError)) throw error;
      throw new NarrowphaseError(error.code, `shapes[${i}]: ${error.message}`, { cause: error });
    }
  });
  return { ...bodies, shapes: bodies.shapes.map((shape) => ids[shape]) };
}
