/** Runs in the page: queries of the built package on WebGPU against its double-precision CPU backend, on seeded families. */

import type * as Narrowphase from '../../src/index.ts';
import type { Bodies, Contacts, Distances, Intersections, Tester } from '../../src/types.ts';
import { makeFamily } from '../families.ts';
import type { FamilyName } from '../families.ts';
import { shapeCores } from '../family.ts';
import type { Family } from '../family.ts';
import { marginOf } from './cases.ts';
import type { QueryCase } from './cases.ts';
import { judgeBounds, judgeDistance, judgeIntersection } from './judge.ts';
import type { Known, Tolerance } from './judge.ts';

// In a variable, so that the bundler leaves it to the page's import map.
const packageName = 'narrowphase';
const { createTester }: typeof Narrowphase = await import(/* @vite-ignore */ packageName);

type Answer = Intersections | Distances | Contacts;

export interface Comparison {
  backend: string;
  adapter: string;
  pairs: number;
  /** Pairs whose reference distance is 0 or less. */
  overlapping: number;
  /** Faults in all, and the first few in words. */
  faultCount: number;
  faults: string[];
  /** Largest |distance - reference| as a share of max(s, |B - A|), over distances that are no lower bounds. */
  worst: number;
  /** Whole call, and of that what WebGPU spent on compiling and in kernels; the reference. */
  seconds: { webgpu: number; compile: number; kernels: number; cpu: number };
}

/** A family in a tester of each backend, with the reference's distances. */
interface Subject {
  tester: Tester;
  bodies: Bodies;
  pairs: Uint32Array;
  known: Known[];
  cpuSeconds: number;
}

/** `contacts` with the default algorithm and an infinite margin. */
export async function compareContacts(name: FamilyName, count: number, seed: number, tolerance: Tolerance): Promise<Comparison> {
  const { comparison } = await withSubject(name, count, seed, (subject) =>
    compare(subject, { query: 'contacts', algorithm: 'auto', margin: Infinity }, tolerance),
  );
  return comparison;
}

/** Each case with `results: 'all'`, judged by the reference, and with `'hits'`, which must be the hits' rows of it. */
export function compareQueries(name: FamilyName, count: number, seed: number, cases: QueryCase[], tolerance: Tolerance): Promise<Comparison[]> {
  return withSubject(name, count, seed, async (subject) => {
    const comparisons: Comparison[] = [];
    for (const queryCase of cases) {
      const { comparison, answer } = await compare(subject, queryCase, tolerance);
      const faults = differencesOfHits(answer, await ask(subject, queryCase, 'hits'), marginOf(queryCase));
      comparison.faultCount += faults.length;
      comparison.faults = [...comparison.faults, ...faults].slice(0, 5);
      comparisons.push(comparison);
    }
    return comparisons;
  });
}

async function withSubject<Result>(name: FamilyName, count: number, seed: number, use: (subject: Subject) => Promise<Result>): Promise<Result> {
  const family = makeFamily(name, count, seed);
  const { shapes, bodies, pairs } = family;
  const [webgpu, cpu] = [await createTester({ backend: 'webgpu' }), await createTester({ backend: 'cpu' })];
  try {
    // Added to fresh testers, their ids are the family's indices.
    for (const tester of [webgpu, cpu]) for (const shape of shapes) tester.addShape(shape);
    const start = performance.now();
    const { distance } = await cpu.contacts(bodies, pairs, { margin: Infinity });
    const cpuSeconds = (performance.now() - start) / 1000;
    const { extents } = shapeCores(shapes);
    const known = Array.from(distance, (truth, pair) => ({ truth, size: pairSize(family, extents, pair) }));
    return await use({ tester: webgpu, bodies, pairs, known, cpuSeconds });
  } finally {
    webgpu.dispose();
    cpu.dispose();
  }
}

