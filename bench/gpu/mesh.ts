/**
 * Poses of two meshes on the GPU that is measured: whether they intersect, and which of their triangles do; and what the
 * kernels load, store and compute.
 */
import type { PosedBodies, Tester } from '../../src/api/types.ts';
import { createTester } from '../../src/node.ts';
import { searchOnDevice } from '../../verification/engines/device-search.ts';
import { digits, table } from '../markdown.ts';
import { makeBunny, makePoses } from '../mesh/workload.ts';
import { median } from '../../verification/statistics/median.ts';
import type { FoundAdapter } from './adapter.ts';
import type { CountedStage } from './count/counting-device.ts';
import { heading, type Heading } from './heading.ts';
import { knownPeak } from './peaks.ts';

/** How often the bunny is subdivided. */
const LEVELS = [0, 2] as const;
const POSES = 1000;
/** A number for each invocation and segment is kept, and each dispatch of a counted search has 65,536 invocations. */
const COUNTED_POSES = 50;

/** Milliseconds that 1,000 poses are wanted to take at most on an H200. */
const AIM_MS = 5;

/** What is asked for: verdicts; the numbers of triangles; these with their segments. */
const QUERIES = {
  intersects: (tester: Tester, bodies: PosedBodies, pairs: Uint32Array) => tester.intersects(bodies, pairs),
  trianglePairs: (tester: Tester, bodies: PosedBodies, pairs: Uint32Array) =>
    tester.trianglePairs(bodies, pairs, { fields: ['pair', 'triangleA', 'triangleB'] }),
  'trianglePairs with segments': (tester: Tester, bodies: PosedBodies, pairs: Uint32Array) =>
    tester.trianglePairs(bodies, pairs),
};
type QueryName = keyof typeof QUERIES;
const QUERY_NAMES = Object.keys(QUERIES) as QueryName[];

/** Medians over the rounds, in milliseconds for all poses. */
export interface MeshCase {
  triangles: number;
  query: QueryName;
  /** Pairs of bodies, or of triangles. */
  hits: number;
  /** Per pose, on the device. */
  boxTests: number;
  partTests: number;
  /** Pairs of triangles per pose that exact arithmetic decides. */
  open: number;
  deviceMs: number;
  /** Of all threads of the process, which on software adapters do the work of the GPU. */
  deviceProcessorMs: number;
  /** The CPU backend on one thread: processor time. */
  cpuMs: number;
  /** Numbers in which the answers differ. */
  differing: number;
}

/** What the kernels of a search take per pose. */
export interface MeshCount {
  triangles: number;
  query: QueryName;
  dispatches: number;
  walk: Work;
  triangleTests: Work;
  /** Between stages, and sorting. */
  rest: Work;
}

interface Work {
  bytes: number;
  /** In lockstep: see count/counts.ts. */
  instructions: number;
}

export interface MeshReport extends Heading {
  settings: { poses: number; rounds: number; seed: number };
  cases: MeshCase[];
  /** Empty: not counted. */
  counts: MeshCount[];
}

interface Settings {
  rounds: number;
  seed: number;
  counts: boolean;
  log: (line: string) => void;
}

export const MESH_POSES = POSES;

/** Adds the cases to `report`, one after the other. */
export async function measureMeshCases(
  found: FoundAdapter,
  { rounds, seed, counts, log }: Settings,
  report: Pick<MeshReport, 'cases' | 'counts'>,
): Promise<void> {
  for (const levels of LEVELS) {
    log(`mesh, subdivided ${levels} times`);
    await measureModel(found, levels, rounds, seed, report.cases);
    if (counts) await countModel(found, levels, seed, report.counts);
  }
}

async function measureModel(
  found: FoundAdapter,
  levels: number,
  rounds: number,
  seed: number,
  to: MeshCase[],
): Promise<void> {
  const opened = await found.open({ dimension: 3 });
  const { tester: onDevice, open } = searchOnDevice(opened.device, opened.tester.adapter);
  const cpu = await createTester({ backend: 'cpu', threads: 1 });
  const mesh = makeBunny(levels);
  for (const tester of [onDevice, cpu]) tester.addShape({ type: 'mesh', ...mesh });
  const { bodies, pairs } = makePoses(POSES, seed);
  for (const query of QUERY_NAMES) {
    const ask = QUERIES[query];
    // Compiles, builds trees, uploads them, and makes buffers grow.
    const openBefore = open();
    const [first, expected] = [await ask(onDevice, bodies, pairs), await ask(cpu, bodies, pairs)];
    const { boxTests, partTests } = onDevice.timings.tree;
    const openTests = open() - openBefore;
    const times: Record<'wall' | 'processor' | 'cpu', number[]> = { wall: [], processor: [], cpu: [] };
    for (let round = 0; round < rounds; round++) {
      const device = await timed(() => ask(onDevice, bodies, pairs));
      times.wall.push(device.wall);
      times.processor.push(device.processor);
      times.cpu.push((await timed(() => ask(cpu, bodies, pairs))).processor);
    }
    to.push({
      triangles: mesh.indices.length / 3,
      query,
      hits: expected.hits,
      boxTests: boxTests / POSES,
      partTests: partTests / POSES,
      open: openTests / POSES,
      deviceMs: median(times.wall),
      deviceProcessorMs: median(times.processor),
      cpuMs: median(times.cpu),
      differing: differences(first, expected),
    });
  }
  cpu.dispose();
  onDevice.dispose();
  opened.tester.dispose();
}

async function timed(work: () => Promise<unknown>): Promise<{ wall: number; processor: number }> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, processor: (user + system) / 1000 };
}

