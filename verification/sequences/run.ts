/**
 * Sequences of queries on one tester with the kernels of graphics cards, batches among them. A query finds in the buffers
 * what earlier ones left there, or words that look like it. Its answers have to be those that it gives on zeroed memory,
 * as a first query, and right by the double-precision reference.
 */

import { dim2 } from '../../src/dimension/dim2.ts';
import { dim3 } from '../../src/dimension/dim3.ts';
import { createTester } from '../../src/index.ts';
import type { Tester } from '../../src/api/types.ts';
import { below, createRandom, uniform, type Random } from '../families/random.ts';
import { shapesOf, spoil, type Block, type SequencesReport } from './block.ts';
import { makeFrames, type Frames } from './frames.ts';
import { openCardTester } from './card-tester.ts';
import { bitDifferences } from './compare.ts';
import { judgeAnswer, judgePairsFound, judgeRays } from './judge-answer.ts';
import type { Columns } from './judge-pairs.ts';
import { haveParts, makeRays, makeScene, makeShape, shapeTypes, withoutParts, type Axes, type Scene } from './scene.ts';
import { makeBatchWay, makeWay, marginOf, pick, QUERIES, TRIANGLE_WAY, type BatchWay, type Way } from './ways.ts';

export interface SequencesOptions {
  axes: Axes;
  seed: number;
  sequences: number;
  /** What the block is asked; default: chosen at random. */
  types?: readonly string[];
  ways?: readonly Way[];
  batches?: readonly BatchWay[];
  /** Told of each sequence before it begins. */
  onSequence?: (index: number) => void;
  onFinding?: (finding: string) => void;
}

/** Types of shape, ways of queries, and batches of a block of sequences. */
const TYPES = 4;
const WAYS = 6;
const BATCHES = 2;

/** Queries and frames of a sequence. */
const STEPS = 5;

/** Runs a block of sequences on one tester of each kind. */
export async function runSequences(options: SequencesOptions): Promise<SequencesReport> {
  const { axes, seed, sequences, onSequence, onFinding } = options;
  const random = createRandom(seed);
  const parts = axes === 3 ? dim3 : dim2;
  const card = await openCardTester(parts as typeof dim3);
  const cpu = (await createTester({ backend: 'cpu', dimension: axes, threads: 1 })) as Tester;
  const report: SequencesReport = { sequences: 0, queries: 0, frames: 0, asked: {}, findings: [] };
  let sequence = 0;
  const note: Block['note'] = (what, faults) => {
    for (const fault of faults.slice(0, 3)) {
      const finding = `seed ${seed}, sequence ${sequence}, ${what}: ${fault}`;
      report.findings.push(finding);
      onFinding?.(finding);
    }
  };
  const block: Block = { axes, random, card, cpu, shapes: [], report, note };
  const types = options.types ?? chooseTypes(axes, random);
  for (const type of [...types, ...types]) addShape(block, type);
  const chosenWays = (): Way[] => Array.from({ length: WAYS }, () => makeWay(axes, types, random));
  const ways = options.ways ?? [...chosenWays(), ...(types.includes('mesh') ? [TRIANGLE_WAY] : [])];
  const batchWays = options.batches ?? Array.from({ length: BATCHES }, () => makeBatchWay(axes, types, random));
  const batches: Frames[] = [];
  for (const way of batchWays) batches.push(await makeFrames(block, way));
  try {
    for (; sequence < sequences; sequence++) {
      onSequence?.(sequence);
      changeShape(block);
      for (let step = 0; step < STEPS; step++) {
        try {
          if (below(random, 4) === 0) await pick(random, batches).run();
          else await ask(block, pick(random, ways));
        } catch (error) {
          note(`step ${step}`, [(error as Error).stack ?? String(error)]);
        }
      }
      report.sequences++;
      note('device', card.errors.splice(0));
    }
  } finally {
    for (const batch of batches) batch.dispose();
    card.tester.dispose();
    cpu.dispose();
  }
  return report;
}

/** Types of a block. The first is bounded and convex. */
function chooseTypes(axes: Axes, random: Random): string[] {
  const all = shapeTypes(axes);
  const chosen = new Set([
    pick(
      random,
      withoutParts(all).filter((type) => type !== 'halfspace'),
    ),
  ]);
  while (chosen.size < Math.min(TYPES, all.length - 1)) chosen.add(pick(random, all));
  return [...chosen];
}

function addShape({ axes, random, card, cpu, shapes }: Block, type: string): void {
  const description = makeShape(axes, type, random);
  const id = card.tester.addShape(description as never);
  cpu.addShape(description as never);
  shapes.push({ id, type, description });
}

/** Replaces a shape by another of its type, now and then. */
function changeShape(block: Block): void {
  const { random, shapes, card, cpu } = block;
  if (below(random, 3) > 0) return;
  const at = below(random, shapes.length);
  const [{ id, type }] = shapes.splice(at, 1);
  card.tester.removeShape(id);
  cpu.removeShape(id);
  addShape(block, type);
}

