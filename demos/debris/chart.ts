/** A small plot of the stages' milliseconds over the last steps. */

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Timings } from './simulation.ts';

const LENGTH = 120;
const STAGES = ['pairs', 'manifolds', 'solver'] as const;
const COLOURS = ['#2a8fbd', '#e0a21b', '#d9622b'];

export function createChart(parent: HTMLElement): (timings: Timings) => void {
  const data: (number | null)[][] = [
    Array.from({ length: LENGTH }, (_, i) => i),
    ...STAGES.map(() => Array.from({ length: LENGTH }, () => null)),
  ];
  const ink = getComputedStyle(document.documentElement).getPropertyValue('--muted').trim();
  const plot = new uPlot(
    {
      width: Math.max(200, parent.clientWidth),
      height: 120,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false } },
      axes: [{ show: false }, { stroke: ink, size: 34, grid: { stroke: `${ink}33` }, ticks: { show: false } }],
      series: [{}, ...STAGES.map((label, i) => ({ label, stroke: COLOURS[i], width: 1.5, points: { show: false } }))],
    },
    data as uPlot.AlignedData,
    parent,
  );
  return (timings) => {
    for (const [i, stage] of STAGES.entries()) data[i + 1] = [...data[i + 1].slice(1), timings[stage]];
    plot.setData(data as uPlot.AlignedData);
  };
}
