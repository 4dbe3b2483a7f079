/** What the batches that are about to be timed answer: held against the reference, and what their searches took. */

import type { OpenDevice } from './open-device.ts';
import { compareRecords, knownPairs, type Comparison, type KnownPairs } from './answers.ts';
import type { GpuCase, Variant } from './cases.ts';
import { readCounts, readRecords, repeatedCounts, type Records } from './records.ts';
import { createRunner, type Runner } from './runner.ts';
import type { DeviceScene, HostScene } from './scene.ts';

export interface Inspected {
  comparison: Comparison;
  /** Of all searches of each pair. */
  iterations: Uint16Array;
  /** Status of each pair of the workload. */
  status: Uint8Array;
}

const known = new WeakMap<HostScene, Map<boolean, KnownPairs>>();

function knownOf(host: HostScene, isMoved: boolean): KnownPairs {
  const of = known.get(host) ?? new Map<boolean, KnownPairs>();
  known.set(host, of);
  const found =
    of.get(isMoved) ?? knownPairs(host.workload, isMoved ? host.moved : host.workload.bodies, host.pairCount);
  of.set(isMoved, found);
  return found;
}

/** Warm searches are inspected in the second frame. */
export async function inspect(
  opened: OpenDevice,
  gpuCase: GpuCase,
  host: HostScene,
  scene: DeviceScene,
  { isWarm }: Variant,
): Promise<Inspected> {
  const records = await recordsOf(opened, gpuCase, host, scene, isWarm);
  const { iterations, status } = records;
  return { comparison: compareRecords(gpuCase.query, records, knownOf(host, isWarm)), iterations, status };
}

async function recordsOf(
  opened: OpenDevice,
  gpuCase: GpuCase,
  host: HostScene,
  scene: DeviceScene,
  isWarm: boolean,
): Promise<Records> {
  const runner = await createRunner(opened, undefined, gpuCase, scene, { pairs: host.pairCount, turns: 1, isWarm });
  await runner.start(isWarm ? 4 : 1);
  const records = await readRecords(runner.batch, gpuCase, host.pairCount);
  runner.dispose();
  return records;
}

/** Statuses of touching pairs may differ where a search began elsewhere. */
const WARM_SLACK = 1e-3;

/** Clears what the batch has written, runs it again, and tells what it counts if that is not what its pairs have. */
export async function miscounted(
  { batch, pairs, turns, sample }: Runner,
  status: Uint8Array,
  isWarm: boolean,
): Promise<string | null> {
  const encoder = batch.device.createCommandEncoder({ label: 'inspect.clear' });
  encoder.clearBuffer(batch.output.records);
  batch.device.queue.submit([encoder.finish()]);
  await sample(isWarm ? 4 : 1);
  const found = await readCounts(batch);
  const due = repeatedCounts(status, Math.ceil(pairs / turns));
  const off = found.statuses.reduce((sum, count, i) => sum + Math.abs(count - due.statuses[i]), 0);
  if (found.pairs === due.pairs && off <= (isWarm ? WARM_SLACK * due.pairs : 0)) return null;
  return `${found.pairs} pairs with statuses ${found.statuses.join(', ')}, expected ${due.pairs} with ${due.statuses.join(', ')}`;
}
