/** The searches of a trace in their order, each a run of steps: what the time line shows. */

import type { Step } from './step.ts';

export interface Phase {
  name: string;
  /** Index of its first step, and of the one after its last. */
  first: number;
  end: number;
}

const NAMES: Record<Step['type'], string> = {
  pair: 'Pair',
  'closed-form': 'Closed form',
  newton: 'Newton',
  gjk: 'GJK',
  'gjk-end': 'GJK',
  sat: 'SAT',
  mpr: 'MPR',
  'mpr-end': 'MPR',
  'epa-start': 'EPA',
  epa: 'EPA',
  'epa-end': 'EPA',
  refine: 'Refine',
  'arcs-start': 'Arcs',
  'arcs-face': 'Arcs',
  arc: 'Arcs',
  'arcs-end': 'Arcs',
  cast: 'Cast',
  'cast-end': 'Cast',
  swept: 'Swept GJK',
  crossing: 'Velocity EPA',
  'crossing-end': 'Velocity EPA',
  advance: 'Advancement',
  'swept-sat': 'Swept SAT',
  manifold: 'Clipping',
  result: 'Result',
};

/** Searches within conservative advancement are part of it. */
export function phasesOf(steps: readonly Step[]): Phase[] {
  const phases: Phase[] = [];
  const searches = searchesOf(steps);
  searches.forEach((search, i) => {
    const isWithin =
      NAMES.advance === search.name ||
      (isInner(search) && searches.slice(i).find((one) => !isInner(one))?.name === NAMES.advance);
    const name = isWithin ? NAMES.advance : search.name;
    const last = phases.at(-1);
    if (isWithin && last?.name === name) last.end = search.end;
    else phases.push({ ...search, name });
  });
  return phases;
}

/** Searches that find the gap of bodies at one time. */
function isInner({ name }: Phase): boolean {
  return ['GJK', 'EPA', 'SAT', 'Arcs', 'Refine', 'Newton', 'Closed form'].includes(name);
}

/** Each run of one search. */
export function searchesOf(steps: readonly Step[]): Phase[] {
  const searches: Phase[] = [];
  steps.forEach((step, i) => {
    const name = step.type === 'epa-start' && hasCrossing(steps, i) ? 'Velocity EPA' : NAMES[step.type];
    const last = searches.at(-1);
    const isNew =
      !last ||
      last.name !== name ||
      ['gjk-end', 'epa-end', 'arcs-end', 'mpr-end', 'cast-end', 'crossing-end'].includes(steps[i - 1].type);
    if (isNew) searches.push({ name, first: i, end: i + 1 });
    else last.end = i + 1;
  });
  return searches;
}

function hasCrossing(steps: readonly Step[], i: number): boolean {
  return steps[i + 1]?.type === 'crossing';
}

export function phaseAt(phases: readonly Phase[], at: number): Phase {
  return phases.find(({ end }) => at < end)!;
}
