/** The batches of a tester. */
import { NarrowphaseError } from '../api/errors.ts';
import type { BatchOptions, BatchQuery } from '../api/batch-options.ts';
import type { BatchOf } from '../api/batch.ts';
import { door } from '../util/door.ts';
import type { TesterContext } from './context.ts';

const loadBatchRequests = door('batches', async () => (await import('./batch-requests.ts')).requestBatch);

export interface Batches {
  createBatch<Q extends BatchQuery>(options: BatchOptions<Q>): Promise<BatchOf<Q>>;
  /** Disposes of all batches; those that are being made are disposed of once they are. */
  dispose(): void;
}

export function createBatches(context: TesterContext): Batches {
  const { backend, dimension, shapes, ensureOpen } = context;
  const batches = new Set<{ dispose(): void }>();
  let isDisposed = false;

  async function createBatch<Q extends BatchQuery>(options: BatchOptions<Q>): Promise<BatchOf<Q>> {
    ensureOpen();
    const requestBatch = await loadBatchRequests();
    ensureOpen();
    const request = requestBatch(options, shapes, dimension, context);
    if (!backend.createBatch)
      throw new NarrowphaseError('WEBGPU_UNAVAILABLE', 'a batch lives on a GPU, and this tester runs on the CPU');
    // The type of the result depends on the query.
    const batch = (await backend.createBatch({
      ...request,
      onDispose: () => batches.delete(batch),
    })) as unknown as BatchOf<Q>;
    batches.add(batch);
    if (isDisposed) {
      batch.dispose();
      ensureOpen();
    }
    return batch;
  }

  return {
    createBatch,
    dispose() {
      isDisposed = true;
      for (const batch of batches) batch.dispose();
    },
  };
}
