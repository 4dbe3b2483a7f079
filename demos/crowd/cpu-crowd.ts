/**
 * The same crowd on the CPU backend, for fewer people. Its functions have the names of the kernels in wgsl/, and its queries
 * are calls of the tester.
 */

import type { PlanarTester } from 'narrowphase';
import { enter, settle } from './cpu-arrivals.ts';
import { advance, begin } from './cpu-motion.ts';
import { near } from './cpu-neighbours.ts';
import { createCpuState, velocityOf } from './cpu-state.ts';
import { steer } from './cpu-steering.ts';
import type { Crowd, StageTimes } from './crowd.ts';
import { TOTALS } from './crowd.ts';
import { replaceWalls } from './drawn-walls.ts';
import { ENTRY, ENTRY_WORDS, OPEN_ONCE, makeEntries } from './entries.ts';
import { THROWN } from './world.ts';
import type { World } from './world.ts';

export function createCpuCrowd(tester: PlanarTester, world: World): Crowd {
  const { people, bodies } = world;
  const ids = world.shapes.map((shape) => tester.addShape(shape));
  const state = createCpuState(tester, world, ids);
  const { walls, velocities, destinations, totals } = state;
  const { positions, angles } = walls;
  let times: StageTimes = {};

  async function step(): Promise<void> {
    const clock = createClock();
    begin(state);
    clock.lap('steering');
    await advance(state);
    clock.lap('impacts');
    await near(state);
    clock.lap('contacts');
    steer(state);
    clock.lap('steering');
    await advance(state);
    await advance(state);
    clock.lap('impacts');
    settle(state);
    enter(state);
    clock.lap('steering');
    await tally();
    clock.lap('check');
    times = clock.times;
  }

  /** Counts people in walls. */
  async function tally(): Promise<void> {
    const pairs = await tester.findPairs(walls);
    const { count } = await tester.intersects(walls, pairs, { results: 'hits' });
    totals.steps++;
    totals.checks += totals.present;
    totals.inWalls += count;
    totals.wallPairs = pairs.length / 2;
  }

  /** Puts bodies from `first` on at x, y, angle, scale. */
  function setPoses(poses: Float32Array, first: number): void {
    for (let i = 0; i < poses.length / 4; i++) {
      positions.set(poses.subarray(4 * i, 4 * i + 2), 2 * (first + i));
      angles[first + i] = poses[4 * i + 2];
    }
  }

  const crowd: Crowd = {
    world,
    step,
    reset() {
      setPoses(world.poses, 0);
      velocities.fill(0);
      destinations.set(world.targets);
      state.near.groups.set(world.groupsNear);
      walls.groups.set(world.groupsWalls);
      state.entries = makeEntries(world);
      for (const name of TOTALS) totals[name] = 0;
    },
    setDoors(newTargets, newField) {
      state.leafTargets = Float32Array.from(newTargets);
      state.field = Float32Array.from(newField);
    },
    setWalls(drawn) {
      const { shapes, poses } = replaceWalls(tester, world, ids, drawn);
      walls.shapes.set(shapes, world.firstDrawn);
      setPoses(poses, world.firstDrawn);
    },
    throwIn(places) {
      const { entries } = state;
      const floats = new Float32Array(entries.words.buffer);
      places.slice(0, THROWN).forEach(({ x, y }, k) => {
        const at = ENTRY_WORDS * (world.entries.length + k);
        floats.set([x, y, 0], at);
        entries.words[at + ENTRY.mode] = OPEN_ONCE;
      });
    },
    report: () => Promise.resolve({ totals: { ...totals }, times }),
    snapshot() {
      const poses = new Float32Array(4 * bodies);
      for (let i = 0; i < bodies; i++) poses.set([positions[2 * i], positions[2 * i + 1], angles[i], 1], 4 * i);
      const speeds = Float32Array.from({ length: people }, (_, i) => Math.hypot(...velocityOf(state, i)));
      return Promise.resolve({ steps: totals.steps, poses, destinations: destinations.slice(), speeds });
    },
    dispose() {
      for (const id of ids) tester.removeShape(id);
    },
  };
  crowd.reset();
  return crowd;
}

function createClock(): { times: StageTimes; lap(stage: keyof StageTimes): void } {
  const times: StageTimes = {};
  let last = performance.now();
  return {
    times,
    lap(stage) {
      const now = performance.now();
      times[stage] = (times[stage] ?? 0) + now - last;
      last = now;
    },
  };
}
