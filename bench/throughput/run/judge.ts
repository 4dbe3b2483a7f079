/** The reference in a process of its own, which is gone when its answer is there. */

import type { Moments, Truth } from '../../../verification/judges/compare-answers.ts';
import type { ReferenceSubject } from '../protocol.ts';
import { startChild, type Child } from './child-process.ts';

const JUDGE_MS = 300_000;

export function judge(file: string, indices: Uint32Array): Promise<Truth> {
  return ask((child) => child.call('judge', JUDGE_MS, file, indices));
}

export function judgeTimes(file: string, indices: Uint32Array, times: Float64Array): Promise<Moments> {
  return ask((child) => child.call('judgeTimes', JUDGE_MS, file, indices, times));
}

async function ask<Answer>(question: (child: Child<ReferenceSubject>) => Promise<Answer>): Promise<Answer> {
  const child = startChild<ReferenceSubject>({ kind: 'reference' });
  try {
    return await question(child);
  } finally {
    await child.end();
  }
}
