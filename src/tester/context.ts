/** What all parts of a tester share. */
import type { Bodies, ResidentBodies } from '../api/types.ts';
import type { AnswerPair } from '../cpu/asked-pairs.ts';
import { throwIfAborted } from '../request/abort.ts';
import type { Backend } from '../request/backend.ts';
import { holdResident } from '../request/resident.ts';
import type { EnsureIntact } from '../request/watched-arrays.ts';
import { readGiven, type GivenBodies, type QueryScene } from './make-request.ts';
import type { InTurn, OnEnd } from './query-queue.ts';

/** Handles on bodies belong to one context. */
export interface TesterContext extends QueryScene {
  backend: Backend;
  inTurn: InTurn;
  /** Throws `DISPOSED` once the tester is disposed. */
  ensureOpen(): void;
  loadReference(): Promise<AnswerPair>;
  /** The backend that answers pairs of parts: the tester's, if that is the CPU's. */
  loadCpu(): Promise<Backend>;
}

/** For queries that take long on the host. */
export function expectRunning(
  { ensureOpen }: TesterContext,
  signal: AbortSignal | undefined,
  ensureIntact: EnsureIntact | undefined,
): void {
  ensureOpen();
  throwIfAborted(signal);
  ensureIntact?.();
}

/** Bodies of a query that reads them on the host. */
export function readBodies(context: TesterContext, given: Bodies | ResidentBodies, onEnd: OnEnd): GivenBodies {
  const read = readGiven(context, given, context.shapes);
  read.check();
  if (read.resident) onEnd(holdResident(read.resident));
  return read;
}
