/** The panel's figures: what a run holds, and how long the stages of a step take. */

import { byId, fillRows, showNotice } from '../common/dom.ts';
import { createChart } from './chart.ts';
import type { Run } from './run.ts';

/** A figure that is not known before the first step. */
const UNKNOWN = '–';

export const figure = (value: number): string => value.toLocaleString('en');

/** Returns a function that shows the figures of a run as it is. */
export function createFigures(backend: 'webgpu' | 'cpu'): (run: Run) => Promise<void> {
  const chart = createChart(byId('chart'));
  const isOnGpu = backend === 'webgpu';

  return async (run) => {
    const { simulation, scene, steps } = run;
    // Before the first step the simulation's counts are those of the run that was computed ahead, or zeros.
    const [counts, timings] =
      steps > 0 ? await Promise.all([simulation.readCounts(), simulation.readTimings()]) : [undefined, undefined];
    const isSame = await run.isSameAsFirst();
    fillRows(byId('figures'), [
      ['Backend', isOnGpu ? 'WebGPU' : 'CPU'],
      ['Bodies', figure(scene.firstBall - 1)],
      ['Pairs', counts ? figure(counts.pairs) : UNKNOWN],
      ['Contacts', counts ? figure(counts.contacts) : UNKNOWN],
      ['Steps', figure(steps)],
      ...(isSame === undefined ? [] : ([['Same bits as the first run', isSame ? 'yes' : 'no']] as const)),
    ]);
    if (counts && counts.overflow > 0) {
      showNotice('warning', 'Buffers are full', `${figure(counts.overflow)} pairs were left out of the last step`);
    }
    // A device without timestamps has no timings, and neither has one whose last ones are still being read.
    if (steps > 0 && !timings) return;
    const milliseconds = (stage: 'pairs' | 'manifolds' | 'solver'): string => timings?.[stage].toFixed(2) ?? UNKNOWN;
    fillRows(byId('timings'), [
      ...(isOnGpu ? ([['Pairs', milliseconds('pairs')]] as const) : []),
      [isOnGpu ? 'Manifolds' : 'Pairs and manifolds', milliseconds('manifolds')],
      ['Solver', milliseconds('solver')],
    ]);
    if (timings) chart(timings);
  };
}
