/** People who have arrived leave the plan, and others enter it, as in wgsl/arrivals.wgsl. */

import type { CpuState } from './cpu-state.ts';
import { velocityOf } from './cpu-state.ts';
import { ENTRY, ENTRY_WORDS, OPEN, OPEN_ONCE } from './entries.ts';
import { NOWHERE, OBSTACLE, PERSON, RULES, groups } from './rules.ts';
import { otherZone, shortened, wayTo, wrapped } from './steering.ts';
import type { Vector } from './steering.ts';
import { parkingPlace } from './world.ts';

/** Velocities, arrivals, and which places of entry are taken. */
export function settle(state: CpuState): void {
  const { world, velocities, origins, destinations, field, totals, entries } = state;
  const { people, grid } = world;
  const { positions } = state.walls;

  const floats = new Float32Array(entries.words.buffer);
  for (let i = 0; i < people; i++) {
    if (destinations[i] === NOWHERE) continue;
    const [x, y] = [positions[2 * i], positions[2 * i + 1]];
    const moved = Math.hypot(x - origins[2 * i], y - origins[2 * i + 1]) / RULES.STEP;
    velocities.set(shortened(velocityOf(state, i), moved), 2 * i);
    if (wayTo(grid, field, destinations[i], x, y).left < RULES.ARRIVAL) {
      totals.arrived++;
      leave(state, i);
      continue;
    }
    totals.present++;
    if (moved > 0.3) totals.moving++;
    for (let at = 0; at < entries.words.length; at += ENTRY_WORDS) {
      const [apartX, apartY] = [floats[at + ENTRY.x] - x, floats[at + ENTRY.y] - y];
      if (apartX * apartX + apartY * apartY < RULES.ENTRY_GAP ** 2) entries.words[at + ENTRY.isTaken] = 1;
    }
  }
}

function leave({ world, velocities, destinations, near, walls }: CpuState, i: number): void {
  destinations[i] = NOWHERE;
  velocities.fill(0, 2 * i, 2 * i + 2);
  const { x, y } = parkingPlace(world.scene, i);
  walls.positions.set([x, y], 2 * i);
  near.groups[i] = 0;
  walls.groups[i] = 0;
}

/** People from outside enter where there is room. */
export function enter(state: CpuState): void {
  const { world, destinations, near, walls, entries, totals } = state;
  const { scene, shapeOf } = world;
  const { positions, angles } = walls;

  for (let k = 0; k < entries.count; k++) {
    const entry = entries.words.subarray(ENTRY_WORDS * k, ENTRY_WORDS * (k + 1));
    const [isTaken, mode] = [entry[ENTRY.isTaken], entry[ENTRY.mode]];
    entry[ENTRY.isTaken] = 0;
    if (mode === OPEN_ONCE) entry[ENTRY.mode] = 0;
    if ((mode !== OPEN && mode !== OPEN_ONCE) || isTaken) continue;
    const [first, end, stride] = [entry[ENTRY.first], entry[ENTRY.end], entry[ENTRY.stride]];
    for (let tries = Math.ceil((end - first) / stride); tries > 0; tries--) {
      const i = entry[ENTRY.cursor];
      entry[ENTRY.cursor] = i + stride < end ? i + stride : first;
      if (destinations[i] !== NOWHERE) continue;
      destinations[i] = otherZone(entry[ENTRY.zone], scene.zones.length, totals.steps * 4096 + k);
      positions.set(entryPlace(state, k), 2 * i);
      angles[i] = shapeOf[i] ? wrapped(k < world.entries.length ? world.entries[k].angle : 0) : 0;
      near.groups[i] = groups(PERSON, PERSON | OBSTACLE);
      walls.groups[i] = groups(PERSON, OBSTACLE);
      totals.present++;
      break;
    }
  }
}

function entryPlace({ entries }: CpuState, k: number): Vector {
  const floats = new Float32Array(entries.words.buffer, 4 * ENTRY_WORDS * k, 2);
  return [floats[0], floats[1]];
}