const FIELDS: Record<string, readonly string[]> = {
  intersects: ['pair', 'status', 'hit'],
  distances: ['pair', 'distance', 'normal', 'pointB'],
  contacts: ['pair', 'distance', 'featureA', 'featureB', 'upper', 'a'],
  manifolds: ['pair', 'pointCount', 'position', 'feature'],
  impacts: ['pair', 'time', 'point'],
};

type Query = (bodies: unknown, pairs: unknown, options?: unknown) => Promise<Columns>;

/** Asks a query on stale memory and on zeroed memory. */
async function ask(block: Block, way: Way): Promise<void> {
  const { axes, random, card, report, note } = block;
  const { query, algorithm, mprDepth, isWide } = way;
  const isLong = below(random, 8) === 0;
  const isMoving = query === 'impacts' || (query === 'findPairs' && below(random, 2) === 0);
  const form = {
    bodies: isLong ? 60 : 2 + below(random, 24),
    pairs: isLong ? 500 + below(random, 2000) : 1 + below(random, 60),
    isWide,
    hasScales: below(random, 3) === 0,
    isMoving,
    isTurning: query === 'impacts' && way.isTurning,
  };
  const scene = makeScene(axes, shapesOf(block, way), form, random);
  const margin = marginOf(way, random);
  const what = `${query} ${JSON.stringify({ ...way, query: undefined, margin })}`;
  report.queries++;
  report.asked[query] = (report.asked[query] ?? 0) + 1;
  if (query === 'findPairs') return askPairs(block, what, scene, margin ?? 0, isMoving);
  if (query === 'rayCasts') return askRays(block, what, scene, way);
  if (query === 'trianglePairs') return askTriangles(block, what, scene);
  const duration = query === 'impacts' ? uniform(random, 0.2, 1.5) : undefined;
  const common = {
    algorithm,
    ...(mprDepth && { mprDepth }),
    margin,
    ...(duration !== undefined && { duration, stopAtPenetration: way.stopAtPenetration }),
  };
  const results = pick(random, ['all', 'all', 'hits', ...(query === 'impacts' ? ['earliest'] : [])]);
  // Manifolds of parts have a slot for each pair of parts that meets.
  const isPerPart = query === 'manifolds' && haveParts(way.types);
  const inWhole = results === 'earliest' || isPerPart ? results : 'all';
  const warmStart = way.isWarm ? card.tester.createWarmStart(form.pairs) : undefined;
  const call = card.tester[query as (typeof QUERIES)[number]] as unknown as Query;
  const run = (options: object): Promise<Columns> => call(scene.bodies, scene.pairs, { ...common, ...options });
  const whole = { ...(query === 'contacts' && { fields: [...FULL_CONTACT] }) };
  spoil(block);
  const found = await run({
    results,
    ...(below(random, 2) === 0 ? whole : { fields: FIELDS[query] }),
    ...(warmStart && { warmStart }),
  });
  card.fill('zeros', random);
  const clean = await run({ ...whole, results: inWhole });
  // A warm search ends elsewhere.
  const again = warmStart ? await run({ ...whole, warmStart }) : undefined;
  warmStart?.dispose();
  if (!warmStart) note(what, bitDifferences(found, clean, inWhole === 'all' && !isPerPart));
  if (results === 'earliest' || isPerPart) return;
  for (const answer of again ? [clean, again] : [clean])
    note(what, await judgeAnswer(block, answer, { way, margin, duration, scene, shapes: block.shapes, chosen: [] }));
}

const FULL_CONTACT = [
  'pair',
  'a',
  'b',
  'status',
  'distance',
  'normal',
  'pointA',
  'pointB',
  'featureA',
  'featureB',
  'iterations',
  'lower',
  'upper',
];

async function askPairs(block: Block, what: string, scene: Scene, margin: number, isMoving: boolean): Promise<void> {
  const { random, card, note } = block;
  const options = { margin, ...(isMoving && { duration: uniform(random, 0, 1) }) };
  const find = (): Promise<Uint32Array> => card.tester.findPairs(scene.bodies as never, options);
  spoil(block);
  const found = await find();
  card.fill('zeros', random);
  const clean = await find();
  if (`${found}` !== `${clean}`) note(what, [`the pairs are ${found}, on clean memory ${clean}`]);
  note(what, await judgePairsFound(block, clean, scene, options));
}

/** Triangles have to be those of the CPU, to the bit. */
async function askTriangles({ card, cpu, random, note }: Block, what: string, { bodies, pairs }: Scene): Promise<void> {
  const given = [bodies as never, pairs] as const;
  card.fill('stale', random);
  const found = (await card.tester.trianglePairs(...given)) as unknown as Columns;
  const expected = (await cpu.trianglePairs(...given)) as unknown as Columns;
  note(what, bitDifferences(found, expected, false));
}

async function askRays(block: Block, what: string, scene: Scene, { algorithm }: Way): Promise<void> {
  const { axes, random, card, note } = block;
  const rays = makeRays(axes, 1 + below(random, 40), random);
  const cast = async (): Promise<Columns> =>
    (await card.tester.rayCasts(scene.bodies as never, rays as never, { algorithm: algorithm as never })) as never;
  spoil(block);
  const found = await cast();
  card.fill('zeros', random);
  const clean = await cast();
  note(what, bitDifferences(found, clean, false));
  note(what, await judgeRays(block, clean, scene, rays));
}
