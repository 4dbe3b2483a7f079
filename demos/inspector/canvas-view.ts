/** A canvas that is as sharp as the screen, is drawn when something changes, and turns and zooms by pointer. */

import type { Orbit } from './camera.ts';

export interface CanvasView {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
  /** CSS pixels. */
  size: [number, number];
  /** The user's zoom, a factor on the zoom that fits the view. */
  zoom: number;
  pan: [number, number];
}

export function createCanvasView(canvas: HTMLCanvasElement, draw: () => void): CanvasView {
  const view: CanvasView = { canvas, context: canvas.getContext('2d')!, size: [1, 1], zoom: 1, pan: [0, 0] };
  new ResizeObserver(() => {
    fit(view);
    draw();
  }).observe(canvas);
  fit(view);
  return view;
}

function fit(view: CanvasView): void {
  const { canvas } = view;
  const ratio = Math.min(devicePixelRatio, 2);
  view.size = [Math.max(canvas.clientWidth, 1), Math.max(canvas.clientHeight, 1)];
  canvas.width = Math.round(view.size[0] * ratio);
  canvas.height = Math.round(view.size[1] * ratio);
}

/** Makes the canvas empty and its unit the CSS pixel. */
export function clear({ canvas, context, size }: CanvasView): void {
  const ratio = canvas.width / size[0];
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** Radians per pixel of dragging. */
const TURN = 0.008;
const STEEPEST = 1.5;

/** Dragging turns all views, with Shift or the right button it moves this one; the wheel zooms. `orbit` is changed. */
export function enableTurning(view: CanvasView, orbit: () => Orbit, isFlat: () => boolean, changed: () => void): void {
  const { canvas } = view;
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('pointerdown', ({ pointerId }) => canvas.setPointerCapture(pointerId));
  canvas.addEventListener('pointermove', ({ buttons, movementX, movementY, shiftKey }) => {
    if (buttons === 0) return;
    if (shiftKey || buttons !== 1 || isFlat()) {
      view.pan = [view.pan[0] + movementX, view.pan[1] + movementY];
    } else {
      const at = orbit();
      at.yaw -= TURN * movementX;
      at.pitch = Math.min(Math.max(at.pitch + TURN * movementY, -STEEPEST), STEEPEST);
    }
    changed();
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoomAt(view, Math.exp(-0.0015 * event.deltaY), event.offsetX, event.offsetY);
      changed();
    },
    { passive: false },
  );
  canvas.addEventListener('dblclick', () => {
    view.zoom = 1;
    view.pan = [0, 0];
    changed();
  });
}

/** Zooms about a point of the canvas. */
function zoomAt(view: CanvasView, factor: number, x: number, y: number): void {
  const before = view.zoom;
  view.zoom = Math.min(Math.max(before * factor, 0.2), 1e6);
  const change = view.zoom / before;
  const [dx, dy] = [x - view.size[0] / 2, y - view.size[1] / 2];
  view.pan = [dx - change * (dx - view.pan[0]), dy - change * (dy - view.pan[1])];
}
