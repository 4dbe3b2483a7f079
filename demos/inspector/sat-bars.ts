/** The separating-axis test: one row per axis with both projections, or with the distances between which they overlap. */

import type { PlanarSatStep, SatStep, SweptSatStep } from 'narrowphase/cpu';
import type { CanvasView } from './canvas-view.ts';
import { short, text } from './detail-frame.ts';
import type { Palette } from './palette.ts';
import type { Step } from './step.ts';

interface Row {
  name: string;
  /** Intervals: A's and B's projections, or the one of the overlap. */
  a?: [number, number];
  b: [number, number];
  value: string;
  isSeparating: boolean;
}

/** More rows than this would overlap. Of longer lists, the rows around the step are shown. */
const MOST_ROWS = 15;

export function drawSatBars(view: CanvasView, steps: readonly Step[], at: number, palette: Palette): void {
  const { type } = steps[at];
  let first = at;
  while (first > 0 && steps[first - 1].type === type) first--;
  let end = at;
  while (end < steps.length && steps[end].type === type) end++;
  if (end - first > MOST_ROWS) {
    first = Math.min(Math.max(at - (MOST_ROWS >> 1), first), end - MOST_ROWS);
    end = first + MOST_ROWS;
  }
  const rows = steps
    .slice(first, end)
    .map((step) => (step.type === 'sat' ? satRow(step) : sweptRow(step as SweptSatStep)));
  const { context, size } = view;
  const height = Math.min((size[1] - 26) / rows.length, 26);
  const ends = rows.flatMap(({ a, b }) => [...(a ?? [0]), ...b]).filter((x) => Math.abs(x) < 1e30);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const [left, right] = [56, size[0] - 66];
  const x = (value: number): number =>
    left + ((right - left) * (Math.min(Math.max(value, low), high) - low)) / (high - low || 1);
  rows.forEach(({ name, a, b, value, isSeparating }, i) => {
    const y = 8 + i * height;
    const isAt = first + i === at;
    const isAhead = first + i > at;
    context.save();
    if (isAt) {
      context.fillStyle = palette.line;
      context.fillRect(0, y, size[0], height);
    }
    context.globalAlpha = isAhead ? 0.3 : 1;
    const bar = (Math.max(height, 8) - 4) / 2;
    for (const [interval, color, row] of [
      [a, palette.a, 0],
      [b, palette.b, 1],
    ] as const) {
      // prettier-ignore
      if (!interval) continue;
      context.fillStyle = color;
      context.fillRect(x(interval[0]), y + 2 + row * bar, Math.max(x(interval[1]) - x(interval[0]), 1.5), bar - 0.5);
    }
    text(view, 6, y + height / 2 + 4, name, isAt ? palette.ink : palette.muted);
    text(view, size[0] - 6, y + height / 2 + 4, value, isSeparating ? palette.mark : palette.muted, 'right');
    context.restore();
  });
}

/** Names of the axes of two boxes: the face normals of A and B, and the cross products of their edges. */
export function axisName(axis: number): string {
  if (axis < 3) return `A ${'xyz'[axis]}`;
  if (axis < 6) return `B ${'xyz'[axis - 3]}`;
  return `A ${'xyz'[Math.floor((axis - 6) / 3)]} × B ${'xyz'[(axis - 6) % 3]}`;
}

function satRow(step: SatStep | PlanarSatStep): Row {
  const { separation } = step;
  const isSeparating = separation > 0;
  if ('edge' in step) {
    const { body, edge, lowA, highA, lowB, highB } = step;
    const name = `${body.toUpperCase()} ${edge}`;
    return { name, a: [lowA, highA], b: [lowB, highB], value: short(separation), isSeparating };
  }
  const { axis, centre, radiusA, radiusB } = step;
  return {
    name: axisName(axis),
    a: [-radiusA, radiusA],
    b: [centre - radiusB, centre + radiusB],
    value: short(separation),
    isSeparating,
  };
}

function sweptRow({ axis, enter, leave }: SweptSatStep): Row {
  return { name: axisName(axis), b: [enter, leave], value: short(enter), isSeparating: enter > leave };
}
