/** What both backends of the simulation offer to the page. */

import type { Obstacle } from './scenes.ts';
import type { World } from './world.ts';

export interface Totals {
  steps: number;
  /** Checks so far, each of one person against all walls and doors in one step, and overlaps found. */
  checks: number;
  inWalls: number;
  arrived: number;
  /** In the latest step. */
  present: number;
  touching: number;
  moving: number;
  wallPairs: number;
  nearPairs: number;
  /** Pairs so far for which the buffers had no room: neighbours not seen, and walls for which everybody stood still. */
  nearOverflow: number;
  wallOverflow: number;
  /** Pairs and bodies that a query could not use so far. */
  invalid: number;
}

export const TOTALS = [
  'steps',
  'checks',
  'inWalls',
  'arrived',
  'present',
  'touching',
  'moving',
  'wallPairs',
  'nearPairs',
  'nearOverflow',
  'wallOverflow',
  'invalid',
] as const satisfies (keyof Totals)[];

export const STAGES = ['contacts', 'steering', 'impacts', 'check'] as const;
/** Milliseconds of the latest measured step. `all` only where the stages can't be told apart. */
export type StageTimes = Partial<Record<(typeof STAGES)[number] | 'all', number>>;

/** State of people and leaves. */
export interface Snapshot {
  steps: number;
  /** x, y, angle, scale of all bodies. */
  poses: Float32Array;
  /** Zone of each person, or `NOWHERE`. */
  destinations: Uint32Array;
  /** Metres per second of each person. */
  speeds: Float32Array;
}

export interface Report {
  totals: Totals;
  times: StageTimes;
}

export interface Crowd {
  readonly world: World;
  /** Takes one step. Resolves when the next may be taken. */
  step(): Promise<void>;
  /** Returns to the start. */
  reset(): void;
  /** Where each leaf should be (x, y), and the flow field that goes with it. */
  setDoors(leafTargets: Float32Array, field: Float32Array): void;
  /** Replaces the walls that are drawn: at most `MOST_DRAWN`, and none where somebody stands. */
  setWalls(walls: readonly Obstacle[]): void;
  /** Lets visitors in at these places (x, y) in the next step, where there is room. */
  throwIn(places: readonly { x: number; y: number }[]): void;
  report(): Promise<Report>;
  snapshot(): Promise<Snapshot>;
  dispose(): void;
}
