/** A crowd and the plan's doors: schedules, clicks, and the flow field that belongs to the doors that are closed. */

import type { PlanarTester } from 'narrowphase';
import { createCpuCrowd } from './cpu-crowd.ts';
import type { Crowd } from './crowd.ts';
import { obstruction, wallsInSomebody } from './drawn-walls.ts';
import { cutOffAreas, makeFlowField } from './flow-field.ts';
import { createGpuCrowd } from './gpu-crowd.ts';
import type { GpuCrowd } from './gpu-crowd.ts';
import { makeGrid } from './grid.ts';
import type { Grid } from './grid.ts';
import { RULES } from './rules.ts';
import type { Door, Obstacle } from './scenes.ts';
import { SCENES, wall } from './scenes.ts';
import { MOST_DRAWN, THROWN, isFree, makeWorld } from './world.ts';

/** x and y in the plan. */
export type Point = readonly [number, number];

/** Metres. */
const SHORTEST_WALL = 0.5;
/** A wall may leave so many square metres of floor without a way, as in the corner between it and another wall. */
const MOST_CUT_OFF = 1;

export interface Simulation {
  crowd: Crowd;
  /** The same crowd, if it is on the GPU. */
  gpuCrowd: GpuCrowd | undefined;
  readonly steps: number;
  /** Whether each door is to be open from the next step on. */
  readonly isOpen: readonly boolean[];
  /** The walls that are drawn, the latest last. */
  readonly walls: readonly Obstacle[];
  step(): Promise<void>;
  /** Returns to the start, without drawn walls. */
  reset(): void;
  /** From the next step on the door has no schedule. */
  toggleDoor(door: number): void;
  /**
   * Returns how many places around a point are free of walls and doors. As many visitors come in the next step, unless
   * somebody is there; each group after the first waits for a step of its own.
   */
  throwIn(x: number, y: number): number;
  /** Draws a wall between two points, or returns the reason why it can't be there. Not while a step runs. */
  addWall(from: Point, to: Point): Promise<string | undefined>;
  /** Leaves this many of the walls. Not while a step runs. */
  keepWalls(count: number): Promise<void>;
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
  let walls: Obstacle[] = [];
  const clearanceAtStart = grid.clearance;

  const wantedDoors = (): boolean[] => scene.doors.map((door, k) => manual[k] ?? isScheduledOpen(door, steps));

  /** The flow field with the doors as they are to be. */
  function fieldOf(of: Grid): Float32Array {
    const isClosed = wantedDoors().map((open) => !open);
    return makeFlowField(of, scene.zones, isClosed);
  }

  function currentField(): Float32Array {
    const key = String(wantedDoors());
    const field = fields.get(key) ?? fieldOf(grid);
    fields.set(key, field);
    return field;
  }

  function updateDoors(): void {
    const wanted = wantedDoors();
    if (wanted.every((open, k) => open === isOpen[k])) return;
    isOpen = wanted;
    const targets = scene.doors.flatMap(({ leaves }, k) =>
      leaves.flatMap(({ open, closed }) => (wanted[k] ? open : closed)),
    );
    crowd.setDoors(new Float32Array(targets), currentField());
  }

  function setWalls(next: Obstacle[], clearance: Float32Array): void {
    walls = next;
    grid.clearance = clearance;
    fields.clear();
    isOpen = [];
    groups = groups.map((places) => places.filter(({ x, y }) => isFree(scene, grid, x, y)));
    crowd.setWalls(walls);
  }

  const gridWith = (drawn: readonly Obstacle[]): Promise<Grid> =>
    makeGrid(tester, { ...scene, walls: [...scene.walls, ...drawn] });

  function reset(): void {
    steps = 0;
    manual = [];
    groups = [];
    crowd.reset();
    setWalls([], clearanceAtStart);
    updateDoors();
  }

  reset();
  return {
    crowd,
    gpuCrowd,
    get steps() {
      return steps;
    },
    get walls() {
      return walls;
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
    async addWall([x0, y0], [x1, y1]) {
      if (walls.length === MOST_DRAWN) return `There are ${MOST_DRAWN} walls already`;
      if (Math.hypot(x1 - x0, y1 - y0) < SHORTEST_WALL) return `A wall has at least ${SHORTEST_WALL} m`;
      const added = wall(x0, y0, x1, y1);
      const snapshot = await crowd.snapshot();
      const inTheWay = obstruction(added, world, snapshot);
      if (inTheWay) return inTheWay;
      const next = await gridWith([...walls, added]);
      const [fieldBefore, fieldAfter] = [currentField(), fieldOf(next)];
      const before = cutOffAreas(grid, fieldBefore);
      const lost = cutOffAreas(next, fieldAfter).findIndex((area, zone) => area - before[zone] > MOST_CUT_OFF);
      if (lost >= 0) return `It would cut off the way to ${scene.zones[lost].name}`;
      if (wallsInSomebody(world, snapshot, fieldBefore, fieldAfter)) return 'It would wall somebody in';
      setWalls([...walls, added], next.clearance);
      return undefined;
    },
    async keepWalls(count) {
      const kept = walls.slice(0, count);
      setWalls(kept, (await gridWith(kept)).clearance);
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
