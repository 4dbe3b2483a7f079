/** Lines of a text file, decoded piece by piece: the whole text may be longer than a string can be. */

import { refuseAsTooLarge } from './refusal.ts';

/** Bytes that are decoded at once. */
const PIECE = 2 ** 20;
/** Most bytes of a line. */
const LONGEST_LINE = 2 ** 24;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The lines of UTF-8 text without their ends: LF, CRLF or CR. Bytes that are not UTF-8 become U+FFFD. */
export function* linesOf(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length;) {
    const end = pieceEnd(bytes, start);
    const lines = decoder.decode(bytes.subarray(start, end)).split(/\r\n|\n|\r/);
    // A piece that ends with the end of a line leaves an empty text behind it.
    if (lines[lines.length - 1] === '') lines.pop();
    yield* lines;
    start = end;
  }
}

/** The end of the last line within a piece, or of the first line if that is longer. */
function pieceEnd(bytes: Uint8Array, start: number): number {
  if (bytes.length - start <= PIECE) return bytes.length;
  let end = start + PIECE;
  while (end > start && !endsLine(bytes, end)) end--;
  if (end > start) return end;
  for (end = start + PIECE; end < bytes.length && !endsLine(bytes, end); end++) {
    if (end - start === LONGEST_LINE)
      refuseAsTooLarge(`a line has more than ${LONGEST_LINE} bytes, expected at most that`);
  }
  return end;
}

/** Whether a line ends right before `at`, its end included. */
function endsLine(bytes: Uint8Array, at: number): boolean {
  const last = bytes[at - 1];
  return last === LINE_FEED || (last === CARRIAGE_RETURN && bytes[at] !== LINE_FEED);
}
