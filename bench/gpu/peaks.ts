/**
 * What an adapter can do at best: bytes and instructions per second, as its maker says and as two plain kernels measure.
 */

import { median } from '../../verification/statistics/median.ts';
import type { OpenAdapter } from './adapter.ts';
import type { AdapterFacts } from './facts.ts';
import type { Clock } from '../../verification/gpu-cases/clock.ts';
import { SAMPLE_MS, WARM_UP_MS } from '../../verification/gpu-cases/sampling.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';

export interface Peak {
  /** Bytes per second, read and written together. */
  bandwidth: number;
  /** f32 instructions per second over all lanes; a fused multiply-add is one. */
  instructions: number;
}

/** By data sheets: half of the floating-point operations, of which a fused multiply-add is two. */
const KNOWN: readonly (Peak & { adapter: RegExp })[] = [
  { adapter: /\bh200\b/i, bandwidth: 4.8e12, instructions: 33.5e12 },
  { adapter: /\bh100\b.*\bhbm3\b/i, bandwidth: 3.35e12, instructions: 33.5e12 },
];

export function knownPeak({ device, description }: Pick<AdapterFacts, 'device' | 'description'>): Peak | undefined {
  const found = KNOWN.find(({ adapter }) => adapter.test(device) || adapter.test(description));
  return found && { bandwidth: found.bandwidth, instructions: found.instructions };
}

/** Samples of each kernel. */
const ROUNDS = 9;

const COPY = /* wgsl */ `
@group(0) @binding(0) var<storage, read> source: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> copied: array<vec4u>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = 0u; i < 4u; i++) {
    let row = id.x + i * groups.x * 256u;
    copied[row] = source[row];
  }
}`;

/** Per round of an invocation: four vectors of four, eight times. */
const FMA_PER_ROUND = 4 * 4 * 8;
const FMA_ROUNDS = 256;

const STEP = 'a = fma(a, s, o); b = fma(b, s, o); c = fma(c, s, o); d = fma(d, s, o);';
const FMA = /* wgsl */ `
@group(0) @binding(0) var<storage, read> factors: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> sums: array<vec4f>;
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let s = factors[0];
  let o = factors[1];
  var a = vec4f(f32(id.x & 1023u)) * o;
  var b = a + o;
  var c = b + o;
  var d = c + o;
  for (var i = 0u; i < ${FMA_ROUNDS}u; i++) {
    ${Array<string>(8).fill(STEP).join('\n    ')}
  }
  sums[id.x & 4095u] = a + b + c + d;
}`;

/** Bits of `GPUBufferUsage`, which Node has no global for. */
const COPY_DST = 8;
const STORAGE = 128;

export async function measurePeak(
  { device, facts }: Pick<OpenAdapter, 'device' | 'facts'>,
  clock: Clock | undefined,
): Promise<Peak> {
  const make = (size: number): GPUBuffer => device.createBuffer({ label: 'peak', size, usage: STORAGE | COPY_DST });
  // Several times what caches hold, as far as the device binds it.
  const bytes = Math.min(
    facts.isSoftware ? 2 ** 26 : 2 ** 29,
    2 ** Math.floor(Math.log2(facts.limits.maxStorageBufferBindingSize)),
  );
  const [from, to] = [make(bytes), make(bytes)];
  const factors = make(32);
  device.queue.writeBuffer(factors, 0, Float32Array.of(0.999, 0.998, 0.997, 0.996, 1e-3, 2e-3, 3e-3, 4e-3));
  fillWithNoise(device, from);
  const sums = make(16 * 4096);
  const copyMs = await timeKernel(COPY, [from, to], bytes / 16 / 4 / 256);
  const groups = facts.isSoftware ? 64 : 8192;
  const fmaMs = await timeKernel(FMA, [factors, sums], groups);
  for (const buffer of [from, to, factors, sums]) buffer.destroy();
  return {
    bandwidth: (2 * bytes) / (copyMs / 1000),
    instructions: (groups * 256 * FMA_ROUNDS * FMA_PER_ROUND) / (fmaMs / 1000),
  };

  async function timeKernel(code: string, buffers: GPUBuffer[], workgroups: number): Promise<number> {
    const module = device.createShaderModule({ label: 'peak', code });
    const compiling = device.createComputePipelineAsync({
      label: 'peak',
      layout: 'auto',
      compute: { module, entryPoint: 'main' },
    });
    const pipeline = await within(compiling, LIMITS.compile, 'compiling a plain kernel');
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const bindGroup = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    const run = async (repeats: number): Promise<number> => {
      const encoder = device.createCommandEncoder({ label: 'peak' });
      clock?.begin(encoder);
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      for (let i = 0; i < repeats; i++) pass.dispatchWorkgroups(workgroups);
      pass.end();
      clock?.end(encoder);
      clock?.resolve(encoder);
      const commands = encoder.finish();
      const begin = performance.now();
      device.queue.submit([commands]);
      await within(device.queue.onSubmittedWorkDone(), LIMITS.work, 'a plain kernel');
      const wall = performance.now() - begin;
      return (clock ? await clock.read() : wall) / repeats;
    };
    const begin = performance.now();
    do await run(1);
    while (performance.now() - begin < WARM_UP_MS);
    const repeats = Math.max(1, Math.min(256, Math.ceil(SAMPLE_MS / (await run(1)))));
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await run(repeats));
    return median(times);
  }
}

/** Zeros are easier to move than anything else on some hardware. */
function fillWithNoise(device: GPUDevice, buffer: GPUBuffer): void {
  const part = new Uint32Array(2 ** 20);
  let state = 1;
  for (let i = 0; i < part.length; i++) part[i] = state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  for (let at = 0; at < buffer.size; at += part.byteLength)
    device.queue.writeBuffer(buffer, at, part, 0, Math.min(part.length, (buffer.size - at) / 4));
}
