/** Lower and upper bounds of a search by its steps, or what advancement has left by its times. */

import type { CanvasView } from './canvas-view.ts';
import { drawPlot, text, type Plot } from './detail-frame.ts';
import type { Palette } from './palette.ts';
import { phaseAt, searchesOf } from './phases.ts';
import type { Step } from './step.ts';

interface Sample {
  at: number;
  lower?: number;
  upper?: number;
}

export function drawBounds(view: CanvasView, steps: readonly Step[], at: number, palette: Palette): void {
  const { first, end } = phaseAt(searchesOf(steps), at);
  const samples: Sample[] = [];
  for (let i = first; i < end; i++) samples.push({ at: i, ...boundsOf(steps[i]) });
  const values = samples.flatMap(({ lower, upper }) => [lower, upper]).filter((x): x is number => Number.isFinite(x));
  if (values.length === 0)
    return text(view, view.size[0] / 2, view.size[1] / 2, 'No bounds yet', palette.muted, 'center');
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const rim = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1;
  const plot = drawPlot(
    view,
    [first, Math.max(end - 1, first + 1)],
    [low - rim, high + rim],
    'step of this search',
    palette,
  );
  drawLine(view, plot, samples, 'upper', palette.b);
  drawLine(view, plot, samples, 'lower', palette.a);
  text(view, view.size[0] - 16, 26, 'upper bound', palette.b, 'right');
  if (samples.some(({ lower }) => lower !== undefined))
    text(view, view.size[0] - 16, 40, 'lower bound', palette.a, 'right');
  drawCursor(view, plot.x(at), palette);
}

function boundsOf(step: Step): Pick<Sample, 'lower' | 'upper'> {
  if (step.type === 'newton') return { upper: step.distance };
  if (step.type === 'crossing' && 'exit' in step) return { upper: finite(step.exit) };
  if (step.type === 'epa' && 'edge' in step) return { lower: step.height, upper: step.edgeHeight };
  const { lower, upper } = step as { lower?: number; upper?: number };
  return { lower: finite(lower), upper: finite(upper) };
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Math.abs(value) < 1e30 ? value : undefined;
}

function drawLine(
  { context }: CanvasView,
  plot: Plot,
  samples: readonly Sample[],
  name: 'lower' | 'upper',
  color: string,
): void {
  const known = samples.filter((sample) => sample[name] !== undefined);
  context.save();
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  for (const sample of known) context.lineTo(plot.x(sample.at), plot.y(sample[name]!));
  context.stroke();
  for (const sample of known) {
    context.beginPath();
    context.arc(plot.x(sample.at), plot.y(sample[name]!), 2.6, 0, 2 * Math.PI);
    context.fill();
  }
  context.restore();
}

function drawCursor({ context, size }: CanvasView, x: number, palette: Palette): void {
  context.save();
  context.strokeStyle = palette.mark;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(x, 14);
  context.lineTo(x, size[1] - 24);
  context.stroke();
  context.restore();
}

/** Advancement: the gap that is left at each time. */
export function drawAdvance(
  view: CanvasView,
  steps: readonly Step[],
  times: readonly number[],
  at: number,
  palette: Palette,
): void {
  const samples = steps.flatMap((step, i) =>
    step.type === 'advance' ? [{ at: times[i], lower: step.separation }] : [],
  );
  drawSamples(view, samples, times[at], ['seconds', 'separation'], palette);
}

/** A cast: what separates the bodies along each direction, support by support. */
export function drawCast(view: CanvasView, steps: readonly Step[], at: number, palette: Palette): void {
  const { first, end } = phaseAt(searchesOf(steps), at);
  const samples = steps
    .slice(first, end)
    .flatMap((step, i) => (step.type === 'cast' ? [{ at: i + 1, lower: step.separation }] : []));
  drawSamples(view, samples, at - first + 1, ['support of this search', 'separation'], palette);
}

/** Velocity EPA in 2-D: how far each support is beyond the edge. */
export function drawCrossing(view: CanvasView, steps: readonly Step[], at: number, palette: Palette): void {
  const { first, end } = phaseAt(searchesOf(steps), at);
  const samples = steps
    .slice(first, end)
    .flatMap((step, i) => (step.type === 'crossing' && 'height' in step ? [{ at: i + 1, lower: step.height }] : []));
  drawSamples(view, samples, at - first + 1, ['support of this search', 'beyond the edge'], palette);
}

function drawSamples(
  view: CanvasView,
  samples: { at: number; lower: number }[],
  cursor: number,
  [labelX, labelY]: readonly [string, string],
  palette: Palette,
): void {
  const places = [...samples.map((sample) => sample.at), cursor];
  const heights = [...samples.map(({ lower }) => lower), 0];
  const rim = (Math.max(...heights) - Math.min(...heights)) * 0.08 || 1;
  const [from, to] = [Math.min(...places), Math.max(...places)];
  const plot = drawPlot(
    view,
    [from, to > from ? to : from + 1],
    [Math.min(...heights) - rim, Math.max(...heights) + rim],
    labelX,
    palette,
  );
  drawLine(view, plot, samples, 'lower', palette.a);
  text(view, view.size[0] - 16, 26, labelY, palette.a, 'right');
  drawCursor(view, plot.x(cursor), palette);
}
