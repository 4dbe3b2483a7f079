/**
 * The floor, the zones, the doorways and the walls, on a canvas below the people, and the names of the zones on one
 * above them. Both are drawn again only when the view changes.
 */

import type { Camera } from './camera.ts';
import { fitCanvas } from './fit-canvas.ts';
import { palette } from './palette.ts';
import { traceShape } from './trace-shape.ts';
import { LEAF } from './scenes.ts';
import type { Area, Obstacle, Scene } from './scenes.ts';

/** Half the width of the strip that marks a doorway, in metres. */
const THRESHOLD = 0.8;

export function drawPlan(
  canvas: HTMLCanvasElement,
  { size, walls, doors, zones }: Scene,
  drawn: readonly Obstacle[],
  camera: Camera,
): void {
  const ratio = fitCanvas(canvas);
  const colors = palette();
  const context = canvas.getContext('2d')!;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const toFrame = (x: number, y: number, angle: number): void => setFrame(context, camera, ratio, { x, y, angle });
  toFrame(0, 0, 0);
  context.fillStyle = colors.floor;
  context.fillRect(-size[0] / 2, -size[1] / 2, size[0], size[1]);
  zones.forEach(({ exit, entrance }, k) => {
    context.fillStyle = colors.zones[k];
    context.globalAlpha = 0.32;
    fillArea(context, exit);
    context.globalAlpha = 0.1;
    if (entrance) fillArea(context, entrance);
  });
  context.fillStyle = colors.door;
  context.globalAlpha = 0.2;
  for (const { leaves } of doors) {
    const [[x0, y0], [x1, y1]] = [leaves[0].closed, leaves[1].closed];
    toFrame((x0 + x1) / 2, (y0 + y1) / 2, leaves[0].angle);
    context.fillRect(-LEAF, -THRESHOLD, 2 * LEAF, 2 * THRESHOLD);
  }
  context.globalAlpha = 1;
  context.fillStyle = colors.wall;
  for (const wall of [...walls, ...drawn]) fillObstacle(context, camera, ratio, wall);
}

/** `preview`: a wall that is being drawn. */
export function drawLabels(
  canvas: HTMLCanvasElement,
  { size, zones }: Scene,
  preview: Obstacle | undefined,
  camera: Camera,
): void {
  const ratio = fitCanvas(canvas);
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  zones.forEach(({ name, exit }, k) => drawLabel(context, name, exit, palette().zones[k], camera, size));
  if (!preview) return;
  context.globalAlpha = 0.6;
  context.fillStyle = palette().wall;
  fillObstacle(context, camera, ratio, preview);
  context.globalAlpha = 1;
}

/** From now on coordinates are metres in this frame. */
function setFrame(
  context: CanvasRenderingContext2D,
  camera: Camera,
  ratio: number,
  { x, y, angle }: Pick<Obstacle, 'x' | 'y' | 'angle'>,
): void {
  const [originX, originY] = camera.toCanvas(0, 0);
  const scale = ratio * camera.scale;
  context.setTransform(scale, 0, 0, -scale, ratio * originX, ratio * originY);
  context.translate(x, y);
  context.rotate(angle);
}

function fillObstacle(context: CanvasRenderingContext2D, camera: Camera, ratio: number, obstacle: Obstacle): void {
  setFrame(context, camera, ratio, obstacle);
  context.beginPath();
  traceShape(context, obstacle.shape);
  context.fill();
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
