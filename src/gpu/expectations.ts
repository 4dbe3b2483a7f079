/**
 * Verdicts on input that queries may expect. The bodies of a frame are much like those of the frame before, and so are
 * the verdicts on them: nothing is wrong, and the same shapes and kinds are in use. A query that expects its verdict is
 * submitted together with the kernels that inspect its input. The verdict comes with the answers, which are void if it
 * is another one.
 */
import { areAlike, needsHost } from './verdict.ts';

/** The verdict on a query's input is not the expected one. */
export class UnexpectedVerdict extends Error {}

export interface Expectations {
  /** The verdict that input of this key had twice in a row, with the same shapes. */
  of(key: string, shapesVersion: number): Uint32Array | undefined;
  note(key: string, shapesVersion: number, verdict: Uint32Array): void;
}

interface Known {
  shapesVersion: number;
  verdict: Uint32Array;
  /** Whether the verdict before was the same. */
  isRepeated: boolean;
}

export function createExpectations(): Expectations {
  const known = new Map<string, Known>();
  return {
    of(key, shapesVersion) {
      const last = known.get(key);
      return last?.isRepeated && last.shapesVersion === shapesVersion ? last.verdict : undefined;
    },
    note(key, shapesVersion, verdict) {
      const last = known.get(key);
      const isRepeated = last?.shapesVersion === shapesVersion && areAlike(last.verdict, verdict);
      if (needsHost(verdict)) known.delete(key);
      else known.set(key, { shapesVersion, verdict, isRepeated });
    },
  };
}
