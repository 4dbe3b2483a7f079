/** Draws people and doors without a GPU, from a copy of their poses. */

import type { Camera } from './camera.ts';
import type { Snapshot } from './crowd.ts';
import { fitCanvas } from './fit-canvas.ts';
import { channels, palette, STILL_SHARE, WALKING_SPEED } from './palette.ts';
import { NOWHERE } from './rules.ts';
import { traceShape } from './trace-shape.ts';
import type { World } from './world.ts';

/** Shades between the colours of people who stand still and people who walk. */
const SHADES = 8;

export function drawCpuCrowd(
  canvas: HTMLCanvasElement,
  { people, leaves, shapes, shapeOf }: World,
  { poses, destinations, speeds }: Snapshot,
  camera: Camera,
): void {
  const ratio = fitCanvas(canvas);
  const colors = palette();
  const shades = colors.zones.map((color) => shadesOf(color, colors.still));
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
    const ease = Math.min(speeds[i] / WALKING_SPEED, 1);
    context.fillStyle = i < people ? shades[destinations[i]][Math.round(ease * SHADES)] : colors.door;
    context.beginPath();
    traceShape(context, shapes[shapeOf[i]]);
    context.fill();
  }
}

function shadesOf(color: string, still: string): string[] {
  const [from, to] = [channels(still), channels(color)];
  return Array.from({ length: SHADES + 1 }, (_, k) => {
    const share = STILL_SHARE * (1 - k / SHADES);
    return `rgb(${to.map((value, channel) => Math.round(255 * (value + share * (from[channel] - value)))).join(' ')})`;
  });
}
