/**
 * The crowd on the GPU. Three batches of the package and the demo's own kernels take turns in one command buffer per step.
 * Poses leave the device only for the reference's check.
 */

import type { PlanarTester } from 'narrowphase';
import { layouts } from 'narrowphase/wgsl';
import type { Crowd, Report, Snapshot, Totals } from './crowd.ts';
import { TOTALS } from './crowd.ts';
import { replaceWalls } from './drawn-walls.ts';
import { ENTRY, ENTRY_WORDS, OPEN_ONCE, makeEntries } from './entries.ts';
import { createKernels } from './kernels.ts';
import { RULES } from './rules.ts';
import { createPassClock, stageTimes } from './pass-clock.ts';
import { readBuffers } from './read-buffers.ts';
import { stepWgsl } from './step-shader.ts';
import { THROWN } from './world.ts';
import type { World } from './world.ts';

/** Room for pairs per body: in the densest queue a person sees some 20 others, of which half count as its own. */
const NEAR_PAIRS = 16;
const WALL_PAIRS = 6;

/** `Person` records: velocity, origin, speed, destination, isCapsule, pad. */
const PERSON_WORDS = 8;

export interface GpuCrowd extends Crowd {
  readonly device: GPUDevice;
  /** `PlanarPose` records of all bodies, and persons' records, for drawing. */
  readonly poses: GPUBuffer;
  readonly persons: GPUBuffer;
}

