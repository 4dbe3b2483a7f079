/** Draws the plan and the people, each only when it has changed. */

import type { PageDevice } from '../common/open-device.ts';
import { byId } from '../common/dom.ts';
import type { Camera } from './camera.ts';
import { drawCpuCrowd } from './people-canvas.ts';
import { createGpuDrawing } from './people-webgpu.ts';
import { drawLabels, drawPlan } from './plan-layer.ts';
import type { Obstacle } from './scenes.ts';
import type { Simulation } from './simulation.ts';

export interface CrowdView {
  /** The view, the colours or the walls have changed. */
  planChanged(): void;
  peopleChanged(): void;
  /** `preview`: a wall that is being drawn. */
  draw(simulation: Simulation, camera: Camera, preview: Obstacle | undefined): Promise<void>;
}

export async function createCrowdView(canvas: HTMLCanvasElement, gpu: PageDevice | undefined): Promise<CrowdView> {
  const drawGpuCrowd = gpu && (await createGpuDrawing(canvas, gpu.device));
  let isPlanDrawn = false;
  let arePeopleDrawn = false;
  return {
    planChanged() {
      isPlanDrawn = false;
    },
    peopleChanged() {
      arePeopleDrawn = false;
    },
    async draw({ crowd, gpuCrowd, walls }, camera, preview) {
      if (isPlanDrawn && arePeopleDrawn) return;
      const { world } = crowd;
      if (!isPlanDrawn) {
        drawPlan(byId<HTMLCanvasElement>('plan'), world.scene, walls, camera);
        drawLabels(byId<HTMLCanvasElement>('labels'), world.scene, preview, camera);
      }
      isPlanDrawn = arePeopleDrawn = true;
      if (drawGpuCrowd) drawGpuCrowd(gpuCrowd!, camera);
      else drawCpuCrowd(canvas, world, await crowd.snapshot(), camera);
    },
  };
}
