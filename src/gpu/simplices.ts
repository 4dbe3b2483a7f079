/** The buffers behind warm starts: the last simplex of each pair, on each device that asked. */
import type { WarmStartState } from '../backend.ts';
import { NarrowphaseError } from '../errors.ts';
import { ensureOpen } from '../warm-start.ts';
import { USAGE } from './buffers.ts';

/** Of a pair: four ids of vertices. */
export const SIMPLEX_BYTES = 16;

export interface Simplices {
  /** The warm start's buffer on this device, empty at first. Throws `DISPOSED` and `LIMIT_EXCEEDED`. */
  of(warmStart: WarmStartState): GPUBuffer;
  /** Frees a warm start's buffer on this device: its next search starts anew. */
  drop(warmStart: WarmStartState): void;
  /** Frees the buffers of all warm starts on this device. */
  dropAll(): void;
}

export function createSimplices(device: GPUDevice): Simplices {
  /** Those that have a buffer here. */
  const known = new Set<WarmStartState>();

  function drop({ simplices }: WarmStartState): void {
    simplices.get(device)?.destroy();
    simplices.delete(device);
  }

  return {
    of(warmStart) {
      ensureOpen(warmStart);
      const found = warmStart.simplices.get(device);
      if (found) return found;
      const size = SIMPLEX_BYTES * warmStart.maxPairs;
      if (size > device.limits.maxBufferSize) {
        throw new NarrowphaseError('LIMIT_EXCEEDED', `options.warmStart needs ${size} bytes for its maxPairs, expected at most ${device.limits.maxBufferSize} on this device`);
      }
      const buffer = device.createBuffer({ label: 'warmStart.simplices', size, usage: USAGE.STORAGE });
      warmStart.simplices.set(device, buffer);
      for (const other of known) if (other.isDisposed) known.delete(other);
      known.add(warmStart);
      return buffer;
    },
    drop,
    dropAll: () => known.forEach(drop),
  };
}
