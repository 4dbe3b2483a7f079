/** Captures: one pair of a query as plain data, with its answer. */
import type { Capture, CaptureOptions, CapturedOptions } from '../api/capture.ts';
import { invalidInput } from '../api/errors.ts';
import type { Bodies, MovingBodies, PairItem, ResidentBodies, Tester } from '../api/types.ts';
import { describePlanarShape } from '../capture/describe-planar-shape.ts';
import { describeShape } from '../capture/describe-shape.ts';
import { toCaptureItem, toList } from '../capture/numbers.ts';
import { POSE_FIELDS } from '../capture/pose-fields.ts';
import type { AnyVelocities } from '../records/bodies.ts';
import type { PlanarShapeData } from '../shapes/planar-shape-data.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { ShapeBase, ShapeTable } from '../shapes/shape-table.ts';
import { expectName, namesOf, type Names } from '../util/known.ts';
import { QUERY_NAMES } from '../util/query-names.ts';
import type { GivenBodies } from './make-request.ts';

/** Options for which one pair's answer has no use. */
const OF_LISTS: Names = new Set(['query', 'fields', 'target', 'results', 'bodies']);

/** What a query is over: the bodies as the caller gave them, and as they were read, and the pairs. */
export interface CapturedScene extends Pick<GivenBodies, 'bodies' | 'arrays'> {
  given: Bodies | MovingBodies | ResidentBodies;
  pairs: Uint32Array;
}

/**
 * Asks the query of all pairs and keeps the answer of one: the pairs of a query decide which kernels run, and kernels
 * differ in their rounding. Options are checked by the query.
 */
export async function capture(
  tester: Tester,
  { shapes }: ShapeTable,
  { given, bodies, arrays, pairs }: CapturedScene,
  index: number,
  options: CaptureOptions,
): Promise<Capture> {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, '{ query, … }');
  const { query, algorithm = 'auto', parts } = options;
  expectName('options.query', query, QUERY_NAMES, 'a query over pairs');
  const { dimension } = tester;
  const takesWarmStart = dimension === 3 && query !== 'impacts';
  const asked = Object.fromEntries(
    Object.entries(options).filter(([name]) => !OF_LISTS.has(name) && !(takesWarmStart && name === 'warmStart')),
  );
  const count = pairs.length / 2;
  if (!(Number.isInteger(index) && index >= 0 && index < count))
    invalidInput('index', index, `the index of one of the ${count} pairs`);
  const pair = pairs.slice(2 * index, 2 * index + 2);
  const answering = tester[query](given as never, pairs, asked as never) as Promise<Iterable<PairItem>>;
  // The arrays of a handle may be written as soon as this returns.
  const poses = Array.from(pair, (body) => poseOf(body, arrays as Partial<Arrays>));
  const described = Array.from(pair, (body) => describe(shapes[bodies.shapes[body]]!, dimension));
  const answer = await answering;
  const items: unknown[] = [];
  for (const item of answer) {
    if (item.pair > index) break;
    if (item.pair === index) items.push(toCaptureItem(item));
  }
  const listsParts = parts === 'all' || 'partA' in answer;
  return {
    version: 1,
    dimension,
    query,
    algorithm,
    shapes: described,
    poses,
    float64Positions: bodies.positions instanceof Float64Array,
    options: optionsOf(options),
    result: listsParts ? items : items[0],
    backend: tester.backend,
    adapter: { ...tester.adapter },
  } as unknown as Capture;
}

const OPTIONS = namesOf<CapturedOptions>({
  mprDepth: true,
  margin: true,
  bounds: true,
  parts: true,
  escalate: true,
  duration: true,
  stopAtPenetration: true,
});

function optionsOf(given: object): CapturedOptions {
  const kept = Object.entries(given).filter(([name, value]) => OPTIONS.has(name) && value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, toCaptureItem(value)]));
}

function describe(shape: ShapeBase, dimension: 2 | 3): unknown {
  return dimension === 3 ? describeShape(shape as ShapeData) : describePlanarShape(shape as PlanarShapeData);
}

/** The arrays of bodies in 3-D and in 2-D. */
type Arrays = Record<
  'positions' | 'quaternions' | 'angles' | 'scales' | 'matrices' | keyof AnyVelocities,
  Float32Array | Float64Array
> & { shapes: Uint32Array };

/** The numbers of one body. Velocities may be wrong, as most queries don't read them. */
function poseOf(body: number, arrays: Partial<Arrays>): Record<string, unknown> {
  const pose: Record<string, unknown> = {};
  for (const [name, list] of POSE_FIELDS) {
    const array = arrays[list];
    const width = (array?.length ?? 0) / arrays.shapes!.length;
    if (!ArrayBuffer.isView(array) || !Number.isInteger(width) || width === 0) continue;
    const numbers = Array.from(array.subarray(width * body, width * (body + 1)));
    if (!numbers.every(Number.isFinite)) continue;
    pose[name] = width === 1 ? numbers[0] + 0 : toList(numbers);
  }
  return pose;
}
