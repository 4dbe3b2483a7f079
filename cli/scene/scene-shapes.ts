/** Shapes of a scene file: an `id` and the fields of a `ShapeDescription`. Lengths are in the scene's unit. */

import { invalidInput } from '../../src/api/errors.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import type { ShapeData } from '../../src/shapes/shape-data.ts';
import { SHAPE_FIELDS, expectShapeFields, shapeNames } from '../../src/shapes/shape-fields.ts';
import { alternatives } from '../../src/util/known.ts';
import { checkList, checkName, checkObject, checkPresent } from '../../src/util/json-fields.ts';

const NAMES = shapeNames(SHAPE_FIELDS, 'id');
export const SHAPE_TYPES: readonly string[] = Object.keys(SHAPE_FIELDS);

/** Most numbers in the `points` of one shape: a million points. */
const MAX_POINT_NUMBERS = 3_000_000;

export interface SceneShape {
  id?: string;
  description: ShapeDescription;
  data: ShapeData;
}

/** Parses one element of a scene's `shapes`. Errors give the path of the wrong value. */
export function parseShape(value: unknown, path: string): SceneShape {
  const given = checkObject(value, path);
  const { id, ...fields } = given;
  const { type } = fields;
  checkPresent(type, `${path}.type`, alternatives(SHAPE_TYPES));
  if (typeof type !== 'string' || !SHAPE_TYPES.includes(type))
    invalidInput(`${path}.type`, type, alternatives(SHAPE_TYPES));

  expectShapeFields(given, path, NAMES);
  for (const [field, need] of Object.entries(SHAPE_FIELDS[type as ShapeDescription['type']])) {
    if (need === 'required') checkPresent(fields[field], `${path}.${field}`, `the ${field} of a ${type}`);
  }
  if (fields.points !== undefined) {
    checkList(fields.points, `${path}.points`, 'a flat list of numbers: x, y, z of each point', MAX_POINT_NUMBERS);
  }
  const description = fields as unknown as ShapeDescription;
  return {
    id: id === undefined ? undefined : checkName(id, `${path}.id`),
    description,
    data: makeShapeData(description, path),
  };
}
