import { NarrowphaseError } from '../api/errors.ts';

/**
 * Runs `use`, which must not wait for anything, under error scopes of its own: the device may be the caller's, whose
 * commands before and after are no business of ours. `verdict` rejects with `OUT_OF_MEMORY` or `SHADER` if the device
 * refused something.
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
  // Whoever waits for it sees the rejection; nobody does when `use` itself failed.
  verdict.catch(() => {});
  if ('failure' in outcome) throw outcome.failure;
  return { result: outcome.result, verdict };
}
