/** The fields of each type of shape, as its description has them. */
import type { ShapeDescription } from '../api/shapes.ts';
import { expectKnown, type Names } from '../util/known.ts';

/** For each field of a description except `type`, whether it is required. */
type FieldsOf<Description> = {
  readonly [Name in Exclude<keyof Description, 'type'>]-?: undefined extends Description[Name]
    ? 'optional'
    : 'required';
};

export type FieldTable<Descriptions extends { type: string }> = {
  readonly [Description in Descriptions as Description['type']]: FieldsOf<Description>;
};

/** Fields of 3-D shapes. */
export const SHAPE_FIELDS: FieldTable<ShapeDescription> = {
  sphere: { radius: 'required' },
  box: { halfExtents: 'required', radius: 'optional' },
  capsule: { halfHeight: 'required', radius: 'required' },
  triangle: { points: 'required', radius: 'optional' },
  hull: { points: 'required', radius: 'optional' },
  cylinder: { halfHeight: 'required', radius: 'required' },
  cone: { halfHeight: 'required', radius: 'required' },
  ellipsoid: { radii: 'required' },
  halfspace: { normal: 'required', offset: 'required' },
  compound: { parts: 'required' },
  mesh: { positions: 'required', indices: 'required', sides: 'optional' },
};

/** The allowed field names of each type, with `others` added. */
export function shapeNames(table: object, ...others: string[]): ReadonlyMap<unknown, Names> {
  return new Map(
    Object.entries(table).map(([type, fields]) => [
      type,
      new Set(['type', ...Object.keys(fields as object), ...others]),
    ]),
  );
}

/** Throws `INVALID_INPUT` if a description has a field that its type doesn't have. Unknown types pass. */
export function expectShapeFields(
  description: { type?: unknown },
  field: string,
  names: ReadonlyMap<unknown, Names>,
): void {
  const { type } = description;
  const known = names.get(type);
  if (known) expectKnown(description, field, known, `for a shape of type '${type as string}'`);
}