export async function createGpuCrowd(tester: PlanarTester, device: GPUDevice, world: World): Promise<GpuCrowd> {
  const { people, bodies, leaves, grid, scene } = world;
  const ids = world.shapes.map((shape) => tester.addShape(shape));
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const buffer = (label: string, size: number, usage = STORAGE): GPUBuffer =>
    device.createBuffer({ label: `Crowd.${label}`, size: Math.max(size, 16), usage: usage | COPY_SRC | COPY_DST });

  const entries = makeEntries(world);
  const cells = grid.width * grid.height;
  const buffers = {
    params: buffer('params', 64, UNIFORM),
    poses: buffer('poses', layouts.PlanarPose.size * bodies),
    velocities: buffer('velocities', layouts.PlanarVelocity.size * bodies),
    persons: buffer('persons', 4 * PERSON_WORDS * people),
    forces: buffer('forces', 16 * people),
    field: buffer('field', 16 * cells * scene.zones.length),
    groupsNear: buffer('groupsNear', 4 * bodies),
    groupsWalls: buffer('groupsWalls', 4 * bodies),
    entries: buffer('entries', entries.words.byteLength),
    totals: buffer('totals', 4 * TOTALS.length),
    leafTargets: buffer('leafTargets', 8 * leaves),
    shapes: buffer('shapes', 4 * bodies),
    fixed: buffer('fixed', 4 * bodies),
  };
  const { poses, shapes, fixed, velocities } = buffers;
  const common = { maxBodies: bodies, poses, shapes, fixed };
  const walls = { ...common, groups: buffers.groupsWalls, maxPairs: WALL_PAIRS * bodies };

  const [contacts, impacts, overlaps] = await Promise.all([
    // Signed distances and normals of all pairs that see each other.
    tester.createBatch({
      ...common,
      query: 'contacts',
      groups: buffers.groupsNear,
      maxPairs: NEAR_PAIRS * bodies,
      margin: RULES.SIGHT,
      broadPhase: true,
    }),
    // When each person first reaches a wall. Velocities are displacements, so that times are shares of them.
    tester.createBatch({
      ...walls,
      query: 'impacts',
      velocities,
      duration: 1,
      turning: true,
      margin: RULES.SKIN,
      stopAtPenetration: false,
      results: 'earliest',
      broadPhase: true,
    }),
    // Overlaps of people and walls: a separate query, which shares no kernel with the impacts.
    tester.createBatch({ ...walls, query: 'intersects', results: 'hits', broadPhase: true }),
  ]);

  const kernels = await createKernels(device, stepWgsl, { ...buffers, contacts, impacts, overlaps });
  const clock = createPassClock(device);
  const params = new Uint32Array(16);
  new Float32Array(params.buffer).set([grid.left, grid.bottom, grid.cell]);
  params.set([grid.width, grid.height, people, leaves, bodies, entries.count, scene.zones.length], 3);
  new Float32Array(params.buffer).set(scene.size, 11);
  device.queue.writeBuffer(
    shapes,
    0,
    world.shapeOf.map((shape) => ids[shape]),
  );
  device.queue.writeBuffer(fixed, 0, new Uint32Array(bodies).fill(1, people + leaves));
  let taken = 0;

  const crowd: GpuCrowd = {
    world,
    device,
    poses,
    persons: buffers.persons,
    reset() {
      taken = 0;
      device.queue.writeBuffer(poses, 0, world.poses);
      device.queue.writeBuffer(buffers.persons, 0, personRecords(world));
      device.queue.writeBuffer(buffers.groupsNear, 0, world.groupsNear);
      device.queue.writeBuffer(buffers.groupsWalls, 0, world.groupsWalls);
      device.queue.writeBuffer(buffers.entries, 0, makeEntries(world).words);
      device.queue.writeBuffer(buffers.totals, 0, new Uint32Array(TOTALS.length));
    },
    setDoors(leafTargets, field) {
      device.queue.writeBuffer(buffers.leafTargets, 0, leafTargets as Float32Array<ArrayBuffer>);
      device.queue.writeBuffer(buffers.field, 0, field as Float32Array<ArrayBuffer>);
    },
    setWalls(drawn) {
      const replaced = replaceWalls(tester, world, ids, drawn);
      device.queue.writeBuffer(shapes, 4 * world.firstDrawn, replaced.shapes);
      device.queue.writeBuffer(poses, layouts.PlanarPose.size * world.firstDrawn, replaced.poses);
    },
    throwIn(places) {
      places.slice(0, THROWN).forEach(({ x, y }, k) => {
        const at = 4 * ENTRY_WORDS * (world.entries.length + k);
        device.queue.writeBuffer(buffers.entries, at, new Float32Array([x, y, 0]));
        device.queue.writeBuffer(buffers.entries, at + 4 * ENTRY.mode, new Uint32Array([OPEN_ONCE]));
      });
    },
    async step() {
      params[10] = taken++;
      device.queue.writeBuffer(buffers.params, 0, params);
      const encoder = device.createCommandEncoder({ label: 'Crowd.step' });
      clock.start();
      const { run } = kernels;
      run(encoder, clock.next(), ['begin']);
      impacts.encode(encoder);
      run(encoder, clock.next(), ['advance']); // leaves of doors
      contacts.encode(encoder);
      run(encoder, clock.next(), ['near', 'tallyNear', 'steer']);
      impacts.encode(encoder);
      run(encoder, clock.next(), ['advance']);
      impacts.encode(encoder);
      run(encoder, clock.next(), ['advance', 'settle', 'enter']);
      overlaps.encode(encoder);
      run(encoder, clock.next(), ['tally']);
      clock.resolve(encoder);
      device.queue.submit([encoder.finish()]);
    },
    async report(): Promise<Report> {
      const [totals, stamps] = await readBuffers(device, [buffers.totals, ...(clock.buffer ? [clock.buffer] : [])]);
      const words = new Uint32Array(totals);
      return {
        totals: Object.fromEntries(TOTALS.map((name, k) => [name, words[k]])) as unknown as Totals,
        times: stamps ? stageTimes(new BigUint64Array(stamps)) : {},
      };
    },
    async snapshot(): Promise<Snapshot> {
      const stepsTaken = taken;
      const [pose, person] = await readBuffers(device, [poses, buffers.persons]);
      const [words, floats] = [new Uint32Array(person), new Float32Array(person)];
      const velocityOf = (i: number): Float32Array => floats.subarray(PERSON_WORDS * i, PERSON_WORDS * i + 2);
      return {
        steps: stepsTaken,
        poses: new Float32Array(pose),
        destinations: Uint32Array.from({ length: people }, (_, i) => words[PERSON_WORDS * i + 5]),
        speeds: Float32Array.from({ length: people }, (_, i) => Math.hypot(...velocityOf(i))),
      };
    },
    dispose() {
      for (const batch of [contacts, impacts, overlaps]) batch.dispose();
      for (const id of ids) tester.removeShape(id);
      for (const own of Object.values(buffers)) own.destroy();
      clock.dispose();
    },
  };
  crowd.reset();
  return crowd;
}

function personRecords({ people, speeds, targets, shapeOf }: World): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(PERSON_WORDS * people);
  const floats = new Float32Array(words.buffer);
  for (let i = 0; i < people; i++) {
    floats[PERSON_WORDS * i + 4] = speeds[i];
    words[PERSON_WORDS * i + 5] = targets[i];
    words[PERSON_WORDS * i + 6] = shapeOf[i];
  }
  return words;
}
