/** Models of files without nodes: each solid, object or group is a body, in the coordinates of the file. */

import type { BodyName } from './body-names.ts';
import type { Model, ModelOptions } from './model.ts';
import { createShapeList } from './shape-list.ts';
import { centredShape, type Triangles } from './triangles.ts';
import { NO_ROTATION } from './transform.ts';

export interface Solid {
  name: BodyName;
  triangles: Triangles;
}

export function modelOfSolids(solids: readonly Solid[], { hulls }: ModelOptions): Model {
  const { shapes, add } = createShapeList();
  const bodies = solids.map(({ name, triangles }, i) => {
    const { index, origin } = add(String(i), `mesh ${name.own || i}`, () => centredShape(triangles, hulls));
    return { name, shape: index, position: origin, rotation: NO_ROTATION, scale: 1 };
  });
  return { shapes, bodies };
}
