/** Dispatches of kernels before they are needed, as some drivers compile a pipeline when it is first dispatched. */
import { kernels } from '../generated/kernel-table.ts';
import { USAGE } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import { record, variantKey, type KernelVariant } from './kernels.ts';
import type { Session } from './session.ts';

/** Bytes of a buffer that stands for any binding: all uniform structures and records are smaller. */
const BUFFER_BYTES = 4096;

function namesOf({ kernel }: KernelVariant): string[] {
  return Object.keys(kernels[kernel].bindings);
}

/**
 * Dispatches each of these compiled kernels with no workgroups, and waits until the device is done. lavapipe compiles most
 * of a kernel then: otherwise, the first contacts of hulls after `prepare` take 10 s of processor time there, of which
 * `prepare` takes 1.
 */
export async function dispatchFirst(session: Session, variants: readonly KernelVariant[]): Promise<void> {
  const { device, kernels: compiled, orLost } = session;
  const distinct = new Map(variants.map((variant) => [variantKey(variant), variant]));
  const most = Math.max(...variants.map((variant) => namesOf(variant).length));
  const buffers: GPUBuffer[] = [];
  const create = (name: string, size: number, usage: number): GPUBuffer => {
    const buffer = device.createBuffer({ label: `firstDispatch.${name}`, size, usage });
    buffers.push(buffer);
    return buffer;
  };
  const { verdict } = scoped(device, () => {
    // A buffer per binding of a kernel, as one that the kernel writes may not be bound twice.
    const usage = USAGE.UNIFORM | USAGE.STORAGE;
    const bindings = Array.from({ length: most }, (_, i) => create(`binding${i}`, BUFFER_BYTES, usage));
    // Dawn warns of dispatches of no workgroups unless their number is in a buffer.
    const indirect = { buffer: create('workgroups', 12, USAGE.INDIRECT), offset: 0 };
    const encoder = device.createCommandEncoder({ label: 'firstDispatch' });
    const pass = encoder.beginComputePass({ label: 'firstDispatch' });
    for (const variant of distinct.values()) {
      const named = Object.fromEntries(namesOf(variant).map((name, i) => [name, bindings[i]]));
      record(pass, [{ ...compiled.bind(variant, named, 1), indirect }]);
    }
    pass.end();
    device.queue.submit([encoder.finish()]);
  });
  try {
    await orLost(Promise.all([verdict, device.queue.onSubmittedWorkDone()]));
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}
