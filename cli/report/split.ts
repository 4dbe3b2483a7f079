/**
 * Splits the text of a report while it is read: its items (contacts or clashes), which can take hundreds of megabytes,
 * are separated from the rest. Whitespace between tokens and the order of fields don't matter. Items are found by
 * counting brackets; the reader has to check that they are valid JSON.
 */

import { NarrowphaseError } from '../../src/api/errors.ts';

export interface Splitter {
  /** Takes the next part of the text; returns the items that end in it. */
  push(text: string): string[];
  /** The report with an empty list of items. Throws if the text is incomplete. */
  end(): string;
}

/** The lists of items that reports have: of `run`, and of `clash`. */
export const LISTS = ['contacts', 'clashes'] as const;
export type ListName = (typeof LISTS)[number];

/** Most characters of an item, and of the rest: many times what is written. */
const MAX_LENGTH = 2 ** 20;
const LIST_KEY = new RegExp(`^\\s*"(${LISTS.join('|')})"\\s*:\\s*$`);
const [QUOTE, BACKSLASH, COMMA] = new TextEncoder().encode('"\\,');
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = new TextEncoder().encode('[]{}');

/** What is known of the text so far. */
interface Progress {
  place: 'before' | 'fields' | 'items' | 'after';
  list: ListName;
  inString: boolean;
  isEscaped: boolean;
  /** Number of open brackets in the field or item, and whether the field had one. */
  depth: number;
  hadBracket: boolean;
  /** The part that is read, and where the current field or item begins in it. */
  text: string;
  from: number;
  /** The beginning of the current field or item, from earlier parts. */
  earlier: string;
  /** All before it that is no item. */
  header: string;
  /** Items that ended: all of them, and those in the part that is read. */
  count: number;
  items: string[];
  expectedReport: string;
}

/** `command` is the one whose reports are expected, for errors. */
export function createSplitter(command: 'run' | 'clash' = 'run'): Splitter {
  const progress: Progress = {
    place: 'before',
    list: 'contacts',
    inString: false,
    isEscaped: false,
    depth: 0,
    hadBracket: false,
    text: '',
    from: 0,
    earlier: '',
    header: '',
    count: 0,
    items: [],
    expectedReport: `expected a JSON report of narrowphase ${command}`,
  };
  return {
    push(text) {
      progress.text = text;
      progress.from = 0;
      progress.items = [];
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (progress.inString) readInString(progress, code);
        else if (progress.place === 'fields' || progress.place === 'items') readInReport(progress, at, code);
        else readAround(progress, at, code);
      }
      progress.earlier = cut(progress, text.length);
      checkLengths(progress);
      return progress.items;
    },
    end() {
      const { place, header, expectedReport } = progress;
      if (place === 'before') throw invalid(`the file is empty, ${expectedReport}`);
      if (place !== 'after') throw invalid(`the file ends within ${partName(progress)}, ${expectedReport}`);
      return header;
    },
  };
}

function readInString(progress: Progress, code: number): void {
  if (progress.isEscaped) progress.isEscaped = false;
  else if (code === BACKSLASH) progress.isEscaped = true;
  else if (code === QUOTE) progress.inString = false;
}

/** Before and after the report there is only whitespace. */
function readAround(progress: Progress, at: number, code: number): void {
  const { place, text, expectedReport } = progress;
  if (code === OPEN_OBJECT && place === 'before') {
    progress.place = 'fields';
    progress.header = cut(progress, at + 1);
  } else if (!/\s/.test(text[at])) {
    const expected = place === 'before' ? expectedReport : 'expected nothing';
    throw invalid(`the file has ${quoted(text.slice(at))} ${place} the report, ${expected}`);
  }
}

function readInReport(progress: Progress, at: number, code: number): void {
  if (code === QUOTE) progress.inString = true;
  else if (code === OPEN_LIST || code === OPEN_OBJECT) openBracket(progress, at, code);
  else if (code === CLOSE_LIST || code === CLOSE_OBJECT) closeBracket(progress, at, code);
  else if (code === COMMA && progress.depth === 0) separate(progress, at);
}

function openBracket(progress: Progress, at: number, code: number): void {
  const mayBeList = code === OPEN_LIST && progress.place === 'fields' && !progress.hadBracket;
  const key = mayBeList ? LIST_KEY.exec(progress.earlier + progress.text.slice(progress.from, at)) : null;
  progress.hadBracket = true;
  if (!key) {
    progress.depth++;
    return;
  }
  progress.place = 'items';
  progress.list = key[1] as ListName;
  progress.header += cut(progress, at + 1);
}

function closeBracket(progress: Progress, at: number, code: number): void {
  if (progress.depth > 0) {
    progress.depth--;
  } else if (progress.place === 'items') {
    if (code === CLOSE_OBJECT) {
      throw invalid(`${partName(progress)} is ${quoted(cut(progress, at + 1).trim())}, expected a JSON object`);
    }
    endItem(progress, at, true);
    progress.place = 'fields';
  } else {
    progress.place = 'after';
    progress.header += cut(progress, at + 1);
  }
}

/** A comma between fields belongs to the header; one between items to neither. */
function separate(progress: Progress, at: number): void {
  if (progress.place === 'items') {
    endItem(progress, at, false);
    progress.from = at + 1;
  } else {
    progress.header += cut(progress, at + 1);
    progress.hadBracket = false;
  }
}

/** An empty list ends without an item. */
function endItem(progress: Progress, at: number, isLast: boolean): void {
  const item = cut(progress, at);
  if (isLast && progress.count === 0 && item.trim() === '') return;
  progress.count++;
  progress.items.push(item);
}

/** The text of the current field or item up to `end`, where the next one begins. */
function cut(progress: Progress, end: number): string {
  const whole = progress.earlier + progress.text.slice(progress.from, end);
  progress.earlier = '';
  progress.from = end;
  return whole;
}

function checkLengths(progress: Progress): void {
  const { earlier, header, list, expectedReport } = progress;
  if (earlier.length > MAX_LENGTH) {
    throw invalid(`${partName(progress)} has more than ${MAX_LENGTH} characters, ${expectedReport}`);
  }
  if (header.length > MAX_LENGTH) {
    throw invalid(`the file has more than ${MAX_LENGTH} characters besides its ${list}, ${expectedReport}`);
  }
}

function partName({ place, list, count }: Progress): string {
  return place === 'items' ? `${list}[${count}]` : 'a field';
}

function invalid(message: string): NarrowphaseError {
  return new NarrowphaseError('INVALID_INPUT', message);
}

/** The start of a text, as a JSON string. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
