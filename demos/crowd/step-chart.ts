/** Milliseconds per step by stage over time. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { STAGES } from './crowd.ts';
import type { StageTimes } from './crowd.ts';

const POINTS = 120;
const HEIGHT = 120;
const NAMES = [...STAGES, 'all'] as const;
/** None of them is a colour of people. */
const COLORS = ['#1295ad', '#c2981f', '#d2446f', '#7d8891', '#7d8891'];

export interface StepChart {
  add(step: number, times: StageTimes): void;
  clear(): void;
  repaint(): void;
}

export function createStepChart(parent: HTMLElement): StepChart {
  const data: (number | null)[][] = [[], ...NAMES.map(() => [])];
  let chart = make();
  new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height: HEIGHT })).observe(parent);

  function make(): uPlot {
    const style = getComputedStyle(document.documentElement);
    const axis = {
      stroke: style.getPropertyValue('--muted').trim(),
      grid: { stroke: style.getPropertyValue('--line').trim(), width: 1 },
      ticks: { show: false },
      font: '11px system-ui, sans-serif',
    };
    const options: uPlot.Options = {
      width: Math.max(parent.clientWidth, 200),
      height: HEIGHT,
      padding: [8, 16, 0, 0],
      cursor: { show: false },
      legend: { live: false },
      scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(most * 1.15, 0.1)] } },
      axes: [
        { ...axis, size: 22, space: 80 },
        { ...axis, size: 40 },
      ],
      series: [
        { label: 'step' },
        ...NAMES.map((label, k) => ({
          label: label === 'all' ? 'whole step' : label,
          stroke: COLORS[k],
          width: 1.5,
          points: { show: false },
          value: (_: uPlot, value: number | null) => (value === null ? '–' : value.toFixed(2)),
        })),
      ],
    };
    return new uPlot(options, data as uPlot.AlignedData, parent);
  }

  /** The legend names what is measured: a device without timestamps has times of whole steps only. */
  function showMeasured(): void {
    const rows = parent.querySelectorAll<HTMLElement>('.u-legend .u-series');
    for (const [k, row] of rows.entries()) row.hidden = data[k + 1].every((value) => value === null);
  }

  showMeasured();
  return {
    add(step, times) {
      data[0].push(step);
      NAMES.forEach((name, k) => data[k + 1].push(times[name] ?? null));
      if (data[0].length > POINTS) for (const values of data) values.shift();
      chart.setData(data as uPlot.AlignedData);
      showMeasured();
    },
    clear() {
      for (const values of data) values.length = 0;
      chart.setData(data as uPlot.AlignedData);
      showMeasured();
    },
    repaint() {
      chart.destroy();
      chart = make();
      showMeasured();
    },
  };
}
