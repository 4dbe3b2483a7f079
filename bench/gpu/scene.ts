/** Workloads in memory, on the host and on the device. */

import { packBodies } from '../../src/records/bodies.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { makeShapeData, type ShapeData } from '../../src/shapes/shape-data.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { shapeCores } from '../../verification/families/family.ts';
import { createRandom, unitVector } from '../../verification/families/random.ts';
import { makeWorkload, type WorkloadName } from '../throughput/workloads/make.ts';
import type { Workload } from '../throughput/workloads/workload.ts';
import { orderByClass } from './lockstep.ts';

/** A workload of which pair i has bodies 2i and 2i + 1. */
export interface HostScene {
  workload: Workload;
  shapes: readonly ShapeData[];
  pairCount: number;
  /** Pairs in the order in which kernels take them: sorted by class where there is more than one. */
  order: Uint32Array;
  isSorted: boolean;
  /** The bodies a frame later. */
  moved: Workload['bodies'];
}

/**
 * What bodies do from frame to frame where searches start warm: they go this share of their bounding radius in a random
 * direction, and turn by this angle in radians around a random axis. A body of half a metre at 60 frames a second: 0.3
 * m/s and half a radian a second.
 */
export const MOTION = 0.01;

const made = new Map<string, HostScene>();

export function hostScene(name: WorkloadName, pairCount: number, hitRate: number, seed: number): HostScene {
  const key = [name, pairCount, hitRate, seed].join();
  let scene = made.get(key);
  if (!scene) {
    const workload = makeWorkload(name, pairCount, hitRate, seed);
    const shapes = workload.shapes.map((description) => makeShapeData(description));
    scene = {
      workload,
      shapes,
      pairCount,
      moved: moveBodies(workload, seed + 1),
      ...orderOf(workload, shapes, pairCount),
    };
    made.set(key, scene);
  }
  return scene;
}

function orderOf(
  { bodies, pairs }: Workload,
  shapes: readonly ShapeData[],
  pairCount: number,
): Pick<HostScene, 'order' | 'isSorted'> {
  const kindOf = (body: number): number => shapes[bodies.shapes[body]].kind;
  const classes = Uint8Array.from(
    { length: pairCount },
    (_, i) => 16 * kindOf(pairs[2 * i]) + kindOf(pairs[2 * i + 1]),
  );
  return { order: orderByClass(classes), isSorted: new Set(shapes.map(({ kind }) => kind)).size > 1 };
}

function moveBodies({ shapes, bodies }: Workload, seed: number): Workload['bodies'] {
  const random = createRandom(seed);
  const { extents } = shapeCores(shapes);
  const positions = bodies.positions.slice();
  const quaternions = bodies.quaternions.slice();
  const step = [0, 0, 0];
  const axis = [0, 0, 0];
  bodies.shapes.forEach((shape, body) => {
    unitVector(random, step);
    unitVector(random, axis);
    const [x, y, z, w] = bodies.quaternions.subarray(4 * body, 4 * body + 4);
    const [ax, ay, az] = axis.map((component) => 0.5 * MOTION * component);
    for (let k = 0; k < 3; k++) positions[3 * body + k] += MOTION * extents[shape] * step[k];
    // (a, 1) times the quaternion; it is normalised when it is packed.
    quaternions.set(
      [
        x + ax * w + ay * z - az * y,
        y + ay * w + az * x - ax * z,
        z + az * w + ax * y - ay * x,
        w - ax * x - ay * y - az * z,
      ],
      4 * body,
    );
  });
  return { shapes: bodies.shapes, positions, quaternions };
}

/** The input buffers of batches. */
export interface DeviceScene {
  poses: GPUBuffer;
  shapes: GPUBuffer;
  pairs: GPUBuffer;
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
  return Math.max(8 * pairCount, layouts.Pose.size * bodyCountOf(host, bodies, pairCount));
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
  const { bodies } = host.workload;
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
  const packed = packBodies(bodies, dimension3);
  const poses = upload('poses', packed.poses, layouts.Pose.size * bodyCount);
  const shapes = upload('shapes', packed.bodyShapes, 4 * bodyCount);
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
  const frames = layout.isMoving
    ? ([upload('frame 0', packed.poses), upload('frame 1', packBodies(host.moved, dimension3).poses)] as const)
    : null;
  return {
    poses,
    shapes,
    pairs,
    bodyCount,
    frames,
    destroy() {
      for (const buffer of [poses, shapes, pairs, ...(frames ?? [])]) buffer.destroy();
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
