/** The floor, the zones and the walls, on a canvas of their own that is drawn again only when the view changes. */

import type { Camera } from './camera.ts';
import { fitCanvas } from './fit-canvas.ts';
import { palette } from './palette.ts';
import { traceShape } from './trace-shape.ts';
import type { Area, Scene } from './scenes.ts';

export function drawPlan(canvas: HTMLCanvasElement, { size, walls, zones }: Scene, camera: Camera): void {
  const ratio = fitCanvas(canvas);
  const colors = palette();
  const context = canvas.getContext('2d')!;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const toPlan = (): void => {
    const [x, y] = camera.toCanvas(0, 0);
    const scale = ratio * camera.scale;
    context.setTransform(scale, 0, 0, -scale, ratio * x, ratio * y);
  };
  toPlan();
  context.fillStyle = colors.floor;
  context.fillRect(-size[0] / 2, -size[1] / 2, size[0], size[1]);
  zones.forEach(({ exit, entrance }, k) => {
    context.fillStyle = colors.zones[k];
    context.globalAlpha = 0.32;
    fillArea(context, exit);
    context.globalAlpha = 0.1;
    if (entrance) fillArea(context, entrance);
  });
  context.globalAlpha = 1;
  context.fillStyle = colors.wall;
  for (const { shape, x, y, angle } of walls) {
    toPlan();
    context.translate(x, y);
    context.rotate(angle);
    context.beginPath();
    traceShape(context, shape);
    context.fill();
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  zones.forEach(({ name, exit }, k) => drawLabel(context, name, exit, colors.zones[k], camera, size));
}

function fillArea(context: CanvasRenderingContext2D, [x0, y0, x1, y1]: Area): void {
  context.fillRect(x0, y0, x1 - x0, y1 - y0);
}

/** The zone's name on its colour, inside the plan and inside the canvas. */
function drawLabel(
  context: CanvasRenderingContext2D,
  name: string,
  [x0, y0, x1, y1]: Area,
  color: string,
  camera: Camera,
  size: readonly [number, number],
): void {
  const isSmall = camera.scale < 6;
  context.font = `600 ${isSmall ? 9 : 11}px system-ui, sans-serif`;
  const [width, height] = [context.measureText(name).width + 14, isSmall ? 14 : 18];
  const [left, top] = camera.toCanvas(-size[0] / 2, size[1] / 2);
  const [right, bottom] = camera.toCanvas(size[0] / 2, -size[1] / 2);
  const [middleX, middleY] = camera.toCanvas((x0 + x1) / 2, (y0 + y1) / 2);
  const x = Math.min(Math.max(middleX - width / 2, left + 8), right - width - 8);
  const y = Math.min(Math.max(middleY - height / 2, top + 8), bottom - height - 8);
  context.fillStyle = color;
  context.beginPath();
  context.roundRect(x, y, width, height, height / 2);
  context.fill();
  context.fillStyle = palette().text;
  context.textBaseline = 'middle';
  context.fillText(name, x + 7, y + height / 2 + 0.5);
}
