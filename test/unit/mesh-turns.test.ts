/** Queries over one pair of large meshes: the event loop gets its turns, a signal ends them, and the answers are the same. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTester, type Tester } from '../../src/index.ts';
import { TURN_MS } from '../../src/util/turns.ts';
import { createRandom } from '../../verification/families/random.ts';
import { isMarked, markedTarget } from '../helpers/abort.ts';
import { makeIcosphere, makeSheet, MESH_FAMILIES } from '../helpers/meshes.ts';

const PAIR = Uint32Array.of(0, 1);
/** From the middle of a mesh, whose triangles it meets at nearly the same time. */
const ONE_RAY = { origins: new Float32Array(3), directions: Float32Array.of(1e-3, 0, 0), radii: Float32Array.of(0.5) };

/** How often the clock is read before a search has worked for `TURN_MS`, and once more after the turn. */
const READINGS = 5;

let tester: Tester;
const shapes: Record<string, number> = {};
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
  const soup = MESH_FAMILIES['a soup of small triangles'];
  const meshes = {
    soup: soup(2000, createRandom(1)),
    other: soup(2000, createRandom(2)),
    sphere: makeIcosphere(3),
    inner: makeIcosphere(3, 0.97),
    fine: makeIcosphere(5),
    floor: makeSheet(60, () => 0),
  };
  for (const [name, mesh] of Object.entries(meshes)) shapes[name] = tester.addShape({ type: 'mesh', ...mesh });
  shapes.crate = tester.addShape({ type: 'box', halfExtents: [0.5, 0.2, 0.4] });
  // Code is loaded and trees are built, which has turns of its own.
  for (const [a, b] of [
    ['soup', 'other'],
    ['sphere', 'inner'],
    ['fine', 'sphere'],
  ] as const)
    for (const query of Object.values(queries)) await query(bodiesOf(a, b, 50), {});
  await queries.contacts(bodiesOf('floor', 'crate', 50), {});
});
afterAll(() => tester.dispose());

const bodiesOf = (a: string, b: string, distance: number) => ({
  shapes: Uint32Array.of(shapes[a], shapes[b]),
  positions: Float32Array.of(0, 0, 0, distance, 0, 0),
  quaternions: Float32Array.of(0, 0, 0, 1, 0.1, 0.2, 0.3, 0.9),
  linearVelocities: new Float32Array(6),
  angularVelocities: Float32Array.of(0.5, 1, 2, -1, 2, 0.3),
});

type Bodies = ReturnType<typeof bodiesOf>;
type Options = { signal?: AbortSignal; target?: never };

const queries = {
  intersects: (bodies: Bodies, options: Options) => tester.intersects(bodies, PAIR, { ...options, margin: 0.1 }),
  distances: (bodies: Bodies, options: Options) => tester.distances(bodies, PAIR, options),
  contacts: (bodies: Bodies, options: Options) => tester.contacts(bodies, PAIR, options),
  'contacts of parts': (bodies: Bodies, options: Options) =>
    tester.contacts(bodies, PAIR, { ...options, parts: 'all' }),
  manifolds: (bodies: Bodies, options: Options) => tester.manifolds(bodies, PAIR, options),
  impacts: (bodies: Bodies, options: Options) => tester.impacts(bodies, PAIR, { ...options, duration: 0.25 }),
  trianglePairs: (bodies: Bodies, options: Options) => tester.trianglePairs(bodies, PAIR, options),
  'rayCasts with radii': (bodies: Bodies, options: Options) => tester.rayCasts(bodies, ONE_RAY, options),
};

/** Queries, and two meshes for which they take long. */
const cases: [keyof typeof queries, string, string, number][] = [
  ['intersects', 'sphere', 'inner', 0],
  ['distances', 'sphere', 'inner', 0],
  ['contacts', 'soup', 'other', 0],
  ['contacts of parts', 'soup', 'other', 0.3],
  ['manifolds', 'soup', 'other', 0.3],
  ['contacts', 'floor', 'crate', 0],
  ['contacts of parts', 'floor', 'crate', 0],
  ['manifolds', 'floor', 'crate', 0],
  ['impacts', 'sphere', 'inner', 0],
  ['trianglePairs', 'soup', 'other', 0],
  ['rayCasts with radii', 'fine', 'sphere', 50],
];

const arrays = (result: object): unknown =>
  Object.fromEntries(Object.entries(result).filter(([, value]) => typeof value !== 'function'));

/** Calls `use` in every turn of the event loop until it says `false`. */
function everyTurn(use: () => boolean): void {
  setImmediate(() => {
    if (use()) everyTurn(use);
  });
}

describe.each(cases)('%s of one pair', (name, a, b, distance) => {
  /** A clock that advances with every reading: the number of turns depends on the work and not on the machine. */
  let readings = 0;
  let perReading = 0;
  beforeEach(() => {
    readings = 0;
    perReading = TURN_MS / (READINGS - 1);
    vi.spyOn(performance, 'now').mockImplementation(() => ++readings * perReading);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('others get their turns, and the answer is that of a search in one go', async () => {
    const bodies = bodiesOf(a, b, distance);
    let turns = 0;
    let isOver = false;
    everyTurn(() => ++turns > 0 && !isOver);
    const found = await queries[name](bodies, {});
    isOver = true;
    // Each covers 2^14 steps or less at a time, four times.
    const { boxTests, partTests } = tester.timings.tree!;
    expect(turns).toBeGreaterThan((8 * (boxTests + 16 * partTests)) / 2 ** 14 / 8);
    expect(turns).toBeGreaterThan(3);
    perReading = 0;
    expect(arrays(await queries[name](bodies, {}))).toEqual(arrays(found));
  });

  test('an abort ends it with ABORTED in the same turn, and nothing is written', async () => {
    const bodies = bodiesOf(a, b, distance);
    const target = markedTarget(await queries[name](bodies, {}));
    for (const turn of [1, 3]) {
      const controller = new AbortController();
      let turns = 0;
      readings = 0;
      everyTurn(() => {
        if (++turns === turn) controller.abort();
        return turns < turn;
      });
      const search = queries[name](bodies, { signal: controller.signal, target: target as never });
      await expect(search).rejects.toMatchObject({ code: 'ABORTED' });
      // The next query begins when this one has ended.
      await tester.intersects(bodiesOf('sphere', 'inner', 50), PAIR);
      expect(turns).toBe(turn);
      expect(readings).toBeLessThan((turn + 3) * READINGS + 10);
      expect(isMarked(target)).toBe(true);
    }
  });
});
