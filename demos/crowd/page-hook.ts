/** Makes `window.crowd`, with which tests and the console drive the page. */

import type { Camera } from './camera.ts';
import type { CrowdDemo } from './demo-interface.d.ts';
import type { FrameLoop } from './frame-loop.ts';
import type { Simulation } from './simulation.ts';

export interface PageParts {
  canvas: HTMLCanvasElement;
  camera: Camera;
  frames: FrameLoop;
  simulation(): Simulation;
  step(): Promise<void>;
  report(): Promise<void>;
  draw(): Promise<void>;
  toggleDoor(door: number): void;
}

export function createPageHook(page: PageParts): CrowdDemo {
  const { canvas, camera, frames, simulation } = page;
  return {
    take: (steps) =>
      frames.inTurn(async () => {
        for (let k = 0; k < steps; k++) await page.step();
        await page.report();
        await page.draw();
        return (await simulation().crowd.report()).totals;
      }),
    snapshot: () => frames.inTurn(() => simulation().crowd.snapshot()),
    world: () => simulation().crowd.world,
    toggleDoor: (door) => page.toggleDoor(door),
    throwIn: (x, y) => simulation().throwIn(x, y),
    toPage(x, y) {
      const { left, top } = canvas.getBoundingClientRect();
      const [px, py] = camera.toCanvas(x, y);
      return [left + px, top + py];
    },
  };
}
