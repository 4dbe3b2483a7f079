/** A run of a scene: the simulation, its colours, the balls, and the number of steps so far. */

import { BODY_FLOATS } from './constants.ts';
import { createBodyMeshes } from './body-meshes.ts';
import type { BodyMeshes } from './body-meshes.ts';
import { createCpuSimulation } from './cpu-simulation.ts';
import { pictureColours, ringColour } from './picture.ts';
import type { Colour } from './picture.ts';
import { BALLS, makeScene } from './scenes.ts';
import type { Scene, SceneName } from './scenes.ts';
import { createSimulation } from './simulation.ts';
import type { Simulation, Vector } from './simulation.ts';
import type { Group, WebGPURenderer } from 'three/webgpu';

/** The run of the wall is computed until all bodies rest, for this many steps at most. */
const MOST_STEPS = 900;
const CHUNK = 20;

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
  dispose(): void;
}

export interface RunOptions {
  /** Computes the wall's run once before it is shown, for its colours. */
  looksAhead: boolean;
  tell(text: string): void;
}

export async function createRun(
  name: SceneName,
  count: number,
  { device, renderer, group }: { device?: GPUDevice; renderer: WebGPURenderer; group: Group },
  { looksAhead, tell }: RunOptions,
): Promise<Run> {
  const scene = makeScene(name, count);
  const simulation = device ? await createSimulation(scene, device) : await createCpuSimulation(scene);
  const colourOf = (body: number): Colour =>
    body >= scene.firstBall ? BALL : ringColour(SHARES[(body * 5 + (body >> 3)) % SHARES.length]);
  const meshes = createBodyMeshes(scene, simulation, renderer, group, colourOf);
  let steps = 0;
  let nextBall = 0;
  let isUntouched = true;

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
      const poses = new Uint32Array((await simulation.readPoses()).buffer);
      const first = new Uint32Array(run.firstRun.poses.buffer);
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
    dispose() {
      meshes.dispose();
      simulation.dispose();
    },
  };
  if (name === 'wall' && looksAhead) {
    // The run that visitors will see, once without them: the same steps give the same bits.
    const lastThrow = Math.max(...scene.throws.map(({ step }) => step));
    for (let done = 0; done < MOST_STEPS; done += CHUNK) {
      tell(`Looking ahead: step ${done}…`);
      await run.step(CHUNK);
      if (done > lastThrow && (await kineticEnergy(run)) === 0) break;
    }
    run.firstRun = { steps, poses: await simulation.readPoses() };
    meshes.paint(1, pictureColours(run.firstRun.poses, 1, scene.firstBall));
    run.reset();
  }
  return run;
}

/** ½ m v² of all bodies that move, without their rotation. */
async function kineticEnergy({ simulation }: Run): Promise<number> {
  const motions = await simulation.readMotions();
  const { masses } = simulation.arrays;
  let energy = 0;
  for (let at = 0; at < masses.length; at += BODY_FLOATS) {
    energy += (masses[at] / 2) * (motions[at] ** 2 + motions[at + 1] ** 2 + motions[at + 2] ** 2);
  }
  return energy;
}
