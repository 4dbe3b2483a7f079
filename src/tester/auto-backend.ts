/** The backend of `'auto'`: WebGPU while it is available, the CPU from then on. */
import type { Backend, BatchRequest, FindPairsRequest } from '../request/backend.ts';
import { NarrowphaseError } from '../api/errors.ts';
import type { QueryName } from '../api/queries.ts';

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

  let current = await openWebGpu().catch(cpuAfter);

  /** Replaces `tried` by the CPU backend, unless another call has done so. Rethrows other errors. */
  async function giveUp(tried: Backend, error: unknown): Promise<void> {
    if (!isUnavailable(error)) throw error;
    if (current !== tried) return;
    const cpu = await cpuAfter(error);
    if (current !== tried || isDisposed) return cpu.dispose();
    current = cpu;
    tried.dispose();
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
    get leastBodiesToFind() {
      return current.leastBodiesToFind;
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
      const tried = current;
      return (
        tried.findPairs &&
        (async (request: FindPairsRequest) => {
          try {
            return await tried.findPairs!(request);
          } catch (error) {
            await giveUp(tried, error);
            throw error;
          }
        })
      );
    },
    get createBatch() {
      const tried = current;
      return (
        tried.createBatch &&
        (async <Q extends QueryName>(request: BatchRequest<Q>) => {
          try {
            return await tried.createBatch!(request);
          } catch (error) {
            await giveUp(tried, error);
            throw error;
          }
        })
      );
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
