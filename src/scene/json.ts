/**
 * JSON text with the place of a syntax error. `JSON.parse` gives the position of some errors only, and not in all
 * versions of V8; so when it fails, the text is walked once more by a small grammar that stops at the first wrong token.
 */

import { NarrowphaseError } from '../errors.ts';

/** Parses JSON; throws `INVALID_INPUT` naming line, column (both from 1) and what stands there. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = firstSyntaxError(text);
    const before = text.slice(0, position);
    const line = before.split('\n').length;
    const column = position - before.lastIndexOf('\n');
    const found =
      position < text.length ? `unexpected ${JSON.stringify(text.slice(position, position + 12))}` : 'unexpected end of file';
    throw new NarrowphaseError('INVALID_INPUT', `line ${line}, column ${column}: ${found}, expected JSON`, { cause: error });
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = String.raw`("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")`;
const LITERAL = String.raw`(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)`;
/** Groups: 1 punctuation, 2 string, 3 number or literal. */
const TOKEN = new RegExp(`([{}[\\],:])|${STRING}|${LITERAL}`, 'y');

/** What may come next; `end` is what follows a complete value: a comma, a closing bracket or the end of the text. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'end';

/** Position of the first token that the JSON grammar does not allow; the text's length if the text ends too early. */
function firstSyntaxError(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  let position = 0;
  for (;;) {
    SPACE.lastIndex = position;
    position += SPACE.exec(text)![0].length;
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (!match) return position;
    const [token, mark, string, literal] = match;
    const next = follow(expected, open, mark, string !== undefined, literal !== undefined);
    if (next === undefined) return position;
    expected = next;
    position += token.length;
  }
}

/** One step of the grammar: what is expected after this token, or undefined where it is not allowed. */
function follow(
  expected: Expected,
  open: string[],
  mark: string | undefined,
  isString: boolean,
  isLiteral: boolean,
): Expected | undefined {
  const closes =
    (mark === '}' && open.at(-1) === '{' && (expected === 'end' || expected === 'key or }')) ||
    (mark === ']' && open.at(-1) === '[' && (expected === 'end' || expected === 'value or ]'));
  if (closes) {
    open.pop();
    return 'end';
  }
  switch (expected) {
    case 'key':
    case 'key or }':
      return isString ? 'colon' : undefined;
    case 'colon':
      return mark === ':' ? 'value' : undefined;
    case 'end':
      if (mark !== ',' || open.length === 0) return undefined;
      return open.at(-1) === '{' ? 'key' : 'value';
    default:
      if (isString || isLiteral) return 'end';
      if (mark !== '{' && mark !== '[') return undefined;
      open.push(mark);
      return mark === '{' ? 'key or }' : 'value or ]';
  }
}
