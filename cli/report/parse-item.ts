import { invalidInput } from '../../src/api/errors.ts';

/** Parses an item of a report. `path` names it in errors. */
export function parseItem(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return invalidInput(path, text.trim(), 'a JSON object');
  }
}
