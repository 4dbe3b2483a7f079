/** The buffers behind warm starts: the last simplex of each pair, per device. */
import type { WarmStartState } from '../request/backend.ts';
import { NarrowphaseError } from '../api/errors.ts';
import { ensureOpen, roomFor } from '../request/warm-start.ts';
import { USAGE, type BufferPool } from './buffers.ts';

/** Bytes per pair: four ids of vertices. */
export const SIMPLEX_BYTES = 16;

const COPY = 'simplices';

export interface Simplices {
  /** The warm start's buffer, with room for `pairCount` pairs. Throws `DISPOSED` and `LIMIT_EXCEEDED`. */
  of(warmStart: WarmStartState, pairCount: number): GPUBuffer;
  /** Copies the simplices that the commands after this one change. */
  save(encoder: GPUCommandEncoder, warmStart: WarmStartState): void;
  /** Undoes what commands have changed since `save`. */
  restore(warmStart: WarmStartState): void;
  /** Frees a warm start's buffer on this device: its next searches start cold. */
  drop(warmStart: WarmStartState): void;
  /** Frees the buffers of all warm starts on this device. */
  dropAll(): void;
}

/** `pool` holds the copy, of one warm start at a time. */
export function createSimplices(device: GPUDevice, pool: BufferPool): Simplices {
  /** Warm starts with a buffer on this device. */
  const served = new Set<WarmStartState>();

  function drop({ simplices }: WarmStartState): void {
    simplices.get(device)?.destroy();
    simplices.delete(device);
  }

  return {
    of(warmStart, pairCount) {
      ensureOpen(warmStart);
      const needed = SIMPLEX_BYTES * pairCount;
      const known = warmStart.simplices.get(device);
      if (known && known.size >= needed) return known;
      const most = device.limits.maxBufferSize;
      if (needed > most) {
        const message = `options.warmStart needs ${needed} bytes for ${pairCount} pairs, expected at most ${most} on this device`;
        throw new NarrowphaseError('LIMIT_EXCEEDED', message);
      }
      const size = Math.min(SIMPLEX_BYTES * roomFor(warmStart, pairCount), most);
      const usage = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
      const buffer = device.createBuffer({ label: 'warmStart.simplices', size, usage });
      if (known) {
        const encoder = device.createCommandEncoder({ label: 'warmStart.grow' });
        encoder.copyBufferToBuffer(known, 0, buffer, 0, known.size);
        device.queue.submit([encoder.finish()]);
        known.destroy();
      }
      warmStart.simplices.set(device, buffer);
      for (const other of served) if (other.isDisposed) served.delete(other);
      served.add(warmStart);
      return buffer;
    },
    save(encoder, { simplices }) {
      const buffer = simplices.get(device)!;
      encoder.copyBufferToBuffer(buffer, 0, pool.get(COPY, buffer.size), 0, buffer.size);
    },
    restore({ simplices }) {
      const buffer = simplices.get(device);
      if (!buffer) return;
      const encoder = device.createCommandEncoder({ label: 'warmStart.restore' });
      encoder.copyBufferToBuffer(pool.get(COPY, buffer.size), 0, buffer, 0, buffer.size);
      device.queue.submit([encoder.finish()]);
    },
    drop,
    dropAll: () => served.forEach(drop),
  };
}
