/** What the command line asks of the page that runs a browser's engine, and what the page answers. */

import type { ErrorCode } from '../../src/api/errors.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { StatusCounts } from '../../src/api/types.ts';
import type { AdapterFacts, CallTimings, EngineFacts, Question } from './engine.ts';

/**
 * `open` comes first. The arrays of `load` are those of the bodies; of `ask` `pairs`, and `margin` of one number, since
 * JSON has no infinity; of `impacts` `pairs`, and `duration` of one number.
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
