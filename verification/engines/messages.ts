/** Tasks that the command line sends to the page of a browser's engine, and the page's outcomes. */

import type { ErrorCode } from '../../src/api/errors.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { StatusCounts } from '../../src/api/types.ts';
import type { AdapterFacts, CallTimings, EngineFacts, Question } from './engine.ts';

/**
 * `open` comes first. The arrays of `load` are those of the bodies. Those of `ask` are `pairs`, and `margin` with one
 * number, since JSON has no infinity. Those of `impacts` are `pairs`, and `duration` with one number.
 */
export type Task =
  | { kind: 'open' }
  | { kind: 'load'; shapes: readonly ShapeDescription[] }
  | { kind: 'ask'; question: Omit<Question, 'pairs' | 'margin'> }
  | { kind: 'impacts' };

/** `answered` comes with the arrays of the answer. */
export type Outcome =
  | { kind: 'opened'; backend: EngineFacts['backend']; description: EngineFacts['adapter']; adapter: AdapterFacts }
  | { kind: 'loaded' }
  | { kind: 'answered'; count: number; statusCounts: StatusCounts; timings: CallTimings }
  | { kind: 'failed'; code: ErrorCode | null; message: string };
