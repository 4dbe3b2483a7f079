/** The options of the check. */

import { DEFAULT_TOLERANCE } from '../../cli/clash/plan-check.ts';
import { byId } from '../common/dom.ts';
import type { CheckOptions } from './check-messages.ts';

export interface ShownOptions extends CheckOptions {
  /** The axis of the model that points up. */
  up: 'y' | 'z';
}

/** Throws naming the field, its value and what was expected. */
export function readOptions(): ShownOptions {
  const clearance = valueOf('clearance').trim();
  return {
    tolerance: lengthOf('Tolerance', valueOf('tolerance')),
    clearance: clearance === '' ? null : lengthOf('Clearance', clearance),
    ignore: valueOf('ignore')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(patternPair),
    hulls: byId<HTMLInputElement>('hulls').checked,
    up: valueOf('up') === 'z' ? 'z' : 'y',
  };
}

export function setOptions({ clearance, up }: { clearance?: number | null; up?: 'y' | 'z' }): void {
  if (clearance !== undefined) byId<HTMLInputElement>('clearance').value = clearance === null ? '' : String(clearance);
  if (up !== undefined) byId<HTMLSelectElement>('up').value = up;
}

export function resetOptions(): void {
  byId<HTMLInputElement>('tolerance').value = String(DEFAULT_TOLERANCE);
  byId<HTMLInputElement>('clearance').value = '';
  byId<HTMLTextAreaElement>('ignore').value = '';
  byId<HTMLInputElement>('hulls').checked = false;
}

function valueOf(id: string): string {
  return byId<HTMLInputElement>(id).value;
}

function lengthOf(label: string, text: string): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${label} is ${JSON.stringify(text)}, expected a number of at least 0`);
}

/** `A:B`, as for `--pairs`. */
function patternPair(line: string): [string, string] {
  const pair = line.trim().split(':');
  if (pair.length === 2 && pair.every((pattern) => pattern !== '')) return [pair[0], pair[1]];
  throw new Error(
    `The ignored pair is ${JSON.stringify(line)}, expected A:B, two names or patterns; a colon in a name is matched by ?`,
  );
}
