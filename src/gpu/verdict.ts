/** What kernels tell the host about a query's input (shaders/kernels/verdict.wgsl). */
import {
  CORE_HALFSPACE,
  KIND_COUNT,
  VERDICT_BODY,
  VERDICT_GREATEST,
  VERDICT_KINDS,
  VERDICT_PAIR,
  VERDICT_SHAPES,
  VERDICT_VELOCITY,
} from '../generated/constants.ts';
import { cellExponentFor } from '../records/cells.ts';

/** Two half-spaces, among the kinds of a verdict. */
export const HALFSPACES = CORE_HALFSPACE * KIND_COUNT + CORE_HALFSPACE;

export interface Verdict {
  /** Whether the input has numbers that the host's validation may refuse. */
  isSuspicious: boolean;
  /** The greatest high word of the absolute values of 64-bit coordinates, rounded up. */
  greatestHighWord: number;
  /** Whether a body has the shape. */
  hasShape(id: number): boolean;
  /** Whether a pair has the kinds a and b of the entry a * KIND_COUNT + b. */
  hasKinds(entry: number): boolean;
}

/** The last verdict on the input of queries with the same key: the kind of query and the form of its bodies. */
export interface KnownVerdict {
  shapesVersion: number;
  words: Uint32Array;
  /** Whether the verdict before was the same. */
  isRepeated: boolean;
}

/** Bytes of the verdict on bodies of shapes with ids below `idCount`. */
export function verdictBytes(idCount: number): number {
  return 4 * (VERDICT_SHAPES + Math.ceil(idCount / 32));
}

/** Whether the host has something to check. */
export function needsHost(words: Uint32Array): boolean {
  const { isSuspicious, hasKinds } = readVerdict(words);
  return isSuspicious || hasKinds(HALFSPACES);
}

/** Whether a query has the same plan and the same packed bodies after both verdicts. */
export function areAlike(a: Uint32Array, b: Uint32Array): boolean {
  return (
    a.length === b.length &&
    a.every((word, i) => (i === VERDICT_GREATEST ? cellExponentFor(word) === cellExponentFor(b[i]) : word === b[i]))
  );
}

export function readVerdict(words: Uint32Array): Verdict {
  const hasBit = (firstWord: number, bit: number): boolean =>
    ((words[firstWord + (bit >>> 5)] >>> (bit & 31)) & 1) === 1;
  return {
    isSuspicious: [VERDICT_BODY, VERDICT_PAIR, VERDICT_VELOCITY].some((word) => words[word] !== 0),
    greatestHighWord: words[VERDICT_GREATEST],
    hasShape: (id) => hasBit(VERDICT_SHAPES, id),
    hasKinds: (entry) => hasBit(VERDICT_KINDS, entry),
  };
}