/** In how many numbers the arrays of two results differ. */
function differences(found: object, expected: object): number {
  let count = 0;
  for (const [name, array] of Object.entries(expected)) {
    if (!ArrayBuffer.isView(array)) continue;
    const [ours, theirs] = [(found as Record<string, ArrayLike<number>>)[name], array as unknown as ArrayLike<number>];
    count += Math.abs(ours.length - theirs.length);
    for (let i = 0; i < theirs.length; i++) if (ours[i] !== theirs[i]) count++;
  }
  return count;
}

/** On a device of its own, whose kernels count. Grids are those of hardware, so that an invocation has one pair of nodes. */
async function countModel(found: FoundAdapter, levels: number, seed: number, to: MeshCount[]): Promise<void> {
  const opened = await found.open({ dimension: 3, counts: true });
  const { tester } = searchOnDevice(opened.device, { ...opened.tester.adapter, isSoftware: false });
  const mesh = makeBunny(levels);
  tester.addShape({ type: 'mesh', ...mesh });
  const { bodies, pairs } = makePoses(COUNTED_POSES, seed);
  for (const query of ['intersects', 'trianglePairs'] as const) {
    // Buffers grow in the first run.
    await QUERIES[query](tester, bodies, pairs);
    opened.counter!.forget();
    await QUERIES[query](tester, bodies, pairs);
    const stages = await opened.counter!.read(1, COUNTED_POSES);
    to.push({
      triangles: mesh.indices.length / 3,
      query,
      dispatches: stages.length,
      walk: workOf(stages, (kernel) => kernel === 'part-pairs/walk'),
      triangleTests: workOf(stages, (kernel) => kernel === 'part-pairs/triangles'),
      rest: workOf(stages, (kernel) => !/^part-pairs\/(walk|triangles)$/.test(kernel)),
    });
  }
  tester.dispose();
  opened.tester.dispose();
  if (opened.errors.length > 0) throw new Error(opened.errors[0]);
}

function workOf(stages: readonly CountedStage[], isOne: (kernel: string) => boolean): Work {
  const work: Work = { bytes: 0, instructions: 0 };
  for (const { kernel, bytes, lockstep } of stages) {
    if (!isOne(kernel)) continue;
    work.bytes += bytes;
    work.instructions += lockstep;
  }
  return work;
}

export function meshMarkdown(report: MeshReport): string {
  const { cases, counts, settings } = report;
  const lines = [
    '# Meshes',
    '',
    ...heading(report),
    '',
    `${settings.poses.toLocaleString('en-US')} poses of the bunny against itself (npm \`bunny\`, subdivided by Loop's scheme ` +
      `for the larger mesh; seed ${settings.seed}). Medians of ${settings.rounds} rounds, in which the device and the CPU take turns.`,
    '',
    '- *device ms*: a query whose search is left to the device, from the arrays of bodies to those of the result',
    '- *processor ms*: of all threads of the process meanwhile, which on software adapters do the work of the GPU',
    '- *CPU ms*: processor time of the same query on the CPU backend, on one thread',
    '- *box tests*, *triangle tests*: per pose, on the device; *open*: those that it left to exact arithmetic on the CPU',
    '- *differ*: numbers of the results that differ',
    '',
    ...table(
      [
        'triangles',
        'query',
        'hits',
        'box tests',
        'triangle tests',
        'open',
        'device ms',
        'processor ms',
        'CPU ms',
        'differ',
      ],
      cases.map((one) => [
        one.triangles.toLocaleString('en-US'),
        one.query,
        one.hits.toLocaleString('en-US'),
        digits(one.boxTests),
        digits(one.partTests),
        digits(one.open),
        digits(one.deviceMs),
        digits(one.deviceProcessorMs),
        digits(one.cpuMs),
        `${one.differing}`,
      ]),
      [0, 2, 3, 4, 5, 6, 7, 8, 9],
    ),
    '',
    ...(counts.length > 0 ? limitSection(counts) : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function limitSection(counts: readonly MeshCount[]): string[] {
  const { bandwidth, instructions: rate } = knownPeak({ device: 'NVIDIA H200', description: '' })!;
  const leastMs = ({ bytes, instructions }: Work): number =>
    1000 * POSES * Math.max(bytes / bandwidth, instructions / rate);
  const rows = counts.flatMap(({ triangles, query, dispatches, walk, triangleTests, rest }) => {
    const parts = [
      ['boxes', walk],
      ['triangles', triangleTests],
      ['between stages, sorting', rest],
    ] as const;
    const name = [triangles.toLocaleString('en-US'), query];
    return [
      ...parts.map(([part, work]) => [
        ...name,
        part,
        digits(work.bytes),
        digits(work.instructions),
        digits(leastMs(work)),
        '',
        '',
      ]),
      [
        ...name,
        'whole',
        '',
        '',
        digits(parts.reduce((sum, [, work]) => sum + leastMs(work), 0)),
        `${dispatches}`,
        `< ${AIM_MS}`,
      ],
    ];
  });
  return [
    '## Limits of an H200',
    '',
    `What the kernels load from buffers, store there and compute, counted over ${COUNTED_POSES} poses with the grids of hardware. ` +
      'Loads that a cache serves are counted too. Instructions are those of groups of 32 in lockstep. The least time is ' +
      `for ${POSES.toLocaleString('en-US')} poses at 4.8 TB/s and 33.5 T instructions/s, whichever takes longer. What it leaves out: ` +
      'the time between dispatches, of which a search has as many whatever the number of poses; copies to the host; and the ' +
      'host itself, which puts results together, decides the triangles that are left open, and computes segments.',
    '',
    ...table(
      ['triangles', 'query', 'part', 'bytes per pose', 'instructions per pose', 'least ms', 'dispatches', 'aim, ms'],
      rows,
      [0, 3, 4, 5, 6, 7],
    ),
    '',
  ];
}
