/** Answers of two testers for compounds and meshes, side by side. For tests in Node and in browsers' pages. */
import type { Tester } from '../../src/api/types.ts';
import { makePartsScene } from '../../verification/families/parts-scene.ts';

export interface PartsComparison {
  /** Slots of all queries. */
  answers: number;
  /** Slots with a status of overlap. */
  overlaps: number;
  faults: string[];
}

/** Shapes are at most about 4 units, and curved shapes are among them: their tolerance is 1e-4 of that. */
const TOLERANCE = 1e-3;

/** Times of impact are as far off as distances divided by the least speeds. */
const TIME_TOLERANCE = 2e-2;

export async function compareParts(found: Tester, expected: Tester, seed: number): Promise<PartsComparison> {
  const { shapes, bodies, pairs } = makePartsScene(seed, 150, 800);
  for (const shape of shapes) for (const tester of [found, expected]) tester.addShape(shape);
  const to: PartsComparison = { answers: 0, overlaps: 0, faults: [] };
  const fault = (text: string): void => {
    if (to.faults.length < 20) to.faults.push(text);
  };
  type Answers = { count: number; pair: Uint32Array; status: Uint8Array; partA?: Uint32Array; partB?: Uint32Array };
  const compare = <Result extends Answers>(
    name: string,
    a: Result,
    b: Result,
    numbersOf: (from: Result) => Float32Array,
  ): void => {
    // Pairs of parts that hardly touch may be listed by one of them only.
    const keyOf = (from: Result, i: number): string =>
      `${from.pair[i]} ${from.partA?.[i] ?? 0} ${from.partB?.[i] ?? 0}`;
    const slots = new Map(Array.from({ length: b.count }, (_, i) => [keyOf(b, i), i]));
    let alone = Math.abs(a.count - b.count);
    const [x, y] = [numbersOf(a), numbersOf(b)];
    for (let i = 0; i < a.count; i++) {
      to.answers++;
      if (a.status[i] === 1) to.overlaps++;
      const j = slots.get(keyOf(a, i));
      if (j === undefined) {
        alone++;
        continue;
      }
      const tolerance = name.startsWith('impacts') ? TIME_TOLERANCE : TOLERANCE;
      // Beyond the margin, distances are bounds.
      const isBound = x[i] > 0.5 && y[j] > 0.5 && name.startsWith('contacts');
      if (x[i] !== y[j] && !isBound && !(Math.abs(x[i] - y[j]) <= tolerance))
        fault(`${name} ${keyOf(a, i)}: ${x[i]}, ${y[j]}`);
      if (a.status[i] !== b.status[j] && !(Math.abs(x[i]) < tolerance))
        fault(`${name} ${keyOf(a, i)}: status ${a.status[i]}`);
    }
    if (alone > 2 + 0.01 * b.count) fault(`${name}: ${alone} of ${b.count} in one list only`);
  };
  const margin = 0.5;
  compare(
    'distances',
    await found.distances(bodies, pairs),
    await expected.distances(bodies, pairs),
    (r) => r.distance,
  );
  compare(
    'contacts',
    await found.contacts(bodies, pairs, { margin }),
    await expected.contacts(bodies, pairs, { margin }),
    (r) => r.distance,
  );
  compare(
    'contacts of parts',
    await found.contacts(bodies, pairs, { parts: 'all' }),
    await expected.contacts(bodies, pairs, { parts: 'all' }),
    (r) => r.distance,
  );
  compare(
    'manifolds',
    await found.manifolds(bodies, pairs),
    await expected.manifolds(bodies, pairs),
    (r) => r.contactDistance,
  );
  const resting = { ...bodies, angularVelocities: undefined };
  for (const [name, moving] of Object.entries({ impacts: resting, 'impacts of rotating bodies': bodies })) {
    const options = { duration: 1 };
    const [a, b] = [await found.impacts(moving, pairs, options), await expected.impacts(moving, pairs, options)];
    compare(name, a, b, (r) => r.time);
  }
  const meshes = pairs.filter((_, i) =>
    [pairs[i & ~1], pairs[i | 1]].every((body) => shapes[bodies.shapes[body]].type === 'mesh'),
  );
  const [a, b] = [await found.trianglePairs(bodies, meshes), await expected.trianglePairs(bodies, meshes)];
  to.answers += a.count;
  const lists = [a, b].map((list) =>
    Array.from(list, (item) => `${item.pair} ${item.triangleA} ${item.triangleB}`).join(),
  );
  if (lists[0] !== lists[1]) fault(`trianglePairs: ${a.count} and ${b.count}`);
  return to;
}
