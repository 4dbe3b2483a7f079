/** What the small drawings share: margins, axes and short numbers. */

import type { CanvasView } from './canvas-view.ts';
import type { Palette } from './palette.ts';

export interface Plot {
  x(value: number): number;
  y(value: number): number;
}

const MARGIN = { left: 58, right: 14, top: 14, bottom: 24 };

/** A plot with its frame, its ticks, and a line at 0. */
export function drawPlot(
  { context, size }: CanvasView,
  [fromX, toX]: readonly [number, number],
  [fromY, toY]: readonly [number, number],
  labelX: string,
  palette: Palette,
): Plot {
  const [width, height] = [size[0] - MARGIN.left - MARGIN.right, size[1] - MARGIN.top - MARGIN.bottom];
  const spanX = toX - fromX || 1;
  const spanY = toY - fromY || 1;
  const plot: Plot = {
    x: (value) => MARGIN.left + (width * (value - fromX)) / spanX,
    y: (value) => MARGIN.top + height - (height * (value - fromY)) / spanY,
  };
  context.save();
  context.font = '11px system-ui, sans-serif';
  context.strokeStyle = palette.line;
  context.fillStyle = palette.muted;
  context.lineWidth = 1;
  for (let i = 0; i <= 4; i++) {
    const value = fromY + (i / 4) * spanY;
    const y = Math.round(plot.y(value)) + 0.5;
    context.beginPath();
    context.moveTo(MARGIN.left, y);
    context.lineTo(MARGIN.left + width, y);
    context.stroke();
    context.textAlign = 'right';
    context.fillText(short(value), MARGIN.left - 6, y + 4);
  }
  context.textAlign = 'center';
  context.fillText(labelX, MARGIN.left + width / 2, size[1] - 6);
  if (fromY < 0 && toY > 0) {
    context.strokeStyle = palette.ink;
    context.beginPath();
    context.moveTo(MARGIN.left, plot.y(0));
    context.lineTo(MARGIN.left + width, plot.y(0));
    context.stroke();
  }
  context.restore();
  return plot;
}

/** At most seven characters. */
export function short(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e4 || size < 1e-3) return value.toExponential(1);
  return value.toPrecision(3);
}

export function text(
  { context }: CanvasView,
  x: number,
  y: number,
  words: string,
  color: string,
  align: CanvasTextAlign = 'left',
): void {
  context.save();
  context.font = '11px system-ui, sans-serif';
  context.textAlign = align;
  context.fillStyle = color;
  context.fillText(words, x, y);
  context.restore();
}
