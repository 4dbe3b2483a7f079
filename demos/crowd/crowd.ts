/** What both backends of the simulation offer to the page. */

import type { World } from './world.ts';

export interface Totals {
  steps: number;
  /** Persons checked against all walls and doors so far, and overlaps found: one check per person and step. */
  checks: number;
  inWalls: number;
  arrived: number;
  /** Of the latest step. */
  present: number;
  touching: number;
  moving: number;
  wallPairs: number;
  nearPairs: number;
  /** Pairs without room so far: neighbours not seen, and walls for which everybody stood still. */
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

/** People and leaves as they are. */
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
  /** One step. Resolves when the next may be given. */
  step(): Promise<void>;
  /** The start again. */
  reset(): void;
  /** Where each leaf should be (x, y), and the flow field that goes with it. */
  setDoors(leafTargets: Float32Array, field: Float32Array): void;
  /** Lets visitors in at these places (x, y) in the next step, where there is room. */
  throwIn(places: readonly { x: number; y: number }[]): void;
  report(): Promise<Report>;
  snapshot(): Promise<Snapshot>;
  dispose(): void;
}
