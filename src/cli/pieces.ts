/**
 * Runs a query on an engine piece by piece. The engine then needs memory for one piece only, progress can be shown, and
 * a piece that crashed an engine can be retried. Answers don't depend on where the pieces begin and end.
 */

import type { Answer, CallTimings, Engine, Question, Reply } from '../../verification/engines/engine.ts';

/** Target duration of a piece. Its size follows the measured speed. */
const TARGET_MS = 1000;
const FIRST_PAIRS = 16_384;
const LEAST_PAIRS = 256;
const MOST_PAIRS = 262_144;

/** Pairs from `first` up to but not including `end`. */
export interface Range {
  first: number;
  end: number;
}

/** Answers of consecutive pieces. `answer.pair` counts from the first of all pairs of the question. */
export interface Piece extends Range {
  answer: Answer;
  timings: CallTimings;
}

export async function* askPieces(
  engine: Engine,
  question: Question,
  range: Range = { first: 0, end: question.pairs.length / 2 },
): AsyncGenerator<Piece> {
  let size = FIRST_PAIRS;
  let { first } = range;
  do {
    const end = Math.min(first + size, range.end);
    const { answer, timings } = await engine.ask({ ...question, pairs: question.pairs.subarray(2 * first, 2 * end) });
    for (let slot = 0; slot < answer.count; slot++) answer.pair[slot] += first;
    yield { first, end, answer, timings };
    // If an engine reports no times, pieces keep their size.
    const spent = Math.max(timings.total - timings.compile, 1) || TARGET_MS;
    const wanted = ((end - first) * TARGET_MS) / spent;
    size = Math.max(LEAST_PAIRS, Math.min(MOST_PAIRS, Math.floor(Math.min(wanted, 4 * size))));
    first = end;
  } while (first < range.end);
}

/**
 * Joins all pieces into one reply, with little more memory than its arrays take. `onPiece` is called after each piece.
 */
export async function collect(
  pieces: AsyncIterable<Piece>,
  onPiece: (piece: Piece) => void = () => {},
): Promise<Reply> {
  const answers: Answer[] = [];
  const timings: CallTimings = { total: 0, compile: 0, kernels: 0, readBack: 0 };
  for await (const piece of pieces) {
    onPiece(piece);
    answers.push(owning(piece.answer));
    for (const part of ['total', 'compile', 'kernels', 'readBack'] as const) timings[part] += piece.timings[part];
  }
  return { answer: concatenate(answers), timings };
}

/** The answer with copies of arrays that are views of a whole message, which each of them would keep in memory. */
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
  const joined: Record<string, unknown> = {
    count,
    statusCounts: [0, 1, 2, 3, 4].map((status) =>
      answers.reduce((sum, { statusCounts }) => sum + statusCounts[status], 0),
    ),
  };
  for (const [name, first] of Object.entries(answers[0])) {
    if (!ArrayBuffer.isView(first)) continue;
    const parts = answers.map((answer) => (answer as unknown as Record<string, Float64Array>)[name]);
    const whole = new (first.constructor as Float64ArrayConstructor)(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    joined[name] = whole;
    // Fields are joined one by one, so that the pieces' arrays of a field can be freed as soon as it is joined.
    for (const answer of answers) delete (answer as unknown as Record<string, unknown>)[name];
  }
  return joined as unknown as Answer;
}
