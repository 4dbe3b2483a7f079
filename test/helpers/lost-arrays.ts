/** Queries whose caller transfers or shrinks the memory of an array before their promise settles. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { afterMicrotasks, isMarked, markedTarget } from './abort.ts';
import { manyRays } from './many-rays.ts';
import { detached, type Numbers } from './memory.ts';

interface AnyTester {
  addShape(description: object): number;
  dispose(): void;
}
type Query =
  'intersects' | 'distances' | 'contacts' | 'manifolds' | 'impacts' | 'rayCasts' | 'findPairs' | 'trianglePairs';
type AskingTester = Record<Query, (...given: unknown[]) => Promise<object>>;

/** Bodies by their arrays, and what else a query reads. */
interface Given {
  bodies: Record<string, Numbers>;
  pairs?: Numbers;
  rays?: Record<string, Numbers>;
}

interface Resizable extends ArrayBuffer {
  resize(bytes: number): void;
}
const resizable = (bytes: number): Resizable =>
  new (ArrayBuffer as unknown as new (bytes: number, options: object) => Resizable)(bytes, {
    maxByteLength: 2 * bytes,
  });

type Copy = new (memory: ArrayBufferLike, offset?: number, length?: number) => Numbers;
const copied = (array: Numbers, memory: ArrayBufferLike, ...place: number[]): Numbers => {
  const copy = new (array.constructor as Copy)(memory, ...place);
  copy.set(array);
  return copy;
};

/** How an array gets the memory that it loses, and how it loses it. */
const ways: readonly { copy(array: Numbers): Numbers; lose(array: Numbers): void }[] = [
  { copy: (array) => array.slice(), lose: (array) => void detached(array) },
  {
    copy: (array) => copied(array, resizable(array.byteLength), 0, array.length),
    lose: ({ buffer, byteLength }) => (buffer as Resizable).resize(byteLength - 1),
  },
  // The length of the array follows that of its memory.
  {
    copy: (array) => copied(array, resizable(array.byteLength)),
    lose: ({ buffer, byteLength, BYTES_PER_ELEMENT }) => (buffer as Resizable).resize(byteLength - BYTES_PER_ELEMENT),
  },
];

/** Each typed array in `value`, with its field. */
function arraysIn(value: object, path = ''): [field: string, array: Numbers][] {
  return Object.entries(value).flatMap(([name, item]): [string, Numbers][] => {
    const field = path === '' ? name : `${path}.${name}`;
    if (ArrayBuffer.isView(item)) return [[field, item as Numbers]];
    return typeof item === 'object' && item !== null ? arraysIn(item, field) : [];
  });
}

function mapArrays<T>(value: T, change: (array: Numbers) => Numbers): T {
  if (ArrayBuffer.isView(value)) return change(value as unknown as Numbers) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapArrays(item, change)])) as T;
}

const numbers = (...values: number[]): Float32Array => Float32Array.from(values);
const pairs = Uint32Array.of(0, 1, 1, 2);
const filters = { groups: new Uint32Array(3).fill(0xffff_ffff), fixed: new Uint8Array(3) };

