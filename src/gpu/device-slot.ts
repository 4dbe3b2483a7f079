/**
 * The device that a backend uses. When a device that the tester opened is lost, the next call opens another one; every
 * call that arrives meanwhile waits for the same one.
 */
import { NarrowphaseError } from '../api/errors.ts';
import type { AdapterDescription, TesterOptions } from '../api/types.ts';
import { CHUNKS_IN_FLIGHT, createChunkSizes, type ChunkSizes } from './chunks.ts';
import type { DeviceHandle } from './device.ts';
import { createResidencies, type Residencies } from './residency.ts';
import { createSeenPairs, type SeenPairs } from './seen-pairs.ts';
import { createSession, type Session, type Throttle } from './session.ts';
import { createSimplices, type Simplices } from './simplices.ts';

/** A device and the state that lives as long as the device. */
export interface DeviceState {
  readonly adapter: AdapterDescription;
  readonly session: Session;
  readonly seenPairs: SeenPairs;
  readonly chunkSizes: ChunkSizes;
  readonly simplices: Simplices;
  readonly residencies: Residencies;
  /** The exponent of the cell size of the last query with fixed-point positions. */
  cellExponent: number | undefined;
  /** How many chunks of a query may be in flight: 1 once there was no memory for more. */
  chunksInFlight: number;
  /** The version of the shape table in the session's buffers; -1 if the buffers' contents are unknown. */
  shapesVersion: number;
  release(): void;
}

/** Frees all buffers of the device's queries: what they hold can't be relied on. */
export function clearBuffers(state: DeviceState): void {
  state.session.clear();
  state.residencies.clear();
  state.shapesVersion = -1;
}

/** What the platform adds to a backend. */
export interface BackendHooks {
  /** Opens another device after a loss; missing if the device is the caller's. */
  reopen?: () => Promise<DeviceHandle>;
  /** How the host waits for a software adapter, if polling would slow the adapter down. */
  throttle?: Throttle;
}

export interface DeviceSlot {
  /** The device in use, lost or not. */
  readonly current: DeviceState;
  readonly isDisposed: boolean;
  /** The device in use, after it has been replaced if it was lost. A lost device of the caller's is not replaced. */
  ready(): Promise<DeviceState>;
  dispose(): void;
}

export function createDeviceSlot(
  handle: DeviceHandle,
  options: TesterOptions,
  { reopen, throttle }: BackendHooks,
): DeviceSlot {
  let isDisposed = false;
  let current = open(handle);
  let reopening: Promise<DeviceState> | undefined;

  function open({ device, adapter, release }: DeviceHandle): DeviceState {
    const session = createSession(device, adapter.isSoftware, (info) => reportLoss(options, info), throttle);
    return {
      adapter,
      session,
      release,
      seenPairs: createSeenPairs(session.kernels),
      chunkSizes: createChunkSizes(device),
      simplices: createSimplices(device, session.pool),
      residencies: createResidencies(device),
      cellExponent: undefined,
      chunksInFlight: CHUNKS_IN_FLIGHT,
      shapesVersion: -1,
    };
  }

  async function replace(lost: DeviceState, openAnother: () => Promise<DeviceHandle>): Promise<DeviceState> {
    const renewed = await openAnother();
    close(lost);
    if (isDisposed) {
      renewed.release();
      throw new NarrowphaseError('DISPOSED', 'the tester was disposed');
    }
    current = open(renewed);
    return current;
  }

  return {
    get current() {
      return current;
    },
    get isDisposed() {
      return isDisposed;
    },
    async ready() {
      if (!current.session.lost || !reopen) return current;
      reopening ??= replace(current, reopen).finally(() => (reopening = undefined));
      return reopening;
    },
    dispose() {
      isDisposed = true;
      close(current);
    },
  };
}

function close({ simplices, residencies, session, release }: DeviceState): void {
  simplices.dropAll();
  residencies.destroy();
  session.destroy();
  release();
}

/** Calls the caller's listener. Its errors are reported like those of event listeners; they must not end a process. */
function reportLoss({ onDeviceLost }: TesterOptions, { reason, message }: GPUDeviceLostInfo): void {
  const called = new Promise((resolve) => resolve(onDeviceLost?.({ reason, message })));
  called.catch(globalThis.reportError ?? console.error);
}
