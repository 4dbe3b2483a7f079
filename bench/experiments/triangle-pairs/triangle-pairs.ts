/**
 * Intersection and distance of two triangles beside `ExtendedTriangle` of three-mesh-bvh, on one thread:
 *
 *     node scripts/run-ts.mjs bench/experiments/triangle-pairs/triangle-pairs.ts [--pairs 20000] [--repeats 9] \
 *       > bench/results/triangle-pairs.md
 *
 * Rounds alternate between the functions, and rates come from the processor time. Answers are compared first, and where
 * they differ the oracle, which is exact, says whose are right.
 */
import { parseArgs } from 'node:util';
import { Line3, Vector3 } from 'three';
import { ExtendedTriangle } from 'three-mesh-bvh';
import { createTriangleDistance, triangleDistance } from '../../../src/cpu/triangle-distance.ts';
import {
  createTriangleIntersection,
  triangleIntersection,
  trianglesIntersect,
} from '../../../src/cpu/triangle-intersection.ts';
import { triangleGap, triangleOverlap } from '../../../verification/oracle/triangles.ts';
import { describeMachine } from '../../machine.ts';
import { digits, table } from '../../markdown.ts';
import { generatorText } from '../../revision.ts';
import { median } from '../../../verification/statistics/median.ts';
import { pairsOfBunnies, pairsOfFamily, type PairSet } from './pairs.ts';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '20000' }, repeats: { type: 'string', default: '9' } },
});
const PAIRS = Number(values.pairs);
const REPEATS = Number(values.repeats);
const SEED = 20_261_125;
/** Pairs whose distances the oracle judges. */
const JUDGED = 500;

const sets: PairSet[] = [
  pairsOfBunnies('bunnies, boxes overlap', 0, PAIRS, SEED),
  pairsOfBunnies('bunnies, boxes near', 1, PAIRS, SEED),
  ...[
    'random',
    'nearly parallel',
    'sharing an edge',
    'coplanar, overlapping',
    'faces of boxes',
    'structured, rotated',
  ].map((name) => pairsOfFamily(name, PAIRS, SEED)),
];

/** What the package's types leave out of `ExtendedTriangle`. */
interface PeerTriangle {
  needsUpdate: boolean;
  update(): void;
  intersectsTriangle(other: PeerTriangle, target: Line3 | null, suppressLog: boolean): boolean;
  distanceToTriangle(other: PeerTriangle, pointA: Vector3, pointB: Vector3): number;
}

function peerTriangle(t: Float64Array): PeerTriangle {
  const corner = (at: number): Vector3 => new Vector3(t[at], t[at + 1], t[at + 2]);
  const triangle = new ExtendedTriangle(corner(0), corner(3), corner(6)) as unknown as PeerTriangle;
  triangle.update();
  return triangle;
}

const intersection = createTriangleIntersection();
const nearest = createTriangleDistance();
const line = new Line3();
const pointA = new Vector3();
const pointB = new Vector3();

/** Each function's sum of answers over all pairs of a set. */
function functionsOn({ a, b }: PairSet) {
  const [theirsA, theirsB] = [a, b].map((triangles) => triangles.map(peerTriangle));
  const overAll = (answer: (i: number) => number | boolean) => (): number => {
    let sum = 0;
    for (let i = 0; i < a.length; i++) sum += Number(answer(i));
    return sum;
  };
  // What follows from the corners is computed again, as after a traversal has set them.
  const renewed = (answer: (i: number) => number | boolean) => (i: number) => {
    theirsA[i].needsUpdate = true;
    theirsB[i].needsUpdate = true;
    return answer(i);
  };
  const intersects = (i: number): boolean => theirsA[i].intersectsTriangle(theirsB[i], null, true);
  const segment = (i: number): boolean => theirsA[i].intersectsTriangle(theirsB[i], line, true);
  const distance = (i: number): number => theirsA[i].distanceToTriangle(theirsB[i], pointA, pointB);
  return {
    intersects: {
      ours: overAll((i) => trianglesIntersect(a[i], b[i])),
      theirs: overAll(renewed(intersects)),
      kept: overAll(intersects),
    },
    segment: {
      ours: overAll((i) => triangleIntersection(a[i], b[i], intersection)),
      theirs: overAll(renewed(segment)),
      kept: overAll(segment),
    },
    distance: {
      ours: overAll((i) => triangleDistance(a[i], b[i], nearest)),
      theirs: overAll(renewed(distance)),
      kept: overAll(distance),
    },
  };
}

type Functions = Record<'ours' | 'theirs' | 'kept', () => number>;

