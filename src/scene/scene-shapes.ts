/** Shapes of a scene file: an `id` and the fields of a `ShapeDescription`. Lengths are in the scene's unit. */

import { invalidInput } from '../api/errors.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import { makeShapeData } from '../shapes/shape-data.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { alternatives, checkList, checkName, checkObject, checkPresent } from './fields.ts';

/** Fields of each shape type besides `id` and `type`. */
const FIELDS: Record<ShapeDescription['type'], { required: readonly string[]; optional?: readonly string[] }> = {
  sphere: { required: ['radius'] },
  box: { required: ['halfExtents'], optional: ['radius'] },
  capsule: { required: ['halfHeight', 'radius'] },
  triangle: { required: ['points'], optional: ['radius'] },
  hull: { required: ['points'], optional: ['radius'] },
  cylinder: { required: ['halfHeight', 'radius'] },
  cone: { required: ['halfHeight', 'radius'] },
  ellipsoid: { required: ['radii'] },
  halfspace: { required: ['normal', 'offset'] },
};
export const SHAPE_TYPES: readonly string[] = Object.keys(FIELDS);

/** Most numbers in the `points` of one shape: a million points. */
const MAX_POINT_NUMBERS = 3_000_000;

export interface SceneShape {
  id?: string;
  description: ShapeDescription;
  data: ShapeData;
}

/** One element of a scene's `shapes`; throws with the path of what is wrong. */
export function parseShape(value: unknown, path: string): SceneShape {
  const { type } = checkObject(value, path);
  checkPresent(type, `${path}.type`, alternatives(SHAPE_TYPES));
  if (typeof type !== 'string' || !SHAPE_TYPES.includes(type))
    invalidInput(`${path}.type`, type, alternatives(SHAPE_TYPES));

  const { required, optional = [] } = FIELDS[type as ShapeDescription['type']];
  const { id, ...fields } = checkObject(value, path, ['id', 'type', ...required, ...optional]);
  for (const field of required) checkPresent(fields[field], `${path}.${field}`, `the ${field} of a ${type}`);
  if (required.includes('points')) {
    checkList(fields.points, `${path}.points`, 'a flat list of numbers: x, y, z of each point', MAX_POINT_NUMBERS);
  }
  const description = fields as unknown as ShapeDescription;
  return {
    id: id === undefined ? undefined : checkName(id, `${path}.id`),
    description,
    data: makeShapeData(description, path),
  };
}
