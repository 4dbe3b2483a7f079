/**
 * Rounds of batches: made, written, recorded, read and disposed of, with one argument of one step spoiled in every
 * other round.
 */

import { below, uniform, type Random } from '../../../verification/families/random.ts';
import type { Batch } from '../../../src/api/batch.ts';
import type { Tester } from '../../../src/api/types.ts';
import { faultsOfError, type Outcome } from './check.ts';
import { mutate } from './mutate.ts';
import type { Scene } from './scene.ts';

const BATCH_QUERIES = ['intersects', 'distances', 'contacts', 'manifolds'] as const;
const STEPS = ['none', 'none', 'options', 'data', 'encoder', 'read'] as const;

/** One round. A batch whose every step was valid must answer as the tester's own query does. */
export async function batchRound(
  random: Random,
  tester: Tester,
  scene: Scene,
  note: (fault: string) => void,
): Promise<'answered' | 'refused'> {
  const query = BATCH_QUERIES[below(random, BATCH_QUERIES.length)];
  const spoiledStep = STEPS[below(random, STEPS.length)];
  const margin = uniform(random, 0, 1);
  let what = `batch of ${query}`;
  const spoil = (step: string, names: string[], args: unknown[]): unknown[] => {
    if (spoiledStep === step) what += ` (${mutate(random, names, args)})`;
    return args;
  };
  const say = (fault: string): void => note(`${what}: ${fault}`);
  const given = { ...scene.bodies, positions: Float32Array.from(scene.bodies.positions as Float32Array) };
  const [options] = spoil('options', ['options'], [{ query, margin, maxBodies: 64, maxPairs: 128 }]);
  const made = await outcomeOf(() => tester.createBatch(options as never));
  if (made.error !== undefined) return refused(made.error, spoiledStep !== 'options', say);
  const batch = made.value as Batch<Iterable<unknown>>;
  try {
    const [data] = spoil('data', ['data'], [{ bodies: given, pairs: scene.pairs }]);
    const encoder: unknown =
      spoiledStep === 'encoder'
        ? [{}, undefined, null, 5, { finish: (): void => {} }][below(random, 5)]
        : batch.device.createCommandEncoder();
    const [readOptions] = spoil('read', ['options'], [{ bounds: query === 'contacts' }]);
    const run = await outcomeOf(async () => {
      batch.write(data as never);
      batch.encode(encoder as GPUCommandEncoder);
      batch.device.queue.submit([(encoder as GPUCommandEncoder).finish()]);
      return [...(await batch.read(readOptions as never))];
    });
    if (run.error !== undefined) return refused(run.error, spoiledStep === 'none', say);
    if (spoiledStep === 'encoder') say('an encoder that is none was taken');
    if (spoiledStep !== 'none') return 'answered';
    const expected = [
      ...(await tester[query](given as never, scene.pairs, {
        margin,
        ...(query === 'contacts' && { bounds: true }),
      } as never)),
    ];
    for (const fault of otherwise(run.value as Item[], expected as Item[], margin)) say(fault);
    return 'answered';
  } finally {
    batch.dispose();
  }
}

interface Item {
  status: number;
  hit?: boolean;
  distance?: number;
  contactDistance?: number;
}

/**
 * By which distances may differ: the batch's kernels are made for all shapes, those of a query for the shapes in it.
 * Bodies are at most a few units large and apart.
 */
const TOLERANCE = 1e-4;

/**
 * Where answers of the batch differ from the query's. Pairs farther apart than the margin have a lower bound each, and
 * which one depends on the kernels.
 */
function otherwise(found: Item[], expected: Item[], margin: number): string[] {
  return expected.flatMap((item, i) => {
    const distances = [found[i], item].map((each) => each?.contactDistance ?? each?.distance ?? 0);
    const isSame = found[i]?.status === item.status && found[i].hit === item.hit;
    if (isSame && Math.min(...distances) > margin) return [];
    if (Math.abs(distances[0] - distances[1]) <= TOLERANCE && (isSame || Math.abs(distances[1]) <= TOLERANCE))
      return [];
    return [`pair ${i} is ${JSON.stringify(found[i])}, by the query ${JSON.stringify(item)}`];
  });
}

function refused(error: unknown, isValid: boolean, say: (fault: string) => void): 'refused' {
  faultsOfError(error).forEach(say);
  if (isValid) say(`a valid step is refused: ${String(error)}`);
  return 'refused';
}

async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error: error ?? new Error('rejected with nothing') };
  }
}
