/** The simulation on the GPU: poses and velocities in buffers, and a step as commands of one encoder. No DOM, no three. */

import type { Tester } from 'narrowphase';
import { ALL_GROUPS, makeBodyArrays, massOf } from './bodies.ts';
import type { BodyArrays, PressingPoint, SceneData } from './bodies.ts';
import { BODY_FLOATS } from './constants.ts';
import { createGpuContacts, openTester } from './contacts.ts';
import type { GpuContacts } from './contacts.ts';
import { createGpuSolver, pressingPoints, SOLVER_USAGE } from './gpu-solver.ts';
import type { GpuSolver } from './gpu-solver.ts';
import { createStageClock } from './stage-clock.ts';

export type Vector = readonly [number, number, number];

/** What the page needs of a simulation, on either backend. */
export interface Simulation {
  readonly tester: Tester;
  readonly arrays: BodyArrays;
  /** The buffer of poses, on the GPU. */
  readonly poses?: GPUBuffer;
  /** Computes steps. On the GPU it resolves as soon as they are submitted. */
  step(count: number): Promise<void>;
  /** Puts all bodies back to where they began. */
  reset(): void;
  /** Replaces the poses, 8 floats per body. */
  setPoses(poses: Float32Array<ArrayBuffer>): void;
  /** Throws a ball that waits, by its body's index. */
  launch(body: number, position: Vector, velocity: Vector): void;
  /** Drags a body to a place; -1 ends it. */
  drag(body: number, goal: Vector): void;
  /** Poses, 8 floats per body. */
  readPoses(): Promise<Float32Array>;
  /** Linear and angular velocities, 8 floats per body. */
  readMotions(): Promise<Float32Array>;
  /** Pairs of the broad phase and contacts of the last step. */
  readCounts(): Promise<Counts>;
  /** The contact points of the last step that press. */
  readPoints(): Promise<PressingPoint[]>;
  /** Milliseconds of the last step's stages; undefined where the device cannot tell. */
  readTimings(): Promise<Timings | undefined>;
  /** Room for the contact points of a step, to be drawn. */
  createMarks(): Marks;
  dispose(): void;
}

/** The contact points that press: 8 floats each, which are place, force in newtons, normal and 0. */
export interface Marks {
  readonly most: number;
  /** On the GPU: the points, and the arguments of an indirect draw of them. */
  readonly buffers?: { records: GPUBuffer; draw: GPUBuffer };
  /** Lists the points of the last step; on the CPU, returns them. `vertices`: those that are drawn of each. */
  update(vertices: number): Float32Array | undefined;
  dispose(): void;
}

export interface Counts {
  pairs: number;
  contacts: number;
  /** Pairs or contacts left out because the buffers were too small. */
  overflow: number;
}

export interface Timings {
  pairs: number;
  manifolds: number;
  solver: number;
}

/** Room per body. Resting debris has three to five contacts per body, and about twice as many pairs. */
const PAIRS_PER_BODY = 16;
const TOUCHES_PER_BODY = 10;
const LEAST_PAIRS = 4096;

/** Bytes of the largest buffer, per body. */
export const LARGEST_BUFFER_PER_BODY = PAIRS_PER_BODY * 176;

