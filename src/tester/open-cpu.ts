import type { AnswerPair } from '../cpu/asked-pairs.ts';
import type { Backend } from '../request/backend.ts';
import { loadDecoding } from './collect.ts';
import { door } from '../util/door.ts';

const loadBackend = door('CPU backend', () => import('../cpu/backend.ts'));

/** A CPU backend. `threads` and `workerUrl`: as in the options of testers. */
export async function openCpu(
  loadReference: () => Promise<AnswerPair>,
  threads?: number,
  workerUrl?: URL,
): Promise<Backend> {
  const [{ createCpuBackend }, answerPair] = await Promise.all([
    loadBackend(),
    loadReference(),
    // Every query on the CPU decodes records.
    loadDecoding(),
  ]);
  return createCpuBackend(answerPair, threads, workerUrl);
}
