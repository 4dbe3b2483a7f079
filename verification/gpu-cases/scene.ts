/** Workloads in memory, on the host and on the device. */

import { dimension2 } from '../../src/dimension/dim2.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import type { AnyBodies } from '../../src/records/bodies.ts';
import { packBodies, packVelocities } from '../records/packed-bodies.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import type { PosedBodies } from '../../src/api/types.ts';
import { createRandom, unitVector } from '../families/random.ts';
import type { GpuCase } from './cases.ts';
import { timesQuaternion } from './judge.ts';
import { orderByClass } from './lockstep.ts';
import { makeCaseWorkload, type CaseWorkload } from './case-workload.ts';

/** A workload of which pair i has bodies 2i and 2i + 1. */
export interface HostScene {
  workload: CaseWorkload;
  dimension: Dimension;
  pairCount: number;
  /** Pairs in the order in which kernels take them: sorted by class where there is more than one. */
  order: Uint32Array;
  /** The bodies a frame later, where searches may start warm; otherwise the same. */
  moved: AnyBodies;
}

/**
 * What bodies do from frame to frame where searches start warm: they go this share of their bounding radius in a random
 * direction, and turn by this angle in radians around a random axis. A body of half a metre at 60 frames per second: 0.3
 * m/s and half a radian per second.
 */
export const MOTION = 0.01;

const made = new Map<string, HostScene>();

export function hostScene(
  { workload: name, motion }: Pick<GpuCase, 'workload' | 'motion'>,
  pairCount: number,
  hitRate: number,
  seed: number,
): HostScene {
  const key = [name, motion, pairCount, hitRate, seed].join();
  let scene = made.get(key);
  if (!scene) {
    const workload = makeCaseWorkload(name, motion, pairCount, hitRate, seed);
    const dimension: Dimension = workload.dimension === 2 ? (dimension2 as Dimension) : (dimension3 as Dimension);
    const shapes = workload.shapes.map((description) => dimension.makeShape(description, 'shape'));
    scene = {
      workload,
      dimension,
      pairCount,
      moved:
        'quaternions' in workload.bodies && !motion
          ? moveBodies(
              workload.bodies,
              shapes.map(({ boundingRadius }) => boundingRadius),
              seed + 1,
            )
          : workload.bodies,
      order: orderOf(
        workload,
        shapes.map(({ kind }) => kind),
        pairCount,
      ),
    };
    made.set(key, scene);
  }
  return scene;
}

function orderOf({ bodies, pairs }: CaseWorkload, kinds: readonly number[], pairCount: number): Uint32Array {
  const kindOf = (body: number): number => kinds[bodies.shapes[body]];
  return orderByClass(
    Uint8Array.from({ length: pairCount }, (_, i) => 16 * kindOf(pairs[2 * i]) + kindOf(pairs[2 * i + 1])),
  );
}

function moveBodies(bodies: PosedBodies, extents: readonly number[], seed: number): PosedBodies {
  const random = createRandom(seed);
  const positions = bodies.positions.slice();
  const quaternions = bodies.quaternions.slice();
  const step = [0, 0, 0];
  const axis = [0, 0, 0];
  bodies.shapes.forEach((shape, body) => {
    unitVector(random, step);
    unitVector(random, axis);
    for (let k = 0; k < 3; k++) positions[3 * body + k] += MOTION * extents[shape] * step[k];
    // It is normalised when it is packed.
    const turn = [...axis.map((component) => 0.5 * MOTION * component), 1];
    const quaternion = Array.from(bodies.quaternions.subarray(4 * body, 4 * body + 4));
    quaternions.set(timesQuaternion(turn, quaternion), 4 * body);
  });
  return { shapes: bodies.shapes, positions, quaternions };
}

/** The input buffers of batches. */
export interface DeviceScene {
  poses: GPUBuffer;
  shapes: GPUBuffer;
  pairs: GPUBuffer;
  /** Where bodies are in motion. */
  velocities: GPUBuffer | undefined;
  bodyCount: number;
  /** Poses of two frames, where bodies move. */
  frames: readonly [GPUBuffer, GPUBuffer] | null;
  destroy(): void;
}

