import { NarrowphaseError } from '../api/errors.ts';

/**
 * Runs `use`, which must be synchronous, under error scopes of its own: the device may belong to the caller, and errors
 * of the caller's commands must not be reported here. `verdict` rejects with `OUT_OF_MEMORY` or `SHADER` if the device
 * rejected a command of `use`.
 */
export function scoped<Result>(device: GPUDevice, use: () => Result): { result: Result; verdict: Promise<void> } {
  device.pushErrorScope('validation');
  device.pushErrorScope('internal');
  device.pushErrorScope('out-of-memory');
  let outcome: { result: Result } | { failure: unknown };
  try {
    outcome = { result: use() };
  } catch (failure) {
    outcome = { failure };
  }
  const popped = Promise.all([device.popErrorScope(), device.popErrorScope(), device.popErrorScope()]);
  const verdict = popped.then(([memory, internal, validation]) => {
    if (memory) throw new NarrowphaseError('OUT_OF_MEMORY', memory.message);
    const rejected = validation ?? internal;
    if (rejected) throw new NarrowphaseError('SHADER', `the device rejected a command: ${rejected.message}`);
  });
  // If `use` throws, nothing awaits `verdict`: this handler prevents an unhandled rejection.
  verdict.catch(() => {});
  if ('failure' in outcome) throw outcome.failure;
  return { result: outcome.result, verdict };
}
