/** Reads the counters and shows them in the panel, with the steps per second and the chart of times. */

import { byId } from '../common/dom.ts';
import { showReport } from './panel.ts';
import type { Simulation } from './simulation.ts';
import { createStepChart } from './step-chart.ts';

export interface Reporter {
  /** Milliseconds of the latest step until the device had finished it, for devices without timestamps. */
  measured(milliseconds: number): void;
  report(simulation: Simulation, isRunning: boolean): Promise<void>;
  /** Forgets the times of earlier steps. */
  clear(): void;
  repaint(): void;
}

export function createReporter(): Reporter {
  const chart = createStepChart(byId('chart'));
  let latestStep = 0;
  let last: { steps: number; at: number } | undefined;
  return {
    measured(milliseconds) {
      latestStep = milliseconds;
    },
    async report({ steps, crowd }, isRunning) {
      const found = await crowd.report();
      const now = performance.now();
      const perSecond = last && steps > last.steps ? ((steps - last.steps) * 1000) / (now - last.at) : undefined;
      last = { steps, at: now };
      showReport(found, isRunning ? perSecond : undefined);
      const times = Object.keys(found.times).length > 0 ? found.times : { all: latestStep };
      if (steps > 0) chart.add(steps, times);
    },
    clear: () => chart.clear(),
    repaint: () => chart.repaint(),
  };
}
