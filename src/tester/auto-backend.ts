/** The backend of `'auto'`: WebGPU while it is available, the CPU from then on. */
import type { Backend } from '../request/backend.ts';
import { NarrowphaseError } from '../api/errors.ts';

/**
 * `openWebGpu` throws `WEBGPU_UNAVAILABLE` if no adapter can be used. Its backend throws the same once a lost device
 * can't be replaced.
 */
export async function openAutoBackend(
  openWebGpu: () => Promise<Backend>,
  createCpu: () => Promise<Backend>,
): Promise<Backend> {
  /** Why the backend isn't WebGPU. */
  let reason: string | undefined;
  let isDisposed = false;

  /** The CPU backend if WebGPU was unavailable. Rethrows other errors. */
  async function cpuAfter(error: unknown): Promise<Backend> {
    if (!isUnavailable(error)) throw error;
    const cpu = await createCpu();
    reason = error.message;
    return cpu;
  }

  /** Why the backend is being replaced. */
  let failure: unknown;

  let current = await openWebGpu().catch(cpuAfter);

  /** Replaces `tried` by the CPU backend, unless another call has done so. Rethrows other errors. */
  async function giveUp(tried: Backend, error: unknown): Promise<void> {
    if (!isUnavailable(error)) throw error;
    if (current !== tried) return;
    failure = error;
    const cpu = await cpuAfter(error).finally(() => (failure = undefined));
    if (current !== tried || isDisposed) return cpu.dispose();
    current = cpu;
    tried.dispose();
  }

  /** An optional method of the backend. If it fails for lack of a device, the next call gets the CPU backend's. */
  function watched<Request, Answer>(method: ((request: Request) => Promise<Answer>) | undefined): typeof method {
    const tried = current;
    return (
      method &&
      (async (request) => {
        try {
          if (failure) throw failure;
          return await method(request);
        } catch (error) {
          await giveUp(tried, error);
          throw error;
        }
      })
    );
  }

  return {
    get name() {
      return current.name;
    },
    get adapter() {
      return current.adapter;
    },
    get limits() {
      return current.limits;
    },
    get timings() {
      return current.timings;
    },
    get fallback() {
      return [reason, current.fallback].filter(Boolean).join('; ') || undefined;
    },
    async run(request, sink) {
      const tried = current;
      try {
        await tried.run(request, sink);
      } catch (error) {
        await giveUp(tried, error);
        // A query that had no device has passed nothing to the sink, so it can run again.
        await current.run(request, sink);
      }
    },
    async prepare(request) {
      const tried = current;
      try {
        await tried.prepare(request);
      } catch (error) {
        await giveUp(tried, error);
      }
    },
    get leastOnDevice() {
      return current.leastOnDevice;
    },
    async prepareToFind(form) {
      const tried = current;
      try {
        await tried.prepareToFind?.(form);
      } catch (error) {
        await giveUp(tried, error);
      }
    },
    get findPairs() {
      return watched(current.findPairs);
    },
    get castRays() {
      return watched(current.castRays);
    },
    get createBatch() {
      return watched(current.createBatch) as Backend['createBatch'];
    },
    dispose() {
      isDisposed = true;
      current.dispose();
    },
  };
}

function isUnavailable(error: unknown): error is NarrowphaseError {
  return error instanceof NarrowphaseError && error.code === 'WEBGPU_UNAVAILABLE';
}