function ask({ tester, bodies, pairs }: Subject, { query, algorithm, margin }: QueryCase, results: 'all' | 'hits'): Promise<Answer> {
  const options = { algorithm, margin, results, ...(query === 'contacts' && { bounds: true }) };
  return tester[query](bodies, pairs, options);
}

async function compare(subject: Subject, queryCase: QueryCase, tolerance: Tolerance): Promise<{ comparison: Comparison; answer: Answer }> {
  const { tester, known, cpuSeconds } = subject;
  const start = performance.now();
  const answer = await ask(subject, queryCase, 'all');
  const seconds = (performance.now() - start) / 1000;
  const faults: string[] = [];
  let faultCount = 0;
  let worst = 0;
  known.forEach(({ truth, size }, pair) => {
    const found = judge(answer, queryCase, pair, known[pair], tolerance);
    if (answer.pair[pair] !== pair) found.push(`slot ${pair} is of pair ${answer.pair[pair]}`);
    if ('distance' in answer && truth <= marginOf(queryCase) && (truth > 0 || queryCase.query === 'contacts')) {
      worst = Math.max(worst, Math.abs(answer.distance[pair] - truth) / size);
    }
    faultCount += found.length;
    if (faults.length < 5) faults.push(...found.map((fault) => `pair ${pair}: ${fault}`));
  });
  const { vendor, architecture, description } = tester.adapter;
  const { compile, kernels } = tester.timings;
  const comparison: Comparison = {
    backend: tester.backend,
    adapter: [vendor, architecture, description].filter(Boolean).join(' '),
    pairs: answer.count,
    overlapping: known.reduce((sum, { truth }) => sum + (truth <= 0 ? 1 : 0), 0),
    faultCount,
    faults,
    worst,
    seconds: { webgpu: seconds, compile: compile / 1000, kernels: kernels / 1000, cpu: cpuSeconds },
  };
  return { comparison, answer };
}

function judge(answer: Answer, queryCase: QueryCase, pair: number, known: Known, tolerance: Tolerance): string[] {
  const margin = marginOf(queryCase);
  switch (queryCase.query) {
    case 'intersects':
      return judgeIntersection(answer as Intersections, pair, margin, known, tolerance);
    case 'distances':
      return judgeDistance(answer as Distances, false, pair, margin, known, tolerance);
    case 'contacts':
      return [
        ...judgeDistance(answer as Contacts, true, pair, margin, known, tolerance),
        ...judgeBounds(answer as Contacts, pair, known, tolerance),
      ];
  }
}

/** Where `hits` is something else than the hits' rows of `all`, bit for bit. */
function differencesOfHits(all: Answer, hits: Answer, margin: number): string[] {
  const expected = Array.from(all.pair).filter((pair) => ('hit' in all ? all.hit[pair] === 1 : all.distance[pair] <= margin));
  if (expected.length !== hits.count || expected.some((pair, slot) => hits.pair[slot] !== pair)) {
    return [`${hits.count} hits, expected ${expected.length}, or other pairs`];
  }
  const faults: string[] = [];
  if (String(all.statusCounts) !== String(hits.statusCounts)) faults.push(`statuses of hits ${hits.statusCounts}, of all ${all.statusCounts}`);
  const columns = all as unknown as Record<string, Float32Array>;
  for (const [name, column] of Object.entries(hits)) {
    if (!ArrayBuffer.isView(column)) continue;
    const values = column as Float32Array;
    const width = values.length / hits.count;
    const isSame = values.every((value, i) => Object.is(value, columns[name][width * hits.pair[Math.floor(i / width)] + (i % width)]));
    if (!isSame) faults.push(`${name} of hits differs from ${name} of all`);
  }
  return faults;
}

/** max(s, |B - A|) of a pair; `extents` holds each shape's bounding radius. */
function pairSize({ bodies: { shapes, positions }, pairs }: Family, extents: number[], pair: number): number {
  const [a, b] = pairs.subarray(2 * pair);
  const apart = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * b + axis] - positions[3 * a + axis]));
  return Math.max(extents[shapes[a]] + extents[shapes[b]], apart);
}