/** Three bodies in a row that overlap, in space and in the plane; bodies 0 and 1 are equal. */
const scenes = {
  3: {
    shapes: [
      { type: 'box', halfExtents: [1, 1, 1] },
      { type: 'mesh', positions: [0, 0, 0, 2, 0, 0, 0, 2, 0], indices: [0, 1, 2] },
    ],
    bodies: {
      shapes: new Uint32Array(3),
      positions: numbers(0, 0, 0, 1.5, 0, 0, 3, 0, 0),
      quaternions: numbers(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      scales: numbers(1, 1, 1),
    },
    velocities: { linearVelocities: new Float32Array(9), angularVelocities: new Float32Array(9) },
    rays: manyRays(3, {
      origins: numbers(-5, 0, 0, 0, 5, 0),
      directions: numbers(1, 0, 0, 0, -1, 0),
      maxTimes: numbers(9, 9),
      radii: numbers(0, 0),
      groups: new Uint32Array(2).fill(0xffff_ffff),
    }),
  },
  2: {
    shapes: [{ type: 'rectangle', halfExtents: [1, 1] }],
    bodies: {
      shapes: new Uint32Array(3),
      positions: numbers(0, 0, 1.5, 0, 3, 0),
      angles: new Float32Array(3),
      scales: numbers(1, 1, 1),
    },
    velocities: { linearVelocities: new Float32Array(6), angularVelocities: new Float32Array(3) },
    rays: manyRays(2, {
      origins: numbers(-5, 0, 0, 5),
      directions: numbers(1, 0, 0, -1),
      maxTimes: numbers(9, 9),
      radii: numbers(0, 0),
      groups: new Uint32Array(2).fill(0xffff_ffff),
    }),
  },
};

type Ask = [what: string, given: Given, ask: (tester: AskingTester, given: Given, target?: object) => Promise<object>];

const overPairs = (query: Query, given: Given, options: object = {}): Ask => [
  `${query} ${JSON.stringify(options)}`,
  given,
  (tester, { bodies: own, pairs: asked }, target) => tester[query](own, asked, { ...options, target }),
];

function queriesIn(dimension: 2 | 3): Ask[] {
  const { bodies, velocities, rays } = scenes[dimension];
  const still = { bodies, pairs };
  const moving = { bodies: { ...bodies, ...velocities }, pairs };
  const meshes = { bodies: { ...bodies, shapes: new Uint32Array(3).fill(1) }, pairs };
  return [
    ...(['intersects', 'distances', 'contacts', 'manifolds'] as const).map((query) => overPairs(query, still)),
    overPairs('contacts', still, { results: 'hits' }),
    overPairs('impacts', moving, { duration: 1 }),
    overPairs('impacts', moving, { duration: 1, results: 'earliest' }),
    [
      'rayCasts',
      { bodies: { ...bodies, groups: filters.groups }, rays },
      (tester, given, target) => tester.rayCasts(given.bodies, given.rays, { target }),
    ],
    [
      'findPairs',
      { bodies: { ...moving.bodies, ...filters } },
      (tester, given) => tester.findPairs(given.bodies, { duration: 1 }),
    ],
    ...(dimension === 3 ? [overPairs('contacts', meshes), overPairs('trianglePairs', meshes)] : []),
  ];
}

/** The tests of a backend, for all queries or some. Arrays that are lost before the call are the subject of other tests. */
export function testLostArrays(open: (dimension: 2 | 3) => Promise<AnyTester>, of = /./): void {
  describe.each([3, 2] as const)('in %d-D', (dimension) => {
    const queries = queriesIn(dimension).filter(([what]) => of.test(what));
    let tester: AnyTester;
    let asking: AskingTester;
    beforeAll(async () => {
      tester = await open(dimension);
      for (const shape of scenes[dimension].shapes) tester.addShape(shape);
      asking = tester as unknown as AskingTester;
    });
    afterAll(() => tester?.dispose());

    test('memory that is transferred or shrinks is named, and nothing is written', async () => {
      let turn = 0;
      for (const [what, given, ask] of queries) {
        const expected = await ask(asking, given);
        const inputs = arraysIn(given);
        const outputs =
          what === 'findPairs' ? [] : arraysIn(markedTarget(expected)).filter(([name]) => name !== 'first');
        for (let i = 0; i < inputs.length + outputs.length; i++) {
          // At once, and while the answer is on its way.
          for (const moment of i === 0 || i === inputs.length ? [0, 4, 12, 40] : [0]) {
            const { copy, lose } = ways[turn++ % ways.length];
            const own = mapArrays(given, copy);
            const target = mapArrays(Object.fromEntries(outputs), copy);
            const fields = [...arraysIn(own), ...arraysIn(target, 'options.target')];
            const [field, array] = fields[i];
            const answer = ask(asking, own, what === 'findPairs' ? undefined : target).then(
              () => undefined,
              (error: { code?: string; message: string }) => error,
            );
            if (moment === 0) lose(array);
            else await afterMicrotasks(moment, () => lose(array));
            const error = await answer;
            const where = `${what}: ${field}, moment ${moment}`;
            if (!error && moment > 0) continue;
            expect(error, where).toMatchObject({
              code: 'INVALID_INPUT',
              message: expect.stringContaining(`${field} is `),
            });
            const others = Object.entries(target).filter(([, each]) => each !== array);
            expect(isMarked(Object.fromEntries(others)), where).toBe(true);
          }
        }
        // No query after that is worse for it.
        expect(await ask(asking, given), what).toEqual(expected);
      }
    });

    test('shared memory that grows meanwhile changes no answer', async () => {
      for (const [what, given, ask] of queries) {
        const expected = await ask(asking, given);
        const grown: { grow(bytes: number): void; byteLength: number }[] = [];
        const own = mapArrays(given, (array) => {
          const memory = new (
            SharedArrayBuffer as unknown as new (bytes: number, options: object) => SharedArrayBuffer
          )(array.byteLength, { maxByteLength: 4 * array.byteLength });
          grown.push(memory as never);
          return copied(array, memory);
        });
        const answer = ask(asking, own);
        for (const memory of grown) memory.grow(2 * memory.byteLength);
        expect(await answer, what).toEqual(expected);
      }
    });
  });
}
