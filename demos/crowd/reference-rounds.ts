/** The reference's check in rounds: each takes some of the people, so that no frame waits for it. */

import { showReference } from './panel.ts';
import { createReferenceCheck } from './reference-check.ts';
import type { Simulation } from './simulation.ts';

/** Steps between two rounds. */
const ROUND_STEPS = 60;
/** Each round checks one person in this many. */
const STRIDE = 16;

export interface ReferenceRounds {
  /** The simulation has been opened or reset, or its walls have changed. */
  follow(simulation: Simulation): void;
  /** After each step. */
  stepped(): Promise<void>;
}

export function createReferenceRounds(): ReferenceRounds {
  let simulation: Simulation;
  let check: ReturnType<typeof createReferenceCheck>;
  let found = { checks: 0, inWalls: 0 };
  return {
    follow(given) {
      simulation = given;
      check = createReferenceCheck(simulation.crowd.world);
      if (simulation.steps === 0) found = { checks: 0, inWalls: 0 };
      showReference(found);
    },
    async stepped() {
      const { steps, crowd } = simulation;
      if (steps % ROUND_STEPS !== 0) return;
      const checkThen = check;
      const snapshot = await crowd.snapshot();
      if (check !== checkThen) return;
      const { checks, inWalls } = check(snapshot, (steps / ROUND_STEPS) % STRIDE, STRIDE);
      found = { checks: found.checks + checks, inWalls: found.inWalls + inWalls };
      showReference(found);
    },
  };
}
