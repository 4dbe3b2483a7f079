/** The sections of a report on frames. */

import { layouts } from '../../src/generated/layouts.ts';
import { digits, table } from '../markdown.ts';
import type { FrameCase } from './measure.ts';
import { MOVE } from './mover.ts';
import { FRAME_SCENES, type FrameSceneName } from './scenes.ts';

const TITLES: Record<FrameSceneName, string> = {
  heap: 'A heap of similar boxes',
  mixed: 'Boxes of edges from 1 to 1000',
  ring: 'A ring of bricks',
};

const NOTES: Partial<Record<FrameSceneName, string>> = {
  ring:
    'Heaps of as many bricks as three-avbd publishes times of. On an Apple M4 Max, another machine, three-avbd takes 4 ms ' +
    'for the broad and the narrow phase of 110,000 bricks and 8.4 ms for 506,000.',
};

/** Bodies between which the cost per body is compared, and those at which other searches are. */
const GROWTH = { from: 10_000, to: 1_000_000 };
const COMPARED = 100_000;

const RAPIER =
  '- Rapier: dynamic bodies that move as far. *detection*, and *broad phase* as a part of it: its own timings of a ' +
  'step, wall time on one thread, without the solver';

export function howMeasured(rounds: number, seed: number, hasRapier: boolean): string[] {
  return [
    `A frame: a compute shader moves all bodies by up to ${MOVE} of their edge along each axis, in the caller's buffer of ` +
      'poses; a batch finds the pairs and their manifolds; the counts are read back. Rotated boxes ' +
      `(seed ${seed}), margin 0. Medians of ${rounds} rounds; all subjects of a row run by turns. Pairs are those of the ` +
      'bounding boxes in the first frame; `findPairs` on the CPU found the same number unless the row says otherwise.',
    '',
    '- *frame*: from encoding until the counts are on the host. *processor*: of all threads of the process, which on ' +
      'software adapters do the work of the GPU',
    '- *bounds and grid*, *pairs*, *narrow phase*: timestamps around the kernels, each in a compute pass of its own',
    "- *pairs alone*: a frame of a batch with `query: 'pairs'`. *ns per body*: its processor time on software " +
      'adapters, its wall time otherwise',
    "- *findPairs*, *manifolds*: from the caller's arrays to arrays of results",
    ...(hasRapier ? [RAPIER] : []),
    `- –: not measured, or no room on this device for the manifolds (${layouts.Manifold.size} bytes per pair)`,
  ];
}

export function sceneSections(cases: readonly FrameCase[], isSoftware: boolean): string[] {
  return FRAME_SCENES.flatMap((scene) => {
    const own = cases.filter((each) => each.scene === scene);
    if (own.length === 0) return [];
    const note = NOTES[scene];
    return [`## ${TITLES[scene]}`, '', ...(note ? [note, ''] : []), ...sceneTable(own, isSoftware), ''];
  });
}

function sceneTable(cases: readonly FrameCase[], isSoftware: boolean): string[] {
  const head = [
    'bodies',
    'pairs per body',
    'hits per body',
    'frame ms',
    'processor ms',
    'bounds and grid ms',
    'pairs ms',
  ];
  const others = ['narrow phase ms', 'pairs alone ms', 'ns per body', 'findPairs ms', 'manifolds ms'];
  const rapier = cases.some((each) => each.rapier) ? ['Rapier detection ms', 'its broad phase ms'] : [];
  const rows = cases.map((each) => [
    each.bodies.toLocaleString('en-US'),
    pairsText(each),
    each.hits === null ? '–' : (each.hits / each.bodies).toFixed(2),
    cell(each.frame?.wallMs),
    cell(each.frame?.processorMs),
    cell(each.stages?.bounds),
    cell(each.stages?.pairs),
    cell(each.frame ? each.stages?.narrowPhase : undefined),
    cell(each.pairsOnly.wallMs),
    digits(costPerBody(each, isSoftware)),
    cell(each.host?.findPairsMs),
    cell(each.host?.manifoldsMs),
    ...(rapier.length > 0 ? [cell(each.rapier?.collisionDetectionMs), cell(each.rapier?.broadPhaseMs)] : []),
  ]);
  const columns = [...head, ...others, ...rapier];
  return table(
    columns,
    rows,
    columns.map((_, k) => k),
  );
}

function pairsText({ pairs, pairsOfHost, bodies }: FrameCase): string {
  const text = (pairs / bodies).toFixed(1);
  if (pairsOfHost === null || pairsOfHost === pairs) return text;
  const difference = Math.abs(pairsOfHost - pairs);
  return `${text} (findPairs: ${difference} ${pairsOfHost > pairs ? 'more' : 'fewer'})`;
}

/** Nanoseconds of the search for pairs. */
function costPerBody({ pairsOnly, bodies }: FrameCase, isSoftware: boolean): number {
  return (1e6 * (isSoftware ? pairsOnly.processorMs : pairsOnly.wallMs)) / bodies;
}

/** What targets are set for, beside what was measured. */
export function targetTable(cases: readonly FrameCase[], isSoftware: boolean): string[] {
  const rows: string[][] = [];
  const at = (scene: FrameSceneName, bodies: number): FrameCase | undefined =>
    cases.find((each) => each.scene === scene && each.bodies === bodies);
  for (const scene of ['heap', 'mixed'] as const) {
    const [few, many] = [at(scene, GROWTH.from), at(scene, GROWTH.to)];
    if (few && many) {
      const growth = costPerBody(many, isSoftware) / costPerBody(few, isSoftware);
      rows.push([`${scene}: cost per body at 1 M, as a multiple of that at 10 k`, digits(growth), 'less than 2']);
    }
  }
  const heap = at('heap', COMPARED);
  if (heap?.rapier && heap.frame) {
    const { collisionDetectionMs } = heap.rapier;
    const ratio = digits(collisionDetectionMs / heap.frame.wallMs);
    rows.push(["100,000 similar boxes: Rapier's detection / frame", ratio, 'at least 3']);
  }
  const bytes = Math.max(...cases.map(({ bytesPerBody }) => bytesPerBody));
  rows.push(['bytes per body besides pairs and the poses', digits(bytes), 'at most 200']);
  return table(['target', 'measured', 'wanted'], rows, [1]);
}

function cell(value: number | undefined): string {
  return value === undefined ? '–' : digits(value);
}