export interface SceneLayout {
  bodies: 'shared' | 'own';
  isMoving: boolean;
  /** Pairs that there is room for. */
  pairCount: number;
}

/** Bytes of the largest buffer of a scene. */
export function largestSceneBuffer(host: HostScene, { bodies, pairCount }: SceneLayout): number {
  return Math.max(8 * pairCount, poseBytes(host) * bodyCountOf(host, bodies, pairCount));
}

function poseBytes({ dimension: { poseWords, velocityWords }, workload: { motion } }: HostScene): number {
  return 4 * Math.max(poseWords, motion ? velocityWords : 0);
}

function bodyCountOf(host: HostScene, bodies: SceneLayout['bodies'], pairCount: number): number {
  return 2 * (bodies === 'own' ? Math.max(pairCount, host.pairCount) : host.pairCount);
}

/** Bits of `GPUBufferUsage`, which Node has no global for. */
const COPY_SRC = 4;
const COPY_DST = 8;
const STORAGE = 128;

/** What is written at once. */
const PART = 2 ** 20;

export function uploadScene(device: GPUDevice, host: HostScene, layout: SceneLayout): DeviceScene {
  const { queue } = device;
  const { bodies, motion } = host.workload;
  const { dimension } = host;
  const bodyCount = bodyCountOf(host, layout.bodies, layout.pairCount);
  const make = (name: string, size: number): GPUBuffer =>
    device.createBuffer({ label: `scene.${name}`, size, usage: STORAGE | COPY_SRC | COPY_DST });
  const upload = (
    name: string,
    data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
    size = data.byteLength,
  ): GPUBuffer => {
    const buffer = make(name, Math.max(size, data.byteLength));
    queue.writeBuffer(buffer, 0, data);
    return buffer;
  };
  const packed = packBodies(bodies, dimension);
  const poses = upload('poses', packed.poses, 4 * dimension.poseWords * bodyCount);
  const shapes = upload('shapes', packed.bodyShapes, 4 * bodyCount);
  const packedVelocities = motion && packVelocities(motion, dimension);
  const velocities =
    packedVelocities && upload('velocities', packedVelocities, 4 * dimension.velocityWords * bodyCount);
  const pairs = make('pairs', 8 * Math.max(layout.pairCount, host.pairCount));
  const listed = layout.bodies === 'own' ? bodyCount : 2 * host.pairCount;
  for (let first = 0; first < listed; first += PART) {
    queue.writeBuffer(
      pairs,
      4 * first,
      Uint32Array.from({ length: Math.min(PART, listed - first) }, (_, i) => first + i),
    );
  }
  repeat(device, poses, packed.poses.byteLength);
  repeat(device, shapes, packed.bodyShapes.byteLength);
  repeat(device, pairs, 4 * listed);
  if (velocities) repeat(device, velocities, packedVelocities.byteLength);
  const frames = layout.isMoving
    ? ([upload('frame 0', packed.poses), upload('frame 1', packBodies(host.moved, dimension).poses)] as const)
    : null;
  return {
    poses,
    shapes,
    pairs,
    velocities: velocities ?? undefined,
    bodyCount,
    frames,
    destroy() {
      for (const buffer of [poses, shapes, pairs, ...(velocities ? [velocities] : []), ...(frames ?? [])])
        buffer.destroy();
    },
  };
}

/** Fills a buffer with copies of its first bytes, twice as many with each copy. */
function repeat(device: GPUDevice, buffer: GPUBuffer, bytes: number): void {
  if (bytes >= buffer.size) return;
  const scratch = device.createBuffer({ label: 'scene.scratch', size: buffer.size, usage: COPY_SRC | COPY_DST });
  const encoder = device.createCommandEncoder({ label: 'scene.repeat' });
  // WebGPU copies from one buffer to another only.
  for (let done = bytes; done < buffer.size; done *= 2) {
    const next = Math.min(done, buffer.size - done);
    encoder.copyBufferToBuffer(buffer, 0, scratch, 0, next);
    encoder.copyBufferToBuffer(scratch, 0, buffer, done, next);
  }
  device.queue.submit([encoder.finish()]);
  scratch.destroy();
}
