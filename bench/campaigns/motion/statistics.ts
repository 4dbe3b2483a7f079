/** Statistics over the verdicts of many motions. */

import { FAULTS, OUTCOMES, type Fault, type Outcome, type Verdict } from '../../../verification/judges/motion/judge.ts';

export interface Statistics {
  pairs: number;
  outcomes: Record<Outcome, number>;
  faults: Record<Fault, number>;
  /** Number of answers with at least one fault. */
  faulty: number;
  /** Number of answers that could not be judged. */
  unknown: number;
  /** Largest errors; NaN if any error is NaN. */
  distanceError: number;
  supportError: number;
  pointError: number;
}

export function createStatistics(): Statistics {
  return {
    pairs: 0,
    outcomes: zeros(OUTCOMES),
    faults: zeros(Object.keys(FAULTS) as Fault[]),
    faulty: 0,
    unknown: 0,
    distanceError: 0,
    supportError: 0,
    pointError: 0,
  };
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

export function count(
  { outcome, faults, distanceError, supportError, pointError, isUnknown }: Verdict,
  to: Statistics,
): void {
  to.pairs++;
  to.outcomes[outcome]++;
  for (const fault of faults) to.faults[fault]++;
  if (faults.length > 0) to.faulty++;
  if (isUnknown) to.unknown++;
  // `Math.max` keeps NaN.
  to.distanceError = Math.max(to.distanceError, distanceError);
  to.supportError = Math.max(to.supportError, supportError);
  to.pointError = Math.max(to.pointError, pointError);
}

export function add(from: Statistics, to: Statistics): void {
  for (const part of ['pairs', 'faulty', 'unknown'] as const) to[part] += from[part];
  for (const part of ['distanceError', 'supportError', 'pointError'] as const)
    to[part] = Math.max(to[part], from[part]);
  for (const outcome of OUTCOMES) to.outcomes[outcome] += from.outcomes[outcome];
  for (const fault of Object.keys(to.faults) as Fault[]) to.faults[fault] += from.faults[fault];
}
