/**
 * The slots of a batch's reads. A read takes a slot at once, so that later submissions may write the output again:
 *
 *     submit frame 1, read 1 -> slot 0
 *     submit frame 2, read 2 -> slot 1
 *     submit frame 3, read 3 -> slot 2
 *
 * A slot is free again when its read has ended. If more reads are in progress than there are slots, the ring grows; no
 * read is dropped, and reads end in the order of their calls.
 */
import { NarrowphaseError } from '../api/errors.ts';
import { isAbort } from '../request/abort.ts';
import type { Slot, Snapshots } from './batch-snapshot.ts';
import { createBufferPool } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import type { WrittenFields } from './result-arrays.ts';
import type { Session } from './session.ts';

/** Reads that can be in progress before the ring has to grow. */
const RING_SLOTS = 3;

export interface Ring {
  /**
   * Runs `use` on a slot that holds the current output, with these arrays; without `fields` only its counts.
   * `use` gets a promise of the end of all earlier reads, which it awaits before the caller sees anything of it.
   */
  read<T>(fields: WrittenFields | undefined, use: (slot: Slot, before: Promise<unknown>) => Promise<T>): Promise<T>;
  destroy(): void;
}

export function createRing({ device, orLost }: Session, name: string, snapshots: Pick<Snapshots, 'take'>): Ring {
  const slots: Slot[] = Array.from({ length: RING_SLOTS }, createSlot);
  let isDestroyed = false;
  /** Settles when all reads so far have ended. */
  let earlier: Promise<unknown> = Promise.resolve();

  function createSlot(): Slot {
    return { pool: createBufferPool(device, `batch.${name}.slot`), isBusy: false, groups: [] };
  }

  function takeSlot(): Slot {
    let slot = slots.find(({ isBusy }) => !isBusy);
    if (!slot) slots.push((slot = createSlot()));
    slot.isBusy = true;
    return slot;
  }

  async function withSlot<T>(fields: WrittenFields | undefined, use: (slot: Slot) => Promise<T>): Promise<T> {
    const slot = takeSlot();
    try {
      const { verdict } = scoped(device, () => snapshots.take(slot, fields));
      await orLost(verdict);
      return await use(slot);
    } catch (error) {
      // After a refused command, buffers may be invalid or missing.
      if (!isAbort(error)) slot.pool.clear();
      if (isDestroyed)
        throw new NarrowphaseError('DISPOSED', 'the batch was disposed while it was read', { cause: error });
      throw error;
    } finally {
      slot.isBusy = false;
    }
  }

  return {
    read(fields, use) {
      const before = earlier;
      const answer = withSlot(fields, (slot) => use(slot, before));
      earlier = answer.then(
        () => before,
        () => before,
      );
      return answer;
    },
    destroy() {
      isDestroyed = true;
      for (const { pool } of slots) pool.destroy();
    },
  };
}
