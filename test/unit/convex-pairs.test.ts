/** Pairs of convex bodies among others: which a backend is asked for, and what becomes of its answers. */
import { expect, test } from 'vitest';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { answerConvexPairs, CONVEX_BLOCK } from '../../src/parts/convex-pairs.ts';
import type { Answers } from '../../src/parts/pair-answers.ts';
import type { QueryRequest, QuerySink } from '../../src/request/backend.ts';

const RANGE = 2 ** 16;
/** More than a block. */
const COUNT = CONVEX_BLOCK + RANGE + 5;
/** Pairs per chunk of the backend, which uses its memory again. */
const CHUNK = 10_007;

const { words } = dimension3.records.sizes.intersects;
const isConvex = (pair: number): boolean => pair % 3 !== 0;

/** Pair i is of bodies 2 i and 2 i + 1. A third of the pairs have a mesh. */
function requestOfPairs(): QueryRequest {
  const shapes = Uint32Array.from({ length: 2 * COUNT }, (_, body) => (isConvex(body >> 1) ? 0 : body % 2));
  const table = [{}, { parts: { type: 'mesh' } }];
  return {
    what: { query: 'intersects', leadStage: 'sat', margin: 0 },
    over: {
      dimension: dimension3,
      shapes: { shapes: table },
      bodies: { shapes },
      pairs: Uint32Array.from({ length: 2 * COUNT }, (_, i) => i),
    },
    form: { type: 'records', slots: 'hits' },
  } as never;
}

/** Answers each pair by its first body. */
function answerByBodies(asked: number[]) {
  const memory = new Uint32Array(words * CHUNK);
  return async ({ over: { pairs }, form }: QueryRequest, sink: QuerySink): Promise<void> => {
    expect(form).toEqual({ type: 'records', slots: 'all' });
    const count = pairs.length / 2;
    asked.push(count);
    for (let first = 0; first < count; first += CHUNK) {
      const recordCount = Math.min(CHUNK, count - first);
      for (let i = 0; i < recordCount; i++) memory[words * i] = pairs[2 * (first + i)];
      sink.write({ firstPair: first, recordCount, records: memory.buffer });
    }
    memory.fill(0);
  };
}

test('each range gets the answers of its own pairs, over several blocks and chunks', async () => {
  const request = requestOfPairs();
  const asked: number[] = [];
  let taken = 0;
  for (let first = 0; first < COUNT; first += CONVEX_BLOCK) {
    const convex = await answerConvexPairs({ run: answerByBodies(asked) }, request, first, () => {});
    for (let from = first; from < Math.min(first + CONVEX_BLOCK, COUNT); from += RANGE) {
      const end = Math.min(from + RANGE, COUNT);
      const answers = {
        // eslint-disable-next-line require-yield -- It waits for nothing.
        *take(chunk, candidates) {
          const records = new Uint32Array(chunk.records);
          expect(records).toHaveLength(words * chunk.recordCount);
          for (let i = 0; i < chunk.recordCount; i++) {
            const pair = candidates.pairs[chunk.firstPair + i];
            if (!(pair >= from && pair < end && isConvex(pair) && records[words * i] === 2 * pair))
              expect.fail(`pair ${pair} of ${from} to ${end}: ${records[words * i]}`);
            taken++;
          }
        },
      } as Partial<Answers> as Answers;
      expect([...convex!.put(answers, from, end)]).toEqual([]);
      for (let pair = from; pair < end; pair++) if (convex!.has(pair) !== isConvex(pair)) expect.fail(`pair ${pair}`);
    }
  }
  const all = Array.from({ length: COUNT }, (_, pair) => pair).filter(isConvex).length;
  expect([taken, asked.length, asked[0] + asked[1]]).toEqual([all, 2, all]);
});

test('without such pairs the backend is not asked', async () => {
  const request = requestOfPairs();
  (request.over.bodies.shapes as Uint32Array).fill(1);
  const run = answerByBodies([]);
  expect(await answerConvexPairs({ run }, request, 0, () => {})).toBeUndefined();
});
