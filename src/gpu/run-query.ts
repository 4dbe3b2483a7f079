/** Runs a query: makes its plan, compiles what is missing, and has its pairs answered in chunks. */
import { noTimings, type QueryRequest, type QuerySink } from '../request/backend.ts';
import type { QueryTimings } from '../api/types.ts';
import { door } from '../util/door.ts';
import { earliestOf, Resubmission } from './answer-chunk.ts';
import { createChunkClock } from './chunk-clock.ts';
import { arrayOutput, type ChunkOutput } from './chunk-output.ts';
import { clearBuffers, type DeviceState } from './device-slot.ts';
import { scoped } from './error-scopes.ts';
import { createInput, type QueryInput } from './input.ts';
import type { PairFacts } from './classes.ts';
import type { KernelVariant } from './kernels.ts';
import { variantsOfQuery, variantsOfSteps } from './passes.ts';
import { formOfQuery, formRequest, type Planner } from './planner.ts';
import { encodeCopies, readCopies } from './read-back.ts';
import { runChunks } from './run-chunks.ts';
import { united } from './seen-pairs.ts';
import type { Plan } from './steps.ts';

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
  if (request.pairs.length === 0) {
    request.check?.();
    return;
  }
  // The first chunk's size is chosen before shapes are uploaded.
  if (state.shapesVersion !== request.shapes.version) state.chunkSizes.forget();
  const input = createInput(state, request, timings);
  const output = request.takesArrays ? arrayOutput(request) : await recordsFor(request, sink);
  for (let isAnswered = false; !isAnswered;)
    isAnswered = await answer({ state, planner, request, timings, input, output }, sink);
}

async function recordsFor(request: QueryRequest, sink: QuerySink): Promise<ChunkOutput> {
  const [recordOutput] = await Promise.all([loadRecordOutput(), sink.loadDecoding()]);
  return recordOutput(request);
}

/** Returns false if the query has to be submitted again. */
async function answer(run: Run, sink: QuerySink): Promise<boolean> {
  const { state, planner, request, timings, input, output } = run;
  const { session, seenPairs } = state;
  const form = formRequest(formOfQuery(request), session.kernels.adapter);
  const { shapes, idCount } = request.shapes;
  const assumed = input.isComplete ? seenPairs.assumed(form, shapes.slice(0, idCount)) : undefined;
  const facts = input.facts ?? assumed ?? (await inspect(run));
  const plan = seenPairs.planWith(planner, form, facts);
  await compile(run, [
    ...input.variants,
    ...variantsOfQuery(plan, request.dimension, request.hitsOnly, earliestOf(request)),
    ...output.variants,
  ]);
  let preparing: Promise<void> | undefined;
  const prepareFallback = (): Promise<void> => (preparing ??= compile(run, variantsOfSteps(plan.fallbackSteps)));
  const covers = (): boolean => areEqual(plan, seenPairs.planWith(planner, form, united(facts, input.facts!)));
  const clock = createChunkClock();
  try {
    await runChunks({ state, request, input, plan, output, clock, timings, prepareFallback, covers }, sink);
  } catch (error) {
    if (!(error instanceof Resubmission)) throw error;
    if (error.isOutOfMemory) {
      clearBuffers(state);
      // The chunk may have run on bodies that were not packed.
      if (request.warmStart) state.simplices.drop(request.warmStart);
      input.forget();
    }
    return false;
  }
  seenPairs.add(planner, form, united(facts, input.facts!));
  return true;
}

/** Packs and inspects the input in a submission of its own, and takes the report. */
async function inspect(run: Run): Promise<PairFacts> {
  const { state, timings, input } = run;
  const { session } = state;
  const { device, pool } = session;
  await compile(run, input.variants);
  const { result, verdict } = scoped(device, () => {
    const encoder = device.createCommandEncoder({ label: 'backend.input' });
    const regions = [input.encode(encoder)!];
    const staging = encodeCopies(pool, encoder, regions);
    device.queue.submit([encoder.finish()]);
    return { staging, regions };
  });
  const submitted = performance.now();
  await session.orLost(verdict);
  // To map a destroyed buffer would raise a validation error on the caller's device.
  pool.ensureOpen();
  const [report] = await session.orLost(readCopies(result.staging, result.regions));
  timings.validate += performance.now() - submitted;
  input.take(new Uint8Array(report));
  return input.facts!;
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
