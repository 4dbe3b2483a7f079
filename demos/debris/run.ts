/** A run of a scene: the simulation, its colours, the balls, and the number of steps so far. */

import { createBodyMeshes } from './body-meshes.ts';
import type { BodyMeshes, BodyStyle } from './body-meshes.ts';
import { createContactMarks } from './contact-marks.ts';
import type { ContactMarks } from './contact-marks.ts';
import { createCpuSimulation } from './cpu-simulation.ts';
import { ringColour } from './picture.ts';
import type { Colour } from './picture.ts';
import { BALLS, makeScene } from './scenes.ts';
import type { Scene, SceneName } from './scenes.ts';
import { createSimulation } from './simulation.ts';
import type { Simulation, Vector } from './simulation.ts';
import type { Group, WebGPURenderer } from 'three/webgpu';

const BALL: Colour = [0.06, 0.07, 0.09];
/** Without a picture, bodies take these shares of the rings' colours in turn. */
const SHARES = [0.62, 0.1, 0.34, 0.86, 0.2, 0.48];

export interface Run {
  readonly scene: Scene;
  readonly simulation: Simulation;
  readonly meshes: BodyMeshes;
  readonly steps: number;
  /** How the run ended that was computed before it is shown. */
  firstRun?: { steps: number; poses: Float32Array };
  step(count: number): Promise<void>;
  reset(): void;
  /** Whether the bodies are where the first run ended, to the bit; undefined before its end, or if a ball was thrown. */
  isSameAsFirst(): Promise<boolean | undefined>;
  /** Throws the next ball. */
  launch(position: Vector, velocity: Vector): void;
  drag(body: number, goal: Vector): void;
  /** Bodies that are not solid show their contacts. */
  setStyle(style: BodyStyle): void;
  /** Takes what is drawn beside the bodies from the simulation. */
  updateMarks(): void;
  dispose(): void;
}

export async function createRun(
  name: SceneName,
  count: number,
  { device, renderer, group }: { device?: GPUDevice; renderer: WebGPURenderer; group: Group },
): Promise<Run> {
  const scene = makeScene(name, count);
  const simulation = device ? await createSimulation(scene, device) : await createCpuSimulation(scene);
  const colourOf = (body: number): Colour =>
    body >= scene.firstBall ? BALL : ringColour(SHARES[(body * 5 + (body >> 3)) % SHARES.length]);
  const meshes = createBodyMeshes(scene, simulation, renderer, group, colourOf);
  let steps = 0;
  let nextBall = 0;
  let isUntouched = true;
  let marks: ContactMarks | undefined;

  const run: Run = {
    scene,
    simulation,
    meshes,
    get steps() {
      return steps;
    },
    async step(amount) {
      for (let i = 0; i < amount; i++) {
        for (const { step, ball, position, velocity } of scene.throws) {
          if (step !== steps) continue;
          simulation.launch(scene.firstBall + ball, position, velocity);
          nextBall = ball + 1;
        }
        steps++;
        await simulation.step(1);
      }
    },
    reset() {
      simulation.reset();
      steps = 0;
      nextBall = 0;
      isUntouched = true;
    },
    async isSameAsFirst() {
      if (!run.firstRun || !isUntouched || steps < run.firstRun.steps) return undefined;
      const first = new Uint32Array(run.firstRun.poses.buffer);
      const poses = new Uint32Array((await simulation.readPoses()).buffer);
      return poses.every((word, i) => word === first[i]);
    },
    drag(body, goal) {
      isUntouched = false;
      simulation.drag(body, goal);
    },
    launch(position, velocity) {
      isUntouched = false;
      simulation.launch(scene.firstBall + (nextBall % BALLS), position, velocity);
      nextBall++;
    },
    setStyle(style) {
      meshes.setStyle(style);
      if (style !== 'solid') marks ??= createContactMarks(simulation, renderer, group);
      else {
        marks?.dispose();
        marks = undefined;
      }
    },
    updateMarks: () => marks?.update(),
    dispose() {
      marks?.dispose();
      meshes.dispose();
      simulation.dispose();
    },
  };
  return run;
}
