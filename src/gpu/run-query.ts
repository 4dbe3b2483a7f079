/** Runs a query: makes its plan, compiles what is missing, and has its pairs answered in chunks. */
import { noTimings, type QueryRequest, type QuerySink } from '../request/backend.ts';
import type { QueryTimings } from '../api/types.ts';
import { door } from '../util/door.ts';
import { earliestOf, Resubmission } from './answer-chunk.ts';
import { createChunkClock } from './chunk-clock.ts';
import { arrayOutput, type ChunkOutput } from './chunk-output.ts';
import { clearBuffers, type DeviceState } from './device-slot.ts';
import { createInput, type QueryInput } from './input.ts';
import { sampleFacts, type PairFacts } from './classes.ts';
import type { KernelVariant } from './kernels.ts';
import { variantsOfQuery, variantsOfSteps } from './passes.ts';
import { formOfQuery, type Planner } from './planner.ts';
import { runChunks } from './run-chunks.ts';
import { united } from './seen-pairs.ts';
import { queryPasses, type Plan } from './steps.ts';

const loadRecordOutput = door('records', async () => (await import('./record-output.ts')).recordOutput);

/** A query on a device. */
interface Run {
  state: DeviceState;
  planner: Planner;
  request: QueryRequest;
  timings: QueryTimings;
  input: QueryInput;
  output: ChunkOutput;
}

/** Throws `INVALID_INPUT` before an answer is delivered if the input can't be used. */
export async function runQuery(
  state: DeviceState,
  planner: Planner,
  request: QueryRequest,
  timings: QueryTimings,
  sink: QuerySink,
): Promise<void> {
  Object.assign(timings, noTimings());
  const { pairs, check } = request.over;
  if (pairs.length === 0) {
    check?.();
    return;
  }
  const { form } = request;
  const output = form.type === 'arrays' ? arrayOutput(request, form) : await recordsFor(request, sink);
  const run = { state, planner, request, timings, input: createInput(state, request.over, timings), output };
  for (let isAnswered = false; !isAnswered;) isAnswered = await answer(run, sink);
}

async function recordsFor(request: QueryRequest, sink: QuerySink): Promise<ChunkOutput> {
  const [recordOutput] = await Promise.all([loadRecordOutput(), sink.loadDecoding()]);
  return recordOutput(request);
}

const NOTHING: PairFacts = { kinds: [], shapes: [] };

/** Returns false if the query has to be submitted again. */
async function answer(run: Run, sink: QuerySink): Promise<boolean> {
  const { state, planner, request, timings, input, output } = run;
  const { shapes: table, dimension, warmStart } = request.over;
  const seen = state.seenPairs.of(planner, formOfQuery(request, state.session.kernels.adapter), table);
  const facts = input.facts ?? (seen.isEmpty ? look(run) : NOTHING);
  const plan = seen.planWith(facts);
  const [first, second] = queryPasses(plan);
  await compile(run, [
    ...input.variants,
    ...variantsOfQuery(first, dimension, request.form.slots !== 'all', earliestOf(request.form)),
    ...output.variants,
  ]);
  let preparing: Promise<void> | undefined;
  const prepareFallback = (): Promise<void> => (preparing ??= compile(run, variantsOfSteps(second)));
  const covers = (): boolean => areEqual(plan, seen.planWith(united(facts, input.facts!)));
  const clock = createChunkClock();
  try {
    await runChunks({ state, request, input, plan, output, clock, timings, prepareFallback, covers }, sink);
  } catch (error) {
    if (!(error instanceof Resubmission)) throw error;
    if (error.isOutOfMemory) {
      clearBuffers(state);
      // The chunk may have run on bodies that were not packed.
      if (warmStart) state.simplices.drop(warmStart);
      run.input = createInput(state, request.over, timings);
    }
    return false;
  }
  seen.add(united(facts, input.facts!));
  return true;
}

/** Kinds among the pairs, before the first query of a form. What it misses, the report on the input names. */
function look({ request, timings }: Run): PairFacts {
  const start = performance.now();
  const facts = sampleFacts(request.over);
  timings.validate += performance.now() - start;
  return facts;
}

async function compile({ state: { session }, timings }: Run, variants: readonly KernelVariant[]): Promise<void> {
  const start = performance.now();
  await session.orLost(session.kernels.prepare(variants));
  timings.compile += performance.now() - start;
}

/** Whether the plans have the same kernels, over the same lists. */
function areEqual(a: Plan, b: Plan): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
