/**
 * Verdicts on input that queries may expect. The bodies of a frame are much like those of the frame before, and so are
 * the verdicts on them: nothing is wrong, and the same shapes and kinds are in use. A query that expects its verdict is
 * submitted together with the kernels that inspect its input. The verdict comes with the answers, which are void if it
 * is another one.
 */
import type { DeviceState } from './device-slot.ts';
import { areAlike, needsHost } from './verdict.ts';

/** The verdict that input of this key had twice in a row, at this version of the shape table. */
export function expectedVerdict(
  { verdicts }: DeviceState,
  key: string,
  shapesVersion: number,
): Uint32Array | undefined {
  const last = verdicts.get(key);
  return last?.isRepeated && last.shapesVersion === shapesVersion ? last.words : undefined;
}

export function noteVerdict({ verdicts }: DeviceState, key: string, shapesVersion: number, words: Uint32Array): void {
  const last = verdicts.get(key);
  const isRepeated = last?.shapesVersion === shapesVersion && areAlike(last.words, words);
  if (needsHost(words)) verdicts.delete(key);
  else verdicts.set(key, { shapesVersion, words, isRepeated });
}
