/** Frames on the GPU that is measured, and what their kernels load, store and compute. */

import type { Bodies } from '../../src/api/types.ts';
import { stagesOf, type FrameStages } from '../frame/gpu-frame.ts';
import { measureFrames, type FrameCase } from '../frame/measure.ts';
import { howMeasured, sceneSections, targetTable } from '../frame/report.ts';
import { FRAME_SCENES, makeFrameScene, type FrameSceneName } from '../frame/scenes.ts';
import { digits, table } from '../markdown.ts';
import type { FoundAdapter } from './adapter.ts';
import { heading, type Heading } from './heading.ts';
import { knownPeak, type Peak } from './peaks.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';

/** Of the kernels of each stage, per body. */
export interface FrameCount {
  scene: FrameSceneName;
  bodies: number;
  bytes: FrameStages;
  /** In lockstep: see count/counts.ts. */
  instructions: FrameStages;
}

export interface FrameReport extends Heading {
  settings: { rounds: number; seed: number };
  cases: FrameCase[];
  /** Empty: not counted. */
  counts: FrameCount[];
}

/** A number for each invocation and segment is kept. */
const COUNTED_BODIES = 2 ** 10;
/** Pairs per body that the counted batch has room for. */
const COUNTED_ROOM = 16;

interface Settings {
  /** null: those of each scene. */
  sizes: readonly number[] | null;
  rounds: number;
  seed: number;
  counts: boolean;
  log: (line: string) => void;
}

/** Adds the cases to `report`, one after the other. */
export async function measureFrameCases(
  found: FoundAdapter,
  { sizes, rounds, seed, counts, log }: Settings,
  report: Pick<FrameReport, 'cases' | 'counts'>,
): Promise<void> {
  const { tester } = await found.open({ dimension: 3 });
  await measureFrames(tester, { scenes: FRAME_SCENES, sizes, rounds, seed, say: log }, report.cases);
  tester.dispose();
  if (!counts) return;
  for (const scene of FRAME_SCENES) report.counts.push(await countFrame(found, scene, seed));
}

/** On a device of its own, whose kernels count. */
export async function countFrame(found: FoundAdapter, name: FrameSceneName, seed: number): Promise<FrameCount> {
  const scene = makeFrameScene(name, COUNTED_BODIES, seed);
  const { count, positions, quaternions, scales, halfExtents } = scene;
  const { tester, device, counter, errors } = await found.open({ dimension: 3, counts: true });
  const shape = tester.addShape({ type: 'box', halfExtents });
  const bodies: Bodies = { shapes: new Uint32Array(count).fill(shape), positions, quaternions, scales };
  const batch = await tester.createBatch({
    query: 'manifolds',
    maxBodies: count,
    maxPairs: COUNTED_ROOM * count,
    broadPhase: true,
  });
  batch.write({ bodies });
  // The rehearsal of `createBatch`, which was never submitted.
  counter!.forget();
  const encoder = device.createCommandEncoder({ label: 'frame.count' });
  batch.encode(encoder);
  device.queue.submit([encoder.finish()]);
  // Drivers that compile with the first submission take long for kernels that count.
  await within(device.queue.onSubmittedWorkDone(), LIMITS.compile, 'counting');
  const stages = await counter!.read(1, count);
  tester.dispose();
  if (errors.length > 0) throw new Error(errors[0]);
  const kernels = stages.map(({ kernel }) => kernel);
  const byStage = (of: 'bytes' | 'lockstep'): FrameStages =>
    stagesOf(
      kernels,
      stages.map((stage) => stage[of]),
    );
  return { scene: name, bodies: count, bytes: byStage('bytes'), instructions: byStage('lockstep') };
}

export function frameMarkdown(report: FrameReport): string {
  const { adapter, cases, counts, settings } = report;
  const lines = [
    '# Frames',
    '',
    ...heading(report),
    '',
    ...howMeasured(settings.rounds, settings.seed, false),
    '',
    '## Targets',
    '',
    ...(cases.length > 0 ? targetTable(cases, adapter.isSoftware) : []),
    '',
    ...(counts.length > 0 ? limitSection(counts) : []),
    ...sceneSections(cases, adapter.isSoftware),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Milliseconds that a frame on the H200 is wanted to take at most, for a million bodies. */
const WANTED: Partial<Record<FrameSceneName, { pairs?: number; whole: number }>> = {
  heap: { pairs: 1.5, whole: 4 },
  mixed: { whole: 8 },
};
const MILLION = 1e6;

/** The least time of a stage over a million bodies, in milliseconds. */
function leastMs(bytes: number, instructions: number, { bandwidth, instructions: rate }: Peak): number {
  return 1000 * MILLION * Math.max(bytes / bandwidth, instructions / rate);
}

function limitSection(counts: readonly FrameCount[]): string[] {
  const peak = knownPeak({ device: 'NVIDIA H200', description: '' })!;
  const rows = counts.flatMap(({ scene, bytes, instructions }) => {
    const parts = (['bounds', 'pairs', 'narrowPhase'] as const).map((stage) => ({
      stage,
      ms: leastMs(bytes[stage], instructions[stage], peak),
    }));
    const [bounds, pairs, narrowPhase] = parts.map(({ ms }) => ms);
    const wanted = WANTED[scene];
    return [
      ...parts.map(({ stage, ms }) => [
        scene,
        { bounds: 'bounds and grid', pairs: 'pairs', narrowPhase: 'narrow phase' }[stage],
        digits(bytes[stage]),
        digits(instructions[stage]),
        digits(ms),
        '',
      ]),
      [scene, 'bounds to pairs', '', '', digits(bounds + pairs), wanted?.pairs ? `< ${wanted.pairs}` : ''],
      [scene, 'whole', '', '', digits(bounds + pairs + narrowPhase), wanted ? `< ${wanted.whole}` : ''],
    ];
  });
  const head = ['scene', 'stage', 'bytes per body', 'instructions per body', 'least ms', 'wanted ms'];
  return [
    '## Limits of an H200',
    '',
    'What the kernels load from buffers, store there and compute, counted on frames of ' +
      `${counts[0].bodies.toLocaleString('en-US')} bodies in a batch with room for ${COUNTED_ROOM} pairs per body. ` +
      'Loads that a cache serves are counted too. Instructions are those of groups of 32 in lockstep. The least time is ' +
      'for a million bodies at 4.8 TB/s and 33.5 T instructions/s, whichever takes longer.',
    '',
    ...table(head, rows, [2, 3, 4, 5]),
    '',
  ];
}
