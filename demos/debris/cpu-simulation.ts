/** The simulation on the CPU, for browsers without WebGPU. */

import { ALL_GROUPS, makeBodyArrays, massOf } from './bodies.ts';
import type { SceneData } from './bodies.ts';
import { BODY_FLOATS } from './constants.ts';
import { findCpuContacts, openTester } from './contacts.ts';
import { createCpuSolver } from './cpu-solver.ts';
import type { Simulation, Timings } from './simulation.ts';

/** Room for contact points to be drawn. Resting debris has about ten per body. */
const MARKS_PER_BODY = 32;

export async function createCpuSimulation(scene: SceneData): Promise<Simulation> {
  const { tester, ids } = await openTester(scene.shapes);
  const arrays = makeBodyArrays(scene, ids, tester);
  const { poses, motions, masses, groups, rests } = arrays;
  const start = { poses: poses.slice(), motions: motions.slice(), masses: masses.slice(), rests: rests.slice() };
  const startGroups = groups.slice();
  let solver = createCpuSolver(arrays);
  let timings: Timings | undefined;
  let pairCount = 0;

  return {
    tester,
    arrays,
    async step(count) {
      for (let i = 0; i < count; i++) {
        const began = performance.now();
        const { pairs, manifolds } = await findCpuContacts(tester, arrays);
        const found = performance.now();
        solver.step(pairs, manifolds);
        pairCount = pairs.length / 2;
        // Pairs and manifolds are one figure here.
        timings = { pairs: 0, manifolds: found - began, solver: performance.now() - found };
      }
    },
    reset() {
      poses.set(start.poses);
      motions.set(start.motions);
      masses.set(start.masses);
      rests.set(start.rests);
      groups.set(startGroups);
      solver = createCpuSolver(arrays);
    },
    setPoses: (latest) => poses.set(latest),
    launch(body, position, velocity) {
      const { shape, density } = scene.bodies[body];
      poses.set([...position, 1, 0, 0, 0, 1], BODY_FLOATS * body);
      motions.set([...velocity, 0, 0, 0, 0, 0], BODY_FLOATS * body);
      masses.set(massOf(tester, ids[shape], density), BODY_FLOATS * body);
      groups[body] = ALL_GROUPS;
    },
    drag(body, goal) {
      solver.drag = body < 0 ? undefined : { body, goal };
    },
    readPoses: () => Promise.resolve(poses.slice()),
    readMotions: () => Promise.resolve(motions.slice()),
    readCounts: () => Promise.resolve({ pairs: pairCount, contacts: solver.contacts, overflow: 0 }),
    readPoints: () => Promise.resolve(solver.listPoints()),
    readTimings: () => Promise.resolve(timings),
    createMarks() {
      const most = MARKS_PER_BODY * arrays.count;
      return { most, update: () => solver.listMarks(most), dispose() {} };
    },
    dispose: () => tester.dispose(),
  };
}
