/** Draws people and doors without a GPU, from a copy of their poses. */

import type { Camera } from './camera.ts';
import type { Snapshot } from './crowd.ts';
import { fitCanvas } from './fit-canvas.ts';
import { palette } from './palette.ts';
import { NOWHERE } from './rules.ts';
import { traceShape } from './trace-shape.ts';
import type { World } from './world.ts';

export function drawCpuCrowd(
  canvas: HTMLCanvasElement,
  { people, leaves, shapes, shapeOf }: World,
  { poses, destinations }: Snapshot,
  camera: Camera,
): void {
  const ratio = fitCanvas(canvas);
  const colors = palette();
  const context = canvas.getContext('2d')!;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const [originX, originY] = camera.toCanvas(0, 0);
  const scale = ratio * camera.scale;
  for (let i = 0; i < people + leaves; i++) {
    if (i < people && destinations[i] === NOWHERE) continue;
    context.setTransform(scale, 0, 0, -scale, ratio * originX, ratio * originY);
    context.translate(poses[4 * i], poses[4 * i + 1]);
    context.rotate(poses[4 * i + 2]);
    context.fillStyle = i < people ? colors.zones[destinations[i]] : colors.door;
    context.beginPath();
    traceShape(context, shapes[shapeOf[i]]);
    context.fill();
  }
}
