/** Checks of a capture's result: the fields of the query's items and the types of their values. */
import { invalidInput } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';
import type { ManifoldPointIn } from '../api/results.ts';
import { namesOf } from '../util/known.ts';
import { checkPresent } from '../util/json-fields.ts';
import { expectCaptureNumber, expectFields, expectNumbers, expectWhole } from './fields.ts';

type Kind = 'whole' | 'number' | 'vector' | 'flag' | 'points';

/** Fields that items always have. */
const REQUIRED: Record<QueryName, Record<string, Kind>> = {
  intersects: { hit: 'flag' },
  distances: { distance: 'number', normal: 'vector', pointA: 'vector', pointB: 'vector' },
  contacts: {
    distance: 'number',
    normal: 'vector',
    pointA: 'vector',
    pointB: 'vector',
    featureA: 'whole',
    featureB: 'whole',
    iterations: 'whole',
  },
  manifolds: { normal: 'vector', contactDistance: 'number', points: 'points' },
  impacts: { time: 'number', unclampedTime: 'number', normal: 'vector', point: 'vector', iterations: 'whole' },
};
const COMMON: Record<string, Kind> = { pair: 'whole', status: 'whole' };
const OPTIONAL: Record<string, Kind> = { partA: 'whole', partB: 'whole' };
const BOUNDS: Record<string, Kind> = { lower: 'number', upper: 'number' };

const POINT = namesOf<ManifoldPointIn<unknown>>({ position: true, distance: true, feature: true });

export function expectResult(value: unknown, query: QueryName, dimension: 2 | 3): void {
  checkPresent(value, 'result', 'an object, or a list of objects');
  if (Array.isArray(value)) value.forEach((item, i) => expectItem(item, `result[${i}]`, query, dimension));
  else expectItem(value, 'result', query, dimension);
}

function expectItem(value: unknown, path: string, query: QueryName, dimension: 2 | 3): void {
  const required = { ...COMMON, ...REQUIRED[query] };
  const optional = query === 'contacts' ? { ...OPTIONAL, ...BOUNDS } : OPTIONAL;
  const kinds = { ...required, ...optional };
  const item = expectFields(value, path, new Set(Object.keys(kinds)));
  for (const [name, kind] of Object.entries(kinds)) {
    if (item[name] === undefined && !(name in required)) continue;
    expectKind(item[name], `${path}.${name}`, kind, dimension);
  }
  if ((item.status as number) > 4) invalidInput(`${path}.status`, item.status, 'a status from 0 to 4');
}

function expectKind(value: unknown, field: string, kind: Kind, dimension: 2 | 3): void {
  switch (kind) {
    case 'whole':
      return expectWhole(value, field);
    case 'number':
      return expectCaptureNumber(value, field);
    case 'vector':
      return expectVector(value, field, dimension);
    case 'flag':
      if (typeof value !== 'boolean') invalidInput(field, value, 'a boolean');
      return undefined;
    case 'points':
      if (!Array.isArray(value) || value.length > 4) invalidInput(field, value, 'a list of at most 4 points');
      value.forEach((each, i) => {
        const path = `${field}[${i}]`;
        const point = expectFields(each, path, POINT);
        expectVector(point.position, `${path}.position`, dimension);
        expectCaptureNumber(point.distance, `${path}.distance`);
        expectWhole(point.feature, `${path}.feature`);
      });
  }
}

/** Points beyond f32 are infinite. */
function expectVector(value: unknown, field: string, dimension: 2 | 3): void {
  if (Array.isArray(value) && value.length === dimension)
    value.forEach((number, i) => expectCaptureNumber(number, `${field}[${i}]`));
  else expectNumbers(value, field, dimension, dimension === 3 ? 'x, y, z' : 'x, y');
}
