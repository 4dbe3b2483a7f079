/** The panel's figures: what a run holds, and how long the stages of a step and its drawing take. */

import { byId, fillRows, showNotice } from '../common/dom.ts';
import { createChart } from './chart.ts';
import type { DrawingClock } from './drawing-clock.ts';
import type { Run } from './run.ts';
import type { Timings } from './simulation.ts';

/** A figure that is not known before the first step. */
const UNKNOWN = '–';

export const figure = (value: number): string => value.toLocaleString('en');

/** Returns a function that shows the figures of a run as it is. */
export function createFigures(backend: 'webgpu' | 'cpu', drawing: DrawingClock): (run: Run) => Promise<void> {
  const chart = createChart(byId('chart'));
  const isOnGpu = backend === 'webgpu';
  let timings: Timings | undefined;
  let drawingMs: number | undefined;

  return async (run) => {
    const { simulation, scene, steps } = run;
    // Before the first step the simulation's figures are those of the run that was computed ahead, or zeros.
    const [counts, latest, latestMs] =
      steps > 0 ? await Promise.all([simulation.readCounts(), simulation.readTimings(), drawing.read()]) : [];
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
    // While the last ones are still being read, the ones before stay.
    timings = steps > 0 ? (latest ?? timings) : undefined;
    drawingMs = steps > 0 ? (latestMs ?? drawingMs) : undefined;
    const milliseconds = (value: number | undefined): string => value?.toFixed(2) ?? UNKNOWN;
    fillRows(byId('timings'), [
      ...(isOnGpu ? ([['Pairs', milliseconds(timings?.pairs)]] as const) : []),
      [isOnGpu ? 'Manifolds' : 'Pairs and manifolds', milliseconds(timings?.manifolds)],
      ['Solver', milliseconds(timings?.solver)],
      [drawing.label, milliseconds(drawingMs)],
    ]);
    if (latest) chart(latest);
  };
}
