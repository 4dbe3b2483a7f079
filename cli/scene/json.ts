/**
 * Checks JSON text before `JSON.parse`, for three reasons. `JSON.parse` gives the place of only some syntax errors, and
 * not in all versions of V8. It accepts duplicate keys. Deeply nested brackets cost it gigabytes. The check is one pass
 * over the characters, without recursion, so it handles text of any length.
 */

import { NarrowphaseError } from '../../src/api/errors.ts';

/** Most open brackets at once. */
const MAX_DEPTH = 2 ** 20;

/** Parses JSON. Throws `INVALID_INPUT` with line and column, both counted from 1, and a description of the error. */
export function parseJson(text: string): unknown {
  checkJson(text);
  return JSON.parse(text);
}

/** What may come next. `end` stands for the end of a value: a comma, a closing bracket or the end of the text. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'end';

function checkJson(text: string): void {
  /** For each open object its keys so far, for each open list null. */
  const open: (Set<string> | null)[] = [];
  let expected: Expected = 'value';
  let end = 0;
  for (let start = spaceEnd(text, 0); start < text.length; start = spaceEnd(text, end)) {
    const inner = open.at(-1);
    const mark = text[start];
    end = start + 1;
    if (mark === ',' && expected === 'end' && inner !== undefined) {
      expected = inner ? 'key' : 'value';
    } else if (mark === ':' && expected === 'colon') {
      expected = 'value';
    } else if (mark === ']' && inner === null && (expected === 'end' || expected === 'value or ]')) {
      open.pop();
      expected = 'end';
    } else if (mark === '}' && inner && (expected === 'end' || expected === 'key or }')) {
      open.pop();
      expected = 'end';
    } else if (mark === '"' && inner && (expected === 'key' || expected === 'key or }')) {
      end = stringEnd(text, start);
      if (end > start) addKey(inner, text, start, end);
      expected = 'colon';
    } else if (expected !== 'value' && expected !== 'value or ]') {
      end = start;
    } else if (mark === '[' || mark === '{') {
      if (open.length === MAX_DEPTH) {
        fail(text, start, `brackets nested more than ${MAX_DEPTH} deep, expected at most that`);
      }
      open.push(mark === '{' ? new Set() : null);
      expected = mark === '{' ? 'key or }' : 'value or ]';
    } else {
      end = valueEnd(text, start, mark);
      expected = 'end';
    }
    if (end === start) fail(text, start, `unexpected ${JSON.stringify(text.slice(start, start + 12))}, expected JSON`);
  }
  if (expected !== 'end' || open.length > 0) fail(text, text.length, 'unexpected end of file, expected JSON');
}

function addKey(keys: Set<string>, text: string, start: number, end: number): void {
  const raw = text.slice(start + 1, end - 1);
  const key = raw.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : raw;
  if (keys.has(key)) {
    const shown = JSON.stringify(key.length > 60 ? `${key.slice(0, 57)}...` : key);
    fail(text, start, `the key ${shown} is given twice in one object, expected once`);
  }
  keys.add(key);
}

/** Throws with the line and column of `position`. It reads the text up to there once and copies nothing. */
function fail(text: string, position: number, what: string): never {
  let line = 1;
  let lineStart = 0;
  for (let next = text.indexOf('\n'); next >= 0 && next < position; next = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = next + 1;
  }
  throw new NarrowphaseError('INVALID_INPUT', `line ${line}, column ${position - lineStart + 1}: ${what}`);
}

function spaceEnd(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The end of the string, number or word at `start`, whose first character is `mark`; `start` if there is none. */
function valueEnd(text: string, start: number, mark: string): number {
  if (mark === '"') return stringEnd(text, start);
  if (mark === '-' || isDigit(text.charCodeAt(start))) return numberEnd(text, start);
  const word = ['true', 'false', 'null'].find((each) => text.startsWith(each, start)) ?? '';
  return start + word.length;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return start;
    if (code !== 0x5c) continue;
    at++;
    if (text[at] === 'u' && /^[\da-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) at += 4;
    else if (!'"\\/bfnrt'.includes(text[at] ?? 'none')) return start;
  }
  return start;
}

function numberEnd(text: string, start: number): number {
  const whole = text[start] === '-' ? start + 1 : start;
  let end = text[whole] === '0' ? whole + 1 : digitsEnd(text, whole);
  if (end === whole) return start;
  if (text[end] === '.') end = afterDigits(text, end, end + 1);
  if (text[end] !== 'e' && text[end] !== 'E') return end;
  const hasSign = text[end + 1] === '+' || text[end + 1] === '-';
  return afterDigits(text, end, hasSign ? end + 2 : end + 1);
}

/** The end of the digits that begin at `first`; `otherwise` if there are none. */
function afterDigits(text: string, otherwise: number, first: number): number {
  const end = digitsEnd(text, first);
  return end > first ? end : otherwise;
}

function digitsEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
