/** A device in use: its kernels, its buffers, and whether it is lost. The session of a lost device is replaced. */
import { HARDWARE, SOFTWARE } from './adapter-class.ts';
import { NarrowphaseError } from '../api/errors.ts';
import { createBufferPool, type BufferPool } from './buffers.ts';
import { CHUNKS_IN_FLIGHT } from './chunks.ts';
import { createKernels, type Kernels } from './kernels.ts';
import { createTimer, type Timer } from './timer.ts';

export interface Session {
  readonly device: GPUDevice;
  readonly kernels: Kernels;
  /** Buffers that all chunks of a query read. */
  readonly pool: BufferPool;
  /** The buffers of one chunk, one pool per chunk in flight. */
  readonly chunkPools: readonly BufferPool[];
  readonly timer: Timer;
  /** Why the device is lost, once it is. */
  readonly lost: NarrowphaseError | undefined;
  /**
   * The promise's outcome, or `DEVICE_LOST` if the device is lost meanwhile: WebGPU itself then rejects nothing.
   */
  orLost<T>(promise: Promise<T>): Promise<T>;
  /** Frees the buffers of all pools, whose contents are unknown after an error. */
  clear(): void;
  /** Frees all buffers for good; waiting promises end with `DEVICE_LOST` or by themselves. */
  destroy(): void;
}

/** Returns the promise, after arranging that waiting for it costs less. */
export type Throttle = <T>(promise: Promise<T>) => Promise<T>;

/**
 * `onLost` is called once, unless the session was destroyed before. `throttle` is called with each awaited promise on a
 * software adapter.
 */
export function createSession(
  device: GPUDevice,
  isSoftware: boolean,
  onLost: (info: GPUDeviceLostInfo) => void,
  throttle?: Throttle,
): Session {
  const pool = createBufferPool(device);
  const chunkPools = Array.from({ length: CHUNKS_IN_FLIGHT }, () => createBufferPool(device));
  const pools = [pool, ...chunkPools];
  const timer = createTimer(device);
  const waiting = new Set<(error: NarrowphaseError) => void>();
  let lost: NarrowphaseError | undefined;
  let isDestroyed = false;
  void device.lost.then((info) => {
    lost = new NarrowphaseError(
      'DEVICE_LOST',
      `the GPU device was lost (${info.reason})${info.message && `: ${info.message}`}`,
    );
    for (const reject of waiting) reject(lost);
    if (!isDestroyed) onLost(info);
  });
  return {
    device,
    kernels: createKernels(device, isSoftware ? SOFTWARE : HARDWARE),
    pool,
    chunkPools,
    timer,
    get lost() {
      return lost;
    },
    orLost(promise) {
      const outcome = new Promise<Awaited<typeof promise>>((resolve, reject) => {
        if (lost) reject(lost);
        waiting.add(reject);
        promise.then(resolve as () => void, reject).finally(() => waiting.delete(reject));
      });
      return isSoftware && throttle ? throttle(outcome) : outcome;
    },
    clear: () => pools.forEach((each) => each.clear()),
    destroy() {
      isDestroyed = true;
      for (const each of pools) each.destroy();
      timer.destroy();
    },
  };
}
