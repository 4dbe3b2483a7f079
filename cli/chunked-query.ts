/**
 * Splits a query into chunks of pairs. The engine then needs memory for one chunk only, progress can be shown, and a
 * chunk can be repeated after a crash. Answers do not depend on the size of the chunks.
 */

import type { Answer, CallTimings, Engine, Question, Reply } from '../verification/engines/engine.ts';
import { joinColumns } from './columns.ts';

/** Target duration of a chunk. The size of the next chunk follows from the measured speed. */
const TARGET_MS = 1000;
const FIRST_PAIRS = 16_384;
const LEAST_PAIRS = 256;
const MOST_PAIRS = 262_144;

/** Pairs from `first` up to but not including `end`. */
export interface Range {
  first: number;
  end: number;
}

/** The answer for one chunk. `answer.pair` counts from the first pair of the question, not of the chunk. */
export interface Chunk extends Range {
  answer: Answer;
  timings: CallTimings;
}

export async function* askInChunks(
  engine: Engine,
  question: Question,
  range: Range = { first: 0, end: question.pairs.length / 2 },
): AsyncGenerator<Chunk> {
  let size = FIRST_PAIRS;
  let { first } = range;
  do {
    const end = Math.min(first + size, range.end);
    const { answer, timings } = await engine.ask({ ...question, pairs: question.pairs.subarray(2 * first, 2 * end) });
    for (let slot = 0; slot < answer.count; slot++) answer.pair[slot] += first;
    yield { first, end, answer, timings };
    // An engine that reports no times counts as one that takes exactly the target duration.
    const spent = Math.max(timings.total - timings.compile, 1) || TARGET_MS;
    const wanted = ((end - first) * TARGET_MS) / spent;
    size = Math.max(LEAST_PAIRS, Math.min(MOST_PAIRS, Math.floor(Math.min(wanted, 4 * size))));
    first = end;
  } while (first < range.end);
}

/** Joins all chunks into one reply, with little memory beyond its arrays. Calls `onChunk` for each chunk. */
export async function collectChunks(
  chunks: AsyncIterable<Chunk>,
  onChunk: (chunk: Chunk) => void = () => {},
): Promise<Reply> {
  const answers: Answer[] = [];
  const timings: CallTimings = { total: 0, compile: 0, kernels: 0, readBack: 0 };
  for await (const chunk of chunks) {
    onChunk(chunk);
    answers.push(owning(chunk.answer));
    for (const part of ['total', 'compile', 'kernels', 'readBack'] as const) timings[part] += chunk.timings[part];
  }
  return { answer: concatenate(answers), timings };
}

/** Copies arrays that are views of a larger message, which would otherwise stay in memory as a whole. */
function owning(answer: Answer): Answer {
  const owned = Object.entries(answer).map(([name, value]) => {
    const isView = ArrayBuffer.isView(value) && value.byteLength < value.buffer.byteLength;
    return [name, isView ? (value as Float64Array).slice() : value] as const;
  });
  return Object.fromEntries(owned) as Answer;
}

function concatenate(answers: Answer[]): Answer {
  if (answers.length === 1) return answers[0];
  const count = answers.reduce((sum, answer) => sum + answer.count, 0);
  const statusCounts = [0, 1, 2, 3, 4].map((status) =>
    answers.reduce((sum, answer) => sum + answer.statusCounts[status], 0),
  );
  const columns = answers.map((answer) =>
    Object.fromEntries(
      Object.entries(answer).filter((entry): entry is [string, Float64Array] => ArrayBuffer.isView(entry[1])),
    ),
  );
  answers.length = 0;
  return { count, statusCounts, ...joinColumns(columns) } as unknown as Answer;
}
