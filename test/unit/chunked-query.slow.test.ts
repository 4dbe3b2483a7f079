import { describe, expect, test } from 'vitest';
import type { Answer, Engine, Question } from '../../verification/engines/engine.ts';
import { askInChunks, collectChunks } from '../../cli/chunked-query.ts';
import type { Chunk } from '../../cli/chunked-query.ts';

/** What is true of a pair depends on its bodies alone: a third of the pairs are hits. */
function answerTo({ pairs, results }: Question): Answer {
  const all = Array.from({ length: pairs.length / 2 }, (_, pair) => pair);
  const isHit = (pair: number) => (pairs[2 * pair] + pairs[2 * pair + 1]) % 3 === 0;
  const listed = results === 'hits' ? all.filter(isHit) : all;
  const hits = all.filter(isHit).length;
  return {
    count: listed.length,
    pair: Uint32Array.from(listed),
    status: Uint8Array.from(listed, (pair) => (isHit(pair) ? 1 : 0)),
    statusCounts: [all.length - hits, hits, 0, 0, 0],
    distance: Float32Array.from(listed, (pair) => pairs[2 * pair] - pairs[2 * pair + 1]),
    normal: Float32Array.from(listed.flatMap((pair) => [pairs[2 * pair], 0, 1])),
    pointA: Float64Array.from(listed.flatMap((pair) => [0.1, pairs[2 * pair + 1], 2])),
    iterations: Uint16Array.from(listed, () => 3),
  };
}

/** An engine that takes `ms(pairs)` for a chunk, and remembers the sizes of its chunks. */
function fakeEngine(ms: (pairs: number) => number): Engine & { sizes: number[] } {
  const sizes: number[] = [];
  return {
    sizes,
    facts: {
      name: 'cpu',
      backend: 'cpu',
      runtime: '',
      adapter: { vendor: '', architecture: '', description: '', isSoftware: true },
    },
    adapter: null,
    async load() {},
    async ask(question) {
      const count = question.pairs.length / 2;
      sizes.push(count);
      // The first chunk compiles for ten seconds, which is no measure of the speed.
      const compile = sizes.length === 1 ? 10_000 : 0;
      return {
        answer: answerTo(question),
        timings: { total: compile + ms(count), compile, kernels: ms(count), readBack: 1 },
      };
    },
    async impacts() {
      throw new Error('chunks are not asked for impacts');
    },
    async close() {},
  };
}

const pairs = (count: number): Uint32Array => Uint32Array.from({ length: 2 * count }, (_, i) => (i * 7919) % 10_007);

describe.each(['hits', 'all'] as const)('results: %s', (results) => {
  const question: Question = { query: 'contacts', pairs: pairs(40_000), results };
  const whole = answerTo(question);

  test.each([
    ['a fast engine', () => 1],
    ['a slow engine', (n: number) => n / 4],
    ['an engine of no measurable speed', () => 0],
    ['an engine of changing speed', (n: number) => (n % 3) * n],
  ])('%s gives the answer of one chunk', async (_, ms) => {
    const engine = fakeEngine(ms);
    const { answer } = await collectChunks(askInChunks(engine, question));
    expect(engine.sizes.length).toBeGreaterThan(1);
    expect(engine.sizes.reduce((sum, size) => sum + size, 0)).toBe(40_000);
    expect(answer).toEqual(whole);
  });

  test('ranges next to each other give together what the whole gives', async () => {
    const parts = [
      [0, 13_333],
      [13_333, 13_333],
      [13_333, 36_000],
      [36_000, 40_000],
    ];
    const found: number[] = [];
    let count = 0;
    for (const [first, end] of parts) {
      const { answer } = await collectChunks(
        askInChunks(
          fakeEngine((n) => n / 50),
          question,
          { first, end },
        ),
      );
      found.push(...answer.pair);
      count += answer.statusCounts[1];
    }
    expect(found).toEqual([...whole.pair]);
    expect(count).toBe(whole.statusCounts[1]);
  });
});

/** Asks about so many pairs; what the engine was asked, and what was heard of it. */
async function ask(count: number, ms: (pairs: number) => number) {
  const engine = fakeEngine(ms);
  const heard: Chunk[] = [];
  const question: Question = { query: 'contacts', pairs: pairs(count), results: 'hits' };
  const { timings } = await collectChunks(askInChunks(engine, question), (chunk) => heard.push(chunk));
  return { sizes: engine.sizes, heard, timings };
}

describe('chunks', () => {
  test('grow fourfold at most, up to 262,144 pairs, where the engine is fast', async () => {
    const { sizes } = await ask(1_000_000, () => 1);
    expect(sizes.slice(0, 4)).toEqual([16_384, 65_536, 262_144, 262_144]);
  });

  test('shrink to what takes a second, and to no fewer than 256 pairs', async () => {
    expect((await ask(60_000, (n) => n)).sizes.slice(0, 3)).toEqual([16_384, 1000, 1000]);
    expect((await ask(30_000, (n) => 1000 * n)).sizes.slice(0, 3)).toEqual([16_384, 256, 256]);
  });

  test('are heard of one after the other, without gaps, and their times add up', async () => {
    const { sizes, heard, timings } = await ask(100_000, (n) => n / 20);
    expect(heard.map(({ first, end }) => end - first)).toEqual(sizes);
    heard.forEach(({ first }, i) => expect(first).toBe(i === 0 ? 0 : heard[i - 1].end));
    expect(heard.at(-1)!.end).toBe(100_000);
    expect(timings.compile).toBe(10_000);
    expect(timings.kernels).toBeCloseTo(5000, 6);
    expect(timings.readBack).toBe(sizes.length);
    expect(timings.total).toBeCloseTo(15_000, 6);
  });

  test('an empty question is asked once, and its answer has the arrays of its query', async () => {
    const engine = fakeEngine(() => 1);
    const question: Question = { query: 'contacts', pairs: pairs(10), results: 'hits' };
    for (const range of [
      { first: 0, end: 0 },
      { first: 10, end: 10 },
    ]) {
      const { answer } = await collectChunks(askInChunks(engine, question, range));
      expect(answer).toEqual(answerTo({ ...question, pairs: new Uint32Array(0) }));
    }
    expect(engine.sizes).toEqual([0, 0]);
  });
});
