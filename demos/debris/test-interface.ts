/** For tests and pictures of the page, as `window.debris`: steps without drawing, and what the simulation holds. */

import { Vector3 } from 'three/webgpu';
import type { View } from '../common/view.ts';
import { BODY_FLOATS } from './constants.ts';
import type { Colour } from './picture.ts';
import type { Player } from './player.ts';
import type { Vector } from './simulation.ts';

export interface DebrisDemo {
  readonly firstBall: number;
  readonly steps: number;
  /** Steps and poses at the end of the run that was computed before it is shown. */
  firstRun(): { steps: number; poses: number[] } | undefined;
  step(count: number): Promise<void>;
  reset(): Promise<void>;
  throwBall(position: Vector, velocity: Vector): void;
  poses(): Promise<number[]>;
  motions(): Promise<number[]>;
  /** Where a body's centre is in the window, in CSS pixels. */
  placeOf(body: number): Promise<{ x: number; y: number }>;
  draw(): void;
  /** Draws these poses, with these colours of the bodies from number 1 on. */
  show(poses: number[], colours: Colour[]): void;
}

declare global {
  interface Window {
    debris: DebrisDemo;
  }
}

export function exposeForTests(player: Player, { camera, renderer }: View): void {
  window.debris = {
    get firstBall() {
      return player.run.scene.firstBall;
    },
    get steps() {
      return player.run.steps;
    },
    firstRun: () => player.run.firstRun && { steps: player.run.firstRun.steps, poses: [...player.run.firstRun.poses] },
    step: player.step,
    reset: player.reset,
    throwBall: player.launch,
    poses: async () => [...(await player.run.simulation.readPoses())],
    motions: async () => [...(await player.run.simulation.readMotions())],
    async placeOf(body) {
      const poses = await player.run.simulation.readPoses();
      const { x, y } = new Vector3().fromArray(poses, BODY_FLOATS * body).project(camera);
      const { left, top, width, height } = renderer.domElement.getBoundingClientRect();
      return { x: left + ((1 + x) / 2) * width, y: top + ((1 - y) / 2) * height };
    },
    draw: player.draw,
    show(poses, colours) {
      const latest = Float32Array.from(poses);
      player.run.simulation.setPoses(latest);
      player.run.meshes.update(latest);
      player.run.meshes.paint(1, colours);
      player.draw();
    },
  };
}
