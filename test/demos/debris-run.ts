/**
 * The run of the debris demo on Dawn in Node, for pictures. Chrome's software adapter takes minutes for the same steps.
 */

import { create } from 'webgpu';
import type { Page } from 'puppeteer';
import { pictureColours } from '../../demos/debris/picture.ts';
import type { Colour } from '../../demos/debris/picture.ts';
import { makeScene } from '../../demos/debris/scenes.ts';
import { createSimulation } from '../../demos/debris/simulation.ts';

export interface RecordedRun {
  /** Poses after every `every` steps, the start included. */
  poses: Float32Array[];
  /** Of the blocks, from body 1 on. */
  colours: readonly Colour[];
}

/** The wall's run, with the colours that its last poses give. */
export async function recordWall(bodies: number, steps: number, every: number): Promise<RecordedRun> {
  // Dawn ends when its GPU object is collected.
  const gpu = create([]);
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new Error('Dawn offers no adapter');
  const { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredLimits: { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage },
  });
  const scene = makeScene('wall', bodies);
  const simulation = await createSimulation(scene, device);
  const poses = [await simulation.readPoses()];
  for (let step = 0; step < steps; step++) {
    for (const { step: when, ball, position, velocity } of scene.throws) {
      if (when === step) simulation.launch(scene.firstBall + ball, position, velocity);
    }
    await simulation.step(1);
    if ((step + 1) % every === 0) poses.push(await simulation.readPoses());
  }
  simulation.dispose();
  device.destroy();
  return { poses, colours: pictureColours(poses.at(-1)!, 1, scene.firstBall) };
}

/** Shows poses of a recorded run on a page that was opened with `?ahead=no&paused` and the same scene. */
export async function showPoses(page: Page, { colours }: RecordedRun, poses: Float32Array): Promise<void> {
  await page.evaluate((shown, tints) => window.debris.show(shown, tints), [...poses], [...colours]);
}
