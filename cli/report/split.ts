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

/** `command` is the one whose reports are expected, for errors. */
export function createSplitter(command: 'run' | 'clash' = 'run'): Splitter {
  const expectedReport = `expected a JSON report of narrowphase ${command}`;
  let place: 'before' | 'fields' | 'items' | 'after' = 'before';
  let list: ListName = 'contacts';
  let inString = false;
  let isEscaped = false;
  /** Number of open brackets in the field or item, and whether the field had one. */
  let depth = 0;
  let hadBracket = false;
  /** The beginning of the current field or item, from earlier parts. */
  let part = '';
  /** All before it that is no item. */
  let header = '';
  let items = 0;

  function push(text: string): string[] {
    const found: string[] = [];
    let from = 0;
    const cut = (end: number): string => {
      const whole = part + text.slice(from, end);
      part = '';
      from = end;
      return whole;
    };
    /** An empty list ends without an item. */
    const endItem = (at: number, isLast: boolean): void => {
      const item = cut(at);
      if (isLast && items === 0 && item.trim() === '') return;
      items++;
      found.push(item);
    };
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) inString = false;
      } else if (place === 'before' || place === 'after') {
        if (code === OPEN_OBJECT && place === 'before') {
          place = 'fields';
          header = cut(at + 1);
        } else if (!/\s/.test(text[at])) {
          const expected = place === 'before' ? expectedReport : 'expected nothing';
          throw invalid(`the file has ${quoted(text.slice(at))} ${place} the report, ${expected}`);
        }
      } else if (code === QUOTE) {
        inString = true;
      } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        const key =
          code === OPEN_LIST && place === 'fields' && !hadBracket && LIST_KEY.exec(part + text.slice(from, at));
        if (key) {
          place = 'items';
          list = key[1] as ListName;
          header += cut(at + 1);
          from = at + 1;
        } else {
          depth++;
        }
        hadBracket = true;
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        if (depth > 0) {
          depth--;
        } else if (place === 'items') {
          if (code === CLOSE_OBJECT) {
            throw invalid(`${list}[${items}] is ${quoted(cut(at + 1).trim())}, expected a JSON object`);
          }
          endItem(at, true);
          place = 'fields';
        } else {
          place = 'after';
          header += cut(at + 1);
        }
      } else if (code === COMMA && depth === 0) {
        if (place === 'items') {
          endItem(at, false);
          from = at + 1;
        } else {
          header += cut(at + 1);
          hadBracket = false;
        }
      }
    }
    part = cut(text.length);
    if (part.length > MAX_LENGTH)
      throw invalid(`${partName()} has more than ${MAX_LENGTH} characters, ${expectedReport}`);
    if (header.length > MAX_LENGTH) {
      throw invalid(`the file has more than ${MAX_LENGTH} characters besides its ${list}, ${expectedReport}`);
    }
    return found;
  }

  function partName(): string {
    return place === 'items' ? `${list}[${items}]` : 'a field';
  }

  return {
    push,
    end() {
      if (place === 'before') throw invalid(`the file is empty, ${expectedReport}`);
      if (place !== 'after') throw invalid(`the file ends within ${partName()}, ${expectedReport}`);
      return header;
    },
  };
}

function invalid(message: string): NarrowphaseError {
  return new NarrowphaseError('INVALID_INPUT', message);
}

/** The start of a text, as a JSON string. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
