/**
 * A device in use: its kernels, its buffers, and the word that it is lost. A lost device's session is replaced, not
 * mended.
 */
import { NarrowphaseError } from '../api/errors.ts';
import { createBufferPool, type BufferPool } from './buffers.ts';
import { createKernels, type Kernels } from './kernels.ts';
import { createTimer, type Timer } from './timer.ts';

export interface Session {
  readonly device: GPUDevice;
  readonly kernels: Kernels;
  readonly pool: BufferPool;
  readonly timer: Timer;
  /** Why the device is lost, once it is. */
  readonly lost: NarrowphaseError | undefined;
  /**
   * The promise's outcome, or `DEVICE_LOST` where the device is lost meanwhile, of which WebGPU itself says nothing.
   */
  orLost<T>(promise: Promise<T>): Promise<T>;
  /** Frees all buffers; waiting promises end with `DEVICE_LOST` or by themselves. */
  destroy(): void;
}

/** The awaited promise itself, with whatever makes waiting for it cheaper. */
export type Throttle = <T>(promise: Promise<T>) => Promise<T>;

/** `onLost` is called once, unless the session was destroyed before. `throttle` is called with whatever is awaited. */
export function createSession(
  device: GPUDevice,
  onLost: (info: GPUDeviceLostInfo) => void,
  throttle?: Throttle,
): Session {
  const pool = createBufferPool(device);
  const timer = createTimer(device);
  const waiting = new Set<(error: NarrowphaseError) => void>();
  let lost: NarrowphaseError | undefined;
  let isDestroyed = false;
  void device.lost.then((info) => {
    lost = new NarrowphaseError('DEVICE_LOST', `the GPU device was lost (${info.reason}): ${info.message}`);
    for (const reject of waiting) reject(lost);
    if (!isDestroyed) onLost(info);
  });
  return {
    device,
    kernels: createKernels(device),
    pool,
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
      return throttle?.(outcome) ?? outcome;
    },
    destroy() {
      isDestroyed = true;
      pool.destroy();
      timer.destroy();
    },
  };
}
