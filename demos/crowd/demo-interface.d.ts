/** What the page offers to tests and to the console. */

import type { Snapshot, Totals } from './crowd.ts';
import type { World } from './world.ts';

declare global {
  interface Window {
    crowd: CrowdDemo;
  }
}

export interface CrowdDemo {
  /** Takes this many steps, draws, and returns the counters. */
  take(steps: number): Promise<Totals>;
  snapshot(): Promise<Snapshot>;
  world(): World;
  /** From the next step on. */
  toggleDoor(door: number): void;
  /** In the next step. Returns how many places there are. */
  throwIn(x: number, y: number): number;
  /** A point of the plan, in CSS pixels of the page. */
  toPage(x: number, y: number): [number, number];
}
