/** Moves bodies from frame to frame by a compute shader, as a caller's own simulation does. */

import { shapesWgsl } from '../../src/wgsl.ts';
import type { FrameScene } from './scenes.ts';

export interface Mover {
  /** `Pose` records, one per body. */
  readonly poses: GPUBuffer;
  /** Records the motion to a frame. In frame 0 every body is where the scene has it. */
  encode(encoder: GPUCommandEncoder, frame: number): void;
  destroy(): void;
}

/** How far a body gets along each axis from where the scene has it, in edges of the unscaled box. */
export const MOVE = 0.1;

/** Bits of `GPUBufferUsage`, which Node has no global for. */
const UNIFORM = 64;
const COPY_DST = 8;
const STORAGE = 128;

const WORKGROUP = 256;

const SHADER = /* wgsl */ `
${shapesWgsl}
@group(0) @binding(0) var<storage, read> start: array<Pose>;
@group(0) @binding(1) var<storage, read_write> poses: array<Pose>;
@group(0) @binding(2) var<uniform> frame: u32;
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) size: vec3u,
        @builtin(local_invocation_index) local: u32) {
  let i = (workgroup.y * size.x + workgroup.x) * ${WORKGROUP}u + local;
  if (i >= arrayLength(&start)) { return; }
  var pose = start[i];
  let phase = vec3f(f32(i & 1023u)) * vec3f(1.1, 2.3, 3.7) + vec3f(f32(frame));
  pose.position += select(0.0, ${MOVE} * pose.scale, frame > 0u) * sin(phase);
  poses[i] = pose;
}`;

export function createMover(device: GPUDevice, scene: FrameScene): Mover {
  const records = posesOf(scene);
  const make = (label: string, size: number, usage: number): GPUBuffer => device.createBuffer({ label, size, usage });
  const start = make('frame.start', records.byteLength, STORAGE | COPY_DST);
  const poses = make('frame.poses', records.byteLength, STORAGE);
  const uniform = make('frame.number', 4, UNIFORM | COPY_DST);
  device.queue.writeBuffer(start, 0, records);
  const module = device.createShaderModule({ label: 'frame.move', code: SHADER });
  const pipeline = device.createComputePipeline({ label: 'frame.move', layout: 'auto', compute: { module } });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [start, poses, uniform].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  const workgroups = Math.ceil(scene.count / WORKGROUP);
  const width = Math.min(workgroups, 2 ** 15);
  return {
    poses,
    encode(encoder, frame) {
      device.queue.writeBuffer(uniform, 0, Uint32Array.of(frame));
      const pass = encoder.beginComputePass({ label: 'frame.move' });
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(width, Math.ceil(workgroups / width));
      pass.end();
    },
    destroy() {
      for (const buffer of [start, poses, uniform]) buffer.destroy();
    },
  };
}

/** Of body i in a frame: the position as the shader has it, but for rounding. */
export function movedPosition({ positions, scales }: FrameScene, i: number, frame: number): number[] {
  return [1.1, 2.3, 3.7].map((factor, k) => {
    const way = frame !== 0 ? MOVE * scales[i] * Math.sin((i & 1023) * factor + frame) : 0;
    return positions[3 * i + k] + way;
  });
}

/** Position, scale, quaternion per body. */
function posesOf({ count, positions, quaternions, scales }: FrameScene): Float32Array<ArrayBuffer> {
  const records = new Float32Array(8 * count);
  for (let i = 0; i < count; i++) {
    records.set(positions.subarray(3 * i, 3 * i + 3), 8 * i);
    records[8 * i + 3] = scales[i];
    records.set(quaternions.subarray(4 * i, 4 * i + 4), 8 * i + 4);
  }
  return records;
}