export async function createSimulation(scene: SceneData, device: GPUDevice): Promise<Simulation> {
  const { tester, ids } = await openTester(scene.shapes, device);
  const arrays = makeBodyArrays(scene, ids, tester);
  const { count } = arrays;
  const created = (label: string, bytes: number): GPUBuffer =>
    device.createBuffer({ label: `Simulation.${label}`, size: bytes, usage: SOLVER_USAGE });
  const buffers = {
    poses: created('poses', 32 * count),
    motions: created('motions', 32 * count),
    masses: created('masses', 32 * count),
    groups: created('groups', 4 * count),
  };
  const maxPairs = Math.max(LEAST_PAIRS, PAIRS_PER_BODY * count);
  const maxTouches = Math.max(LEAST_PAIRS, TOUCHES_PER_BODY * count);
  const contacts: GpuContacts = await createGpuContacts(tester, arrays, buffers, maxPairs);
  const solver: GpuSolver = await createGpuSolver(device, arrays, buffers, contacts, maxTouches);
  const clock = createStageClock(device, ['pairs', 'manifolds', 'solver']);

  function encodeStep(encoder: GPUCommandEncoder): void {
    clock?.mark(encoder, 0);
    contacts.pairs.encode(encoder);
    clock?.mark(encoder, 1);
    contacts.manifolds.encode(encoder);
    clock?.mark(encoder, 2);
    const pass = encoder.beginComputePass({ label: 'debris solver' });
    solver.encode(pass);
    pass.end();
    clock?.mark(encoder, 3);
  }

  async function read(buffer: GPUBuffer): Promise<Float32Array> {
    const staging = device.createBuffer({ size: buffer.size, usage: 0x01 | 0x08 }); // MAP_READ | COPY_DST
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(0x01);
    const floats = new Float32Array(staging.getMappedRange().slice(0));
    staging.destroy();
    return floats;
  }

  const simulation: Simulation = {
    tester,
    arrays,
    poses: buffers.poses,
    step(steps) {
      const encoder = device.createCommandEncoder({ label: 'debris step' });
      for (let i = 0; i < steps; i++) encodeStep(encoder);
      device.queue.submit([encoder.finish()]);
      return Promise.resolve();
    },
    reset() {
      const motions = arrays.motions.slice();
      const words = new Uint32Array(motions.buffer);
      for (let i = 0; i < count; i++) words[BODY_FLOATS * i + 3] = arrays.rests[i];
      device.queue.writeBuffer(buffers.poses, 0, arrays.poses.slice());
      device.queue.writeBuffer(buffers.motions, 0, motions);
      device.queue.writeBuffer(buffers.masses, 0, arrays.masses.slice());
      device.queue.writeBuffer(buffers.groups, 0, arrays.groups.slice());
      solver.reset();
    },
    setPoses: (poses) => device.queue.writeBuffer(buffers.poses, 0, poses),
    launch(body, position, velocity) {
      const { shape, density } = scene.bodies[body];
      const mass = massOf(tester, ids[shape], density);
      device.queue.writeBuffer(buffers.poses, 32 * body, Float32Array.from([...position, 1, 0, 0, 0, 1]));
      device.queue.writeBuffer(buffers.motions, 32 * body, Float32Array.from([...velocity, 0, 0, 0, 0, 1]));
      device.queue.writeBuffer(buffers.masses, 32 * body, Float32Array.from(mass));
      device.queue.writeBuffer(buffers.groups, 4 * body, Uint32Array.of(ALL_GROUPS));
    },
    drag: (body, goal) => solver.drag(body, goal),
    readPoses: () => read(buffers.poses),
    readMotions: () => read(buffers.motions),
    async readCounts() {
      const [search, found] = await Promise.all([contacts.pairs.readCounts(), contacts.manifolds.readCounts()]);
      const left = Math.max(0, found.hits - maxTouches);
      const overflow = search.pairOverflow + (found.partPairOverflow ?? 0) + found.hitOverflow + left;
      return { pairs: search.pairs, contacts: found.hits, overflow };
    },
    readPoints: async () => pressingPoints(await read(solver.lastTouches)),
    readTimings: async () => (await clock?.read()) as Timings | undefined,
    createMarks() {
      const most = 4 * maxTouches;
      const records = created('marks', 32 * most);
      const draw = device.createBuffer({ label: 'Simulation.draw', size: 16, usage: SOLVER_USAGE | 0x100 }); // INDIRECT
      return {
        most,
        buffers: { records, draw },
        update(vertices) {
          device.queue.writeBuffer(draw, 0, Uint32Array.of(vertices, 0, 0, 0));
          const encoder = device.createCommandEncoder({ label: 'debris marks' });
          const pass = encoder.beginComputePass({ label: 'debris marks' });
          solver.encodeMarks(pass, records, draw);
          pass.end();
          device.queue.submit([encoder.finish()]);
          return undefined;
        },
        dispose() {
          records.destroy();
          draw.destroy();
        },
      };
    },
    dispose() {
      solver.dispose();
      clock?.dispose();
      for (const buffer of Object.values(buffers)) buffer.destroy();
      tester.dispose();
    },
  };
  simulation.reset();
  return simulation;
}
