/** Which kernels testers compile, by the labels of their pipelines. */

import { kernels, type KernelName } from '../../src/generated/kernel-table.ts';
import { keepDevices, type AdapterChanges } from './gpu.ts';

/**
 * `gpu` goes in a tester's option; `compiled` gets the name of each kernel that is compiled on its devices. `info`: what
 * the adapter says of itself.
 */
export function recordKernels(info?: AdapterChanges['info']): { gpu: GPU; compiled: Set<string> } {
  const compiled = new Set<string>();
  const { gpu } = keepDevices({
    info,
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

/** All kernels of a dimension that small queries use, in alphabetical order. */
export function kernelNames(dimension: 2 | 3): string[] {
  return Object.keys(kernels)
    .filter((name) => name.startsWith('planar/') === (dimension === 2) && !isOfInput(name as KernelName))
    .sort();
}

/** Whether only large queries use this kernel. */
function isOfInput(name: KernelName): boolean {
  const bundles: readonly string[] = kernels[name].bundles;
  return bundles.includes('input');
}

/**
 * `gpu` goes in a tester's option; `dispatched` gets, for each compute pass on its devices, the kernels and constants of
 * its dispatches in order. `info`: what the adapter says of itself.
 */
export function recordDispatches(info?: AdapterChanges['info']): { gpu: GPU; dispatched: string[][] } {
  const dispatched: string[][] = [];
  const { gpu } = keepDevices({
    info,
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