/** M pairs per second of processor time, round by round. The first two rounds are not counted. */
function ratesOf(functions: Functions): Record<keyof Functions, number[]> {
  const rates: Record<keyof Functions, number[]> = { ours: [], theirs: [], kept: [] };
  for (let round = -2; round < REPEATS; round++) {
    for (const name of ['ours', 'theirs', 'kept'] as const) {
      const before = process.cpuUsage();
      functions[name]();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) rates[name].push(PAIRS / (user + system));
    }
  }
  return rates;
}

interface Comparison {
  hits: number;
  differing: number;
  /** Of those, by the oracle. */
  ours: number;
  /** Greatest errors of distances relative to the greatest distance of two corners' coordinates. */
  ourError: number;
  theirError: number;
}

function compare({ a, b }: PairSet): Comparison {
  const result: Comparison = { hits: 0, differing: 0, ours: 0, ourError: 0, theirError: 0 };
  for (let i = 0; i < PAIRS; i++) {
    const isHit = trianglesIntersect(a[i], b[i]);
    const [theirA, theirB] = [peerTriangle(a[i]), peerTriangle(b[i])];
    if (isHit) result.hits++;
    if (isHit !== theirA.intersectsTriangle(theirB, null, true)) {
      result.differing++;
      if (isHit === triangleOverlap(a[i], b[i]).isHit) result.ours++;
    }
    if (i >= JUDGED) continue;
    const size = Math.max(...[a[i], b[i]].flatMap((t) => Array.from(t, (x, k) => Math.abs(x - a[i][k % 3]))));
    if (size === 0) continue;
    const { distance } = triangleGap(a[i], b[i]);
    result.ourError = Math.max(result.ourError, Math.abs(triangleDistance(a[i], b[i], nearest) - distance) / size);
    result.theirError = Math.max(
      result.theirError,
      Math.abs(theirA.distanceToTriangle(theirB, pointA, pointB) - distance) / size,
    );
  }
  return result;
}

const answers: string[][] = [];
const rows: Record<keyof ReturnType<typeof functionsOn>, string[][]> = { intersects: [], segment: [], distance: [] };
const rate = (rates: number[]): string => digits(median(rates));
const ratio = (rates: number[], others: number[]): string => median(rates.map((x, i) => x / others[i])).toFixed(2);
for (const set of sets) {
  const { hits, differing, ours, ourError, theirError } = compare(set);
  const percent = `${((100 * hits) / PAIRS).toFixed(1)} %`;
  answers.push([set.name, percent, `${differing}`, `${ours}`, ourError.toExponential(1), theirError.toExponential(1)]);
  const functions = functionsOn(set);
  for (const question of ['intersects', 'segment', 'distance'] as const) {
    const rates = ratesOf(functions[question]);
    rows[question].push([
      set.name,
      rate(rates.ours),
      rate(rates.theirs),
      ratio(rates.ours, rates.theirs),
      rate(rates.kept),
      ratio(rates.ours, rates.kept),
    ]);
  }
}

const HEAD = ['pairs', 'ours', 'theirs', 'ratio', 'theirs, kept', 'ratio'];
const date = new Date().toISOString().slice(0, 10);
const { cpu, cores, memoryGiB, os, node, loadAtStart } = describeMachine();
console.log(`# Pairs of triangles

\`node scripts/run-ts.mjs bench/experiments/triangle-pairs/triangle-pairs.ts\`, ${date}; ${generatorText()}

- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}
- Other work at the end: ${loadAtStart} processes. Through the shared caches it lengthens processor times

\`trianglesIntersect\`, \`triangleIntersection\` and \`triangleDistance\` on the CPU beside \`ExtendedTriangle\` of
three-mesh-bvh: \`intersectsTriangle\` and \`distanceToTriangle\`. ${PAIRS.toLocaleString('en')} pairs per set on one thread; medians of
${REPEATS} rounds, in which the functions alternate. Rates are M pairs per second of processor time. Ratios above 1 mean that ours
is faster. "Kept": what three-mesh-bvh derives from corners is kept from an earlier test of the same triangles.

## Answers

Pairs that intersect by our answer; pairs whose answers differ, and how many of these the exact oracle decides for us;
the greatest errors of distances over ${JUDGED} pairs, relative to the extent.

${table(['pairs', 'intersect', 'differ', 'ours right', 'error of our distances', 'of theirs'], answers).join('\n')}

## Intersection, yes or no

Where heights are 0 to rounding, ours takes exact predicates. These decide the pairs whose answers differ.

${table(HEAD, rows.intersects).join('\n')}

## Intersection with the segment

Theirs has no segment of coplanar triangles.

${table(HEAD, rows.segment).join('\n')}

## Distance with nearest points

${table(HEAD, rows.distance).join('\n')}
`);
