/** Captures read from JSON, checked strictly: every error names the field, its value and what was expected. */
import type { Capture } from '../api/capture.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';
import type { PlanarShapeDescription } from '../api/planar-shapes.ts';
import type { ShapeDescription } from '../api/shapes.ts';
import type { AdapterDescription } from '../api/types.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import { makePlanarShapeData, type PlanarShapeData } from '../shapes/planar-shape-data.ts';
import { makeShapeData, type ShapeData } from '../shapes/shape-data.ts';
import { expectName, namesOf } from '../util/known.ts';
import { QUERY_NAMES } from '../util/query-names.ts';
import { expectFields } from './fields.ts';
import { expectOptions } from './parse-options.ts';
import { expectPoses } from './parse-poses.ts';
import { expectResult } from './parse-result.ts';

const FIELDS = namesOf<Capture>({
  version: true,
  dimension: true,
  query: true,
  algorithm: true,
  shapes: true,
  poses: true,
  float64Positions: true,
  options: true,
  result: true,
  backend: true,
  adapter: true,
});

const ADAPTER = namesOf<AdapterDescription>({ vendor: true, architecture: true, description: true, isSoftware: true });

/**
 * Checks a capture, such as `JSON.parse` of a file gives it, and returns it. What passes can be given to `captureInput` and
 * `traceCapture`.
 *
 * @throws NarrowphaseError `INVALID_INPUT` naming the first wrong field; `LIMIT_EXCEEDED` for a shape beyond the limits.
 */
export function parseCapture(value: unknown): Capture {
  const capture = expectFields(value, '', FIELDS);
  const { version, dimension, query, shapes, backend, float64Positions } = capture;
  if (version !== 1) invalidInput('version', version, '1');
  if (dimension !== 2 && dimension !== 3) invalidInput('dimension', dimension, '2 or 3');
  expectName('query', query, QUERY_NAMES, 'a query over pairs');
  if (!Array.isArray(shapes) || shapes.length !== 2) invalidInput('shapes', shapes, 'the descriptions of two shapes');
  const pair = shapes.map((shape, i) => makeShape(shape, `shapes[${i}]`, dimension));
  if (pair.every(({ kind }) => dimension === 3 && kind === CORE_HALFSPACE))
    invalidInput('shapes[1].type', 'halfspace', 'a bounded shape, as shapes[0] is a half-space already');
  if (typeof float64Positions !== 'boolean') invalidInput('float64Positions', float64Positions, 'a boolean');
  expectOptions(capture, query as QueryName, pair);
  expectPoses(capture, query as QueryName, dimension, pair);
  expectResult(capture.result, query as QueryName, dimension);
  if (backend !== 'webgpu' && backend !== 'cpu') invalidInput('backend', backend, "'webgpu' or 'cpu'");
  const adapter = expectFields(capture.adapter, 'adapter', ADAPTER);
  for (const name of ['vendor', 'architecture', 'description'])
    if (typeof adapter[name] !== 'string') invalidInput(`adapter.${name}`, adapter[name], 'a string');
  if (typeof adapter.isSoftware !== 'boolean') invalidInput('adapter.isSoftware', adapter.isSoftware, 'a boolean');
  return value as Capture;
}

function makeShape(value: unknown, field: string, dimension: 2 | 3): ShapeData | PlanarShapeData {
  try {
    return dimension === 3
      ? makeShapeData(value as ShapeDescription, field)
      : makePlanarShapeData(value as PlanarShapeDescription, field);
  } catch (error) {
    if (error instanceof NarrowphaseError) throw error;
    // A description that JSON can hold and no code expects, such as a list in place of an object's field.
    throw new NarrowphaseError('INVALID_INPUT', `${field} is not a shape description`, { cause: error });
  }
}
