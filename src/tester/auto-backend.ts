/** The backend of `'auto'`: WebGPU while it is available, the CPU from then on. */
import type { Backend } from '../request/backend.ts';
import { NarrowphaseError } from '../api/errors.ts';

interface Auto {
  current: Backend;
  /** Why it isn't WebGPU. */
  reason?: string;
  /** Why it is being replaced. */
  failure?: unknown;
  isDisposed: boolean;
  readonly createCpu: () => Promise<Backend>;
}

/** The reason why WebGPU cannot be used. Rethrows other errors. */
function reasonOf(error: unknown): string {
  if (!isUnavailable(error)) throw error;
  return error.message;
}

/** Replaces `tried` by the CPU backend, unless another call has done so. Rethrows other errors. */
async function giveUp(auto: Auto, tried: Backend, error: unknown): Promise<void> {
  const reason = reasonOf(error);
  if (auto.current !== tried) return;
  auto.failure = error;
  const cpu = await auto.createCpu().finally(() => (auto.failure = undefined));
  auto.reason = reason;
  if (auto.current !== tried || auto.isDisposed) return cpu.dispose();
  auto.current = cpu;
  tried.dispose();
}

/** An optional method of the backend. If it fails for lack of a device, the next call gets the CPU backend's. */
function watched<Request, Answer>(
  auto: Auto,
  method: ((request: Request) => Promise<Answer>) | undefined,
): typeof method {
  const tried = auto.current;
  return (
    method &&
    (async (request) => {
      try {
        if (auto.failure) throw auto.failure;
        return await method(request);
      } catch (error) {
        await giveUp(auto, tried, error);
        throw error;
      }
    })
  );
}

/**
 * `openWebGpu` throws `WEBGPU_UNAVAILABLE` if no adapter can be used. Its backend throws the same once a lost device
 * can't be replaced.
 */
export async function openAutoBackend(
  openWebGpu: () => Promise<Backend>,
  createCpu: () => Promise<Backend>,
): Promise<Backend> {
  let reason: string | undefined;
  const current = await openWebGpu().catch((error) => {
    reason = reasonOf(error);
    return createCpu();
  });
  const auto: Auto = { current, reason, isDisposed: false, createCpu };
  return {
    get name() {
      return auto.current.name;
    },
    get adapter() {
      return auto.current.adapter;
    },
    get limits() {
      return auto.current.limits;
    },
    get timings() {
      return auto.current.timings;
    },
    get fallback() {
      return [auto.reason, auto.current.fallback].filter(Boolean).join('; ') || undefined;
    },
    async run(request, sink) {
      const tried = auto.current;
      try {
        await tried.run(request, sink);
      } catch (error) {
        await giveUp(auto, tried, error);
        // A query that had no device has passed nothing to the sink, so it can run again.
        await auto.current.run(request, sink);
      }
    },
    async prepare(request) {
      const tried = auto.current;
      try {
        await tried.prepare(request);
      } catch (error) {
        await giveUp(auto, tried, error);
      }
    },
    get leastOnDevice() {
      return auto.current.leastOnDevice;
    },
    async prepareToFind(form) {
      const tried = auto.current;
      try {
        await tried.prepareToFind?.(form);
      } catch (error) {
        await giveUp(auto, tried, error);
      }
    },
    get findPairs() {
      return watched(auto, auto.current.findPairs);
    },
    get castRays() {
      return watched(auto, auto.current.castRays);
    },
    get createBatch() {
      return watched(auto, auto.current.createBatch) as Backend['createBatch'];
    },
    dispose() {
      auto.isDisposed = true;
      auto.current.dispose();
    },
  };
}

function isUnavailable(error: unknown): error is NarrowphaseError {
  return error instanceof NarrowphaseError && error.code === 'WEBGPU_UNAVAILABLE';
}
