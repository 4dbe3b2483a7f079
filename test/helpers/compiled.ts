/** Which kernels testers compile, by the labels of their pipelines. */

import { INFO_PENDING_EPA, STATUS_CAPACITY_EXCEEDED } from '../../src/generated/constants.ts';
import { kernels, type KernelName } from '../../src/generated/kernel-table.ts';
import { searchKernels } from '../../src/generated/search-kernels.ts';
import { planarRecords, spaceRecords } from '../../src/records/layout.ts';
import { keepDevices, type AdapterChanges } from './gpu.ts';

/**
 * `gpu` goes in a tester's option; `compiled` gets the name of each kernel that is compiled on its devices. `info`: what
 * the adapter says of itself.
 */
export function recordKernels(info?: AdapterChanges['info']): { gpu: GPU; compiled: Set<string> } {
  const compiled = new Set<string>();
  const { gpu } = keepDevices({
    info,
    isShared: true,
    spoil(device) {
      const create = device.createComputePipelineAsync.bind(device);
      device.createComputePipelineAsync = (descriptor) => {
        compiled.add((descriptor.label ?? '').split(/[. ]/)[1]);
        return create(descriptor);
      };
    },
  });
  return { gpu, compiled };
}

/** Kernels in space that queries of boxes alone never take. */
export const ofCurvedPairs =
  /^(contacts-(epa|refine|outside|mpr)|(intersects|distances)-(gjk|mpr)|impacts-epa|manifolds)$/;

/** All kernels of a dimension, in alphabetical order. */
export function kernelNames(dimension: 2 | 3): KernelName[] {
  const names = Object.keys({ ...kernels, ...searchKernels }) as KernelName[];
  return names.filter((name) => /(^|\/)planar(\/|-)/.test(name) === (dimension === 2)).sort();
}

/**
 * `gpu` goes in a tester's option; `dispatched` gets, for each compute pass on its devices, the kernels and constants of
 * its dispatches in order. `info`: what the adapter says of itself.
 */
export function recordDispatches(info?: AdapterChanges['info']): { gpu: GPU; dispatched: string[][] } {
  const dispatched: string[][] = [];
  const { gpu } = keepDevices({
    info,
    isShared: true,
    spoil(device) {
      const createEncoder = device.createCommandEncoder.bind(device);
      device.createCommandEncoder = (descriptor) => {
        const encoder = createEncoder(descriptor);
        const begin = encoder.beginComputePass.bind(encoder);
        encoder.beginComputePass = (of) => {
          const pass = begin(of);
          const labels: string[] = [];
          dispatched.push(labels);
          const setPipeline = pass.setPipeline.bind(pass);
          pass.setPipeline = (pipeline) => {
            labels.push(pipeline.label.replace(/^kernels\./, ''));
            setPipeline(pipeline);
          };
          return pass;
        };
        return encoder;
      };
    },
  });
  return { gpu, dispatched };
}

/** The kernels that answer pairs. */
const OF_QUERY = /^(planar\/)?(intersects|distances|contacts|manifolds|impacts)/;

/**
 * As `recordKernels`, with the constants of each kernel. In place of the kernels that answer pairs, which take seconds to
 * compile, there are some that leave each pair of contacts or manifolds to the fallback steps, and answer no other pair.
 */
export function recordVariants(info?: AdapterChanges['info']): { gpu: GPU; compiled: string[] } {
  const compiled: string[] = [];
  const { gpu } = keepDevices({
    info,
    isShared: true,
    spoil(device) {
      const create = device.createComputePipelineAsync.bind(device);
      device.createComputePipelineAsync = (descriptor) => {
        const label = (descriptor.label ?? '').replace(/^kernels\./, '');
        compiled.push(label);
        const query = OF_QUERY.exec(label);
        if (!query) return create(descriptor);
        const records = query[1] ? planarRecords : spaceRecords;
        const { words, info: infoWord } = records.sizes[query[2] as 'contacts'];
        const isLeft = ['contacts', 'manifolds'].includes(query[2]);
        const code = `
          @group(0) @binding(6) var<storage, read_write> records: array<u32>;
          fn leave(at: u32) {
            if (at < arrayLength(&records)) { records[at] = ${isLeft ? STATUS_CAPACITY_EXCEEDED | INFO_PENDING_EPA : 0}u; }
          }
          @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
            leave(id.x * ${words}u + ${infoWord}u);
          }
          @compute @workgroup_size(64) fn strided(@builtin(global_invocation_id) id: vec3u) {
            leave(id.x * ${words}u + ${infoWord}u);
          }`;
        const module = device.createShaderModule({ label: `stub.${label}`, code });
        return create({ ...descriptor, compute: { module, entryPoint: descriptor.compute.entryPoint } });
      };
    },
  });
  return { gpu, compiled };
}
