/** The result that a caller asks for, and the form in which a backend is to answer for it. */
import { namesPart } from '../records/result-fields.ts';
import type { AnswerForm, SlotsOf } from './backend.ts';

export interface ResultForm {
  slots: SlotsOf;
  /** Names of the arrays, in the order of `records/result-fields.ts`. */
  fields: readonly string[];
  /** What it is written to, as the caller gave it. */
  target?: unknown;
  /** Whether the reference answers pairs that the backend leaves open. */
  escalates: boolean;
  /**
   * If bodies of pairs are compounds or meshes: whether a pair has the answer of the parts that decide, or one of all its
   * pairs of parts that hit.
   */
  parts?: 'deciding' | 'all';
}

/** Records are for results whose records the host has to look at: to replace answers, or to compare them. */
export function answerForm({ slots: wanted, fields, escalates, parts }: ResultForm): AnswerForm {
  if (wanted === 'earliest' && !parts) return { type: 'records', slots: wanted, keepsOpen: escalates };
  const slots = wanted === 'all' ? wanted : 'hits';
  if (escalates || parts || fields.some(namesPart)) return { type: 'records', slots };
  return { type: 'arrays', slots, fields };
}
