/** A crowd and the plan's doors: schedules, clicks, and the flow field that belongs to the doors that are closed. */

import type { PlanarTester } from 'narrowphase';
import { createCpuCrowd } from './cpu-crowd.ts';
import type { Crowd } from './crowd.ts';
import { makeFlowField } from './flow-field.ts';
import { createGpuCrowd } from './gpu-crowd.ts';
import type { GpuCrowd } from './gpu-crowd.ts';
import { makeGrid } from './grid.ts';
import { RULES } from './rules.ts';
import type { Door } from './scenes.ts';
import { SCENES } from './scenes.ts';
import { THROWN, isFree, makeWorld } from './world.ts';

export interface Simulation {
  crowd: Crowd;
  /** The same crowd, if it is on the GPU. */
  gpuCrowd: GpuCrowd | undefined;
  readonly steps: number;
  /** Whether each door is to be open from the next step on. */
  readonly isOpen: readonly boolean[];
  step(): Promise<void>;
  reset(): void;
  /** From the next step on the door has no schedule. */
  toggleDoor(door: number): void;
  /**
   * Returns how many places around a point are free of walls and doors. As many visitors come in the next step, unless
   * somebody is there; each group after the first waits for a step of its own.
   */
  throwIn(x: number, y: number): number;
  dispose(): void;
}

export async function createSimulation(
  tester: PlanarTester,
  device: GPUDevice | undefined,
  { scene: name, people, seed }: { scene: string; people: number; seed: number },
): Promise<Simulation> {
  const scene = SCENES[name]();
  const grid = await makeGrid(tester, scene);
  const world = makeWorld(scene, grid, people, seed);
  const gpuCrowd = device && (await createGpuCrowd(tester, device, world));
  const crowd = gpuCrowd ?? createCpuCrowd(tester, world);
  const fields = new Map<string, Float32Array>();
  let steps = 0;
  let manual: (boolean | undefined)[] = [];
  let isOpen: boolean[] = [];
  let groups: { x: number; y: number }[][] = [];

  const wantedDoors = (): boolean[] => scene.doors.map((door, k) => manual[k] ?? isScheduledOpen(door, steps));

  function updateDoors(): void {
    const wanted = wantedDoors();
    if (wanted.every((open, k) => open === isOpen[k])) return;
    isOpen = wanted;
    const key = String(wanted);
    let field = fields.get(key);
    if (!field) {
      field = makeFlowField(
        grid,
        scene.zones,
        wanted.map((open) => !open),
      );
      fields.set(key, field);
    }
    const targets = scene.doors.flatMap(({ leaves }, k) =>
      leaves.flatMap(({ open, closed }) => (wanted[k] ? open : closed)),
    );
    crowd.setDoors(new Float32Array(targets), field);
  }

  function reset(): void {
    steps = 0;
    manual = [];
    isOpen = [];
    groups = [];
    crowd.reset();
    updateDoors();
  }

  reset();
  return {
    crowd,
    gpuCrowd,
    get steps() {
      return steps;
    },
    get isOpen() {
      return wantedDoors();
    },
    // Clicks wait for the beginning of a step, so that a run depends on nothing but the steps at which they came.
    async step() {
      updateDoors();
      const group = groups.shift();
      if (group) crowd.throwIn(group);
      steps++;
      await crowd.step();
    },
    reset,
    toggleDoor(door) {
      manual[door] = !wantedDoors()[door];
    },
    throwIn(x, y) {
      const places = spiral(x, y).filter((place) => isFree(scene, grid, place.x, place.y));
      groups.push(places);
      return places.length;
    },
    dispose: () => crowd.dispose(),
  };
}

function isScheduledOpen({ schedule }: Door, steps: number): boolean {
  if (!schedule) return true;
  const time = steps * RULES.STEP + schedule.phase;
  return time % schedule.period < schedule.open;
}

/** Places around a point, the nearest first, a capsule's length apart: a sunflower's. */
function spiral(x: number, y: number): { x: number; y: number }[] {
  return Array.from({ length: THROWN }, (_, k) => {
    const [distance, angle] = [0.72 * Math.sqrt(k), k * Math.PI * (3 - Math.sqrt(5))];
    return { x: x + distance * Math.cos(angle), y: y + distance * Math.sin(angle) };
  });
}
