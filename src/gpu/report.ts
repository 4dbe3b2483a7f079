/** What kernels report to the host about a query's input (shaders/kernels/report.wgsl). */
import {
  CORE_HALFSPACE,
  KIND_COUNT,
  REPORT_BODY,
  REPORT_GREATEST,
  REPORT_KINDS,
  REPORT_PAIR,
  REPORT_SHAPES,
  REPORT_VELOCITY,
} from '../generated/constants.ts';

export interface InputReport {
  /** Whether the input has something that the host's validation may refuse. */
  isFlagged: boolean;
  /** The greatest high word of the absolute values of 64-bit coordinates, rounded up. */
  greatestHighWord: number;
  /** Whether a body has the shape. */
  hasShape(id: number): boolean;
  /** Whether a pair has the kinds a and b of the entry a * KIND_COUNT + b. */
  hasKinds(entry: number): boolean;
}

/** Bytes of the report on bodies of shapes with ids below `idCount`. */
export function reportBytes(idCount: number): number {
  return 4 * (REPORT_SHAPES + Math.ceil(idCount / 32));
}

/** Two half-spaces, which have no distance, among the kinds of a report. */
const HALFSPACES = CORE_HALFSPACE * KIND_COUNT + CORE_HALFSPACE;

export function readReport(words: Uint32Array): InputReport {
  const hasBit = (firstWord: number, bit: number): boolean =>
    ((words[firstWord + (bit >>> 5)] >>> (bit & 31)) & 1) === 1;
  const hasKinds = (entry: number): boolean => hasBit(REPORT_KINDS, entry);
  return {
    isFlagged: [REPORT_BODY, REPORT_PAIR, REPORT_VELOCITY].some((word) => words[word] !== 0) || hasKinds(HALFSPACES),
    greatestHighWord: words[REPORT_GREATEST],
    hasShape: (id) => hasBit(REPORT_SHAPES, id),
    hasKinds,
  };
}
