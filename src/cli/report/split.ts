/**
 * Splits the text of a report while it is read: its contacts, which can take hundreds of megabytes, are separated from
 * the rest. Whitespace between tokens and the order of fields don't matter. Contacts are found by counting brackets;
 * the reader has to check that they are valid JSON.
 */

import { NarrowphaseError } from '../../api/errors.ts';

export interface Splitter {
  /** Takes the next part of the text; returns the contacts that end in it. */
  push(text: string): string[];
  /** The report with an empty list of contacts. Throws if the text is incomplete. */
  end(): string;
}

/** Most characters of a contact, and of the rest: many times what `run` writes. */
const MAX_LENGTH = 2 ** 20;
const CONTACTS_KEY = /^\s*"contacts"\s*:\s*$/;
const REPORT = 'expected a JSON report of narrowphase run';
const [QUOTE, BACKSLASH, COMMA] = new TextEncoder().encode('"\\,');
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = new TextEncoder().encode('[]{}');

export function createSplitter(): Splitter {
  let place: 'before' | 'fields' | 'contacts' | 'after' = 'before';
  let inString = false;
  let isEscaped = false;
  /** Number of open brackets in the field or contact, and whether the field had one. */
  let depth = 0;
  let hadBracket = false;
  /** The beginning of the current field or contact, from earlier parts. */
  let part = '';
  /** All before it that is no contact. */
  let header = '';
  let contacts = 0;

  function push(text: string): string[] {
    const found: string[] = [];
    let from = 0;
    const cut = (end: number): string => {
      const whole = part + text.slice(from, end);
      part = '';
      from = end;
      return whole;
    };
    /** An empty list ends without a contact. */
    const endContact = (at: number, isLast: boolean): void => {
      const contact = cut(at);
      if (isLast && contacts === 0 && contact.trim() === '') return;
      contacts++;
      found.push(contact);
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
          const expected = place === 'before' ? REPORT : 'expected nothing';
          throw invalid(`the file has ${quoted(text.slice(at))} ${place} the report, ${expected}`);
        }
      } else if (code === QUOTE) {
        inString = true;
      } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        if (code === OPEN_LIST && place === 'fields' && !hadBracket && CONTACTS_KEY.test(part + text.slice(from, at))) {
          place = 'contacts';
          header += cut(at + 1);
          from = at + 1;
        } else {
          depth++;
        }
        hadBracket = true;
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        if (depth > 0) {
          depth--;
        } else if (place === 'contacts') {
          if (code === CLOSE_OBJECT) {
            throw invalid(`contacts[${contacts}] is ${quoted(cut(at + 1).trim())}, expected a JSON object`);
          }
          endContact(at, true);
          place = 'fields';
        } else {
          place = 'after';
          header += cut(at + 1);
        }
      } else if (code === COMMA && depth === 0) {
        if (place === 'contacts') {
          endContact(at, false);
          from = at + 1;
        } else {
          header += cut(at + 1);
          hadBracket = false;
        }
      }
    }
    part = cut(text.length);
    if (part.length > MAX_LENGTH) throw invalid(`${partName()} has more than ${MAX_LENGTH} characters, ${REPORT}`);
    if (header.length > MAX_LENGTH) {
      throw invalid(`the file has more than ${MAX_LENGTH} characters besides its contacts, ${REPORT}`);
    }
    return found;
  }

  function partName(): string {
    return place === 'contacts' ? `contacts[${contacts}]` : 'a field';
  }

  return {
    push,
    end() {
      if (place === 'before') throw invalid(`the file is empty, ${REPORT}`);
      if (place !== 'after') throw invalid(`the file ends within ${partName()}, ${REPORT}`);
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
