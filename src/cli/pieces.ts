/**
 * A question to an engine, asked piece by piece: so that an engine needs memory for a piece only, progress can be
 * shown, and a piece that an engine did not survive can be asked again. Answers don't depend on where the pieces are
 * cut.
 */

import type { Answer, CallTimings, Engine, Question, Reply } from '../../verification/engines/engine.ts';

/** A piece should take this long; it grows and shrinks with the speed measured. */
const TARGET_MS = 1000;
const FIRST_PAIRS = 16_384;
const LEAST_PAIRS = 256;
const MOST_PAIRS = 262_144;

/** Pairs from `first` to before `end`. */
export interface Range {
  first: number;
  end: number;
}

/** Answers of consecutive pieces; `answer.pair` counts from the first of all the question's pairs. */
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
    // An engine that tells no times is asked all the same.
    const spent = Math.max(timings.total - timings.compile, 1) || TARGET_MS;
    const wanted = ((end - first) * TARGET_MS) / spent;
    size = Math.max(LEAST_PAIRS, Math.min(MOST_PAIRS, Math.floor(Math.min(wanted, 4 * size))));
    first = end;
  } while (first < range.end);
}

/** All pieces as one reply, which takes the memory of its arrays and little more. `onPiece` hears of each. */
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

/** The answer with arrays of their own, where they are views of a whole message: else each would keep all of it. */
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
    // One field after the other: the pieces' own arrays are free to go as soon as theirs is joined.
    for (const answer of answers) delete (answer as unknown as Record<string, unknown>)[name];
  }
  return joined as unknown as Answer;
}
