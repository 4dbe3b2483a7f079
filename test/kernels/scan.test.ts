/** Prefix sums on the device, around the sizes of blocks and beyond 32 bits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOST_RANKED, MOST_SUM, SCAN_BLOCK } from '../../src/generated/constants.ts';
import { bindScan, blockTotalsSize, scanBlocks } from '../../src/gpu/broad-phase/scan.ts';
import { SCAN } from '../../src/gpu/broad-phase/variants.ts';
import { encodePass } from '../../src/gpu/encode-query.ts';
import { encodeCopies, readCopies } from '../../src/gpu/read-back.ts';
import { createSession, type Session } from '../../src/gpu/session.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';

const SEED = 20_261_133;

let session: Session;
beforeAll(async () => {
  session = createSession(await openDefaultDevice('scan.device'), true, () => {});
  await session.kernels.prepare(SCAN);
});
afterAll(() => session?.device.destroy());

/**
 * The sums before each value, and that of all, by the device. `rows`: those of owners, with a word after the values of
 * each.
 */
async function scan(
  values: Uint32Array,
  rows: { areOfOwners: boolean; length: number } = { areOfOwners: false, length: values.length },
): Promise<{ sums: Uint32Array; total: bigint }> {
  const { device, kernels, pool } = session;
  const context = { device, kernels, pool, uniform: pool.uniform };
  const { length, areOfOwners } = rows;
  const size = Math.max(4 * (length + 1), values.byteLength);
  const buffer = pool.get('scanned', size);
  device.queue.writeBuffer(buffer, 0, values as Uint32Array<ArrayBuffer>);
  const totals = pool.get('scanTotals', blockTotalsSize(length));
  const encoder = device.createCommandEncoder();
  encodePass(encoder, bindScan(context, 'tested', buffer, length, totals, areOfOwners), {});
  const regions = [
    { buffer, offset: 0, size },
    { buffer: totals, offset: 8 * scanBlocks(length), size: 8 },
  ];
  const staging = encodeCopies(pool, encoder, regions);
  device.queue.submit([encoder.finish()]);
  const [sums, total] = await readCopies(staging, regions);
  return { sums: new Uint32Array(sums), total: new BigUint64Array(total)[0] };
}

/** The same by brute force. Sums above MOST_SUM are stored as that. */
function expectedOf(values: Uint32Array): { sums: Uint32Array; total: bigint } {
  const sums = new Uint32Array(values.length + 1);
  let total = 0n;
  values.forEach((value, i) => {
    sums[i] = Math.min(Number(total), MOST_SUM);
    total += BigInt(value);
  });
  sums[values.length] = Math.min(Number(total), MOST_SUM);
  return { sums, total };
}

describe('sums', () => {
  test.each([1, 2, 15, 16, 17, 255, 256, 4095, 4096, 4097, 8191, 8192, 3 * SCAN_BLOCK + 1, 300 * SCAN_BLOCK + 5])(
    'of %d values are exact',
    async (count) => {
      const random = createRandom(SEED + count);
      const values = Uint32Array.from({ length: count }, () => Math.floor(uniform(random, 0, 1000)));
      expect(await scan(values), `seed ${SEED}`).toEqual(expectedOf(values));
    },
  );

  test.each<[string, (i: number) => number]>([
    ['end at the most that is stored', (i) => (i === 7 ? MOST_SUM : 0)],
    ['end one above it', (i) => (i === 7 ? MOST_SUM : Number(i === 4999))],
    ['end at 2^32 - 1', (i) => (i === 0 ? 2 ** 32 - 1 : 0)],
    ['end at 2^32', (i) => (i === 0 ? 2 ** 32 - 1 : Number(i === 5000))],
    ['end at 2^32 within a block', (i) => (i === 4 || i === 2000 ? 2 ** 31 : 0)],
    ['pass 2^32 in every block', (i) => (i % 1000 === 0 ? 2 ** 32 - 1 : 3)],
    ['pass 2^32 with every value', () => 2 ** 32 - 1],
  ])('that %s carry into a second word, and are stored as MOST_SUM', async (_, valueOf) => {
    const values = Uint32Array.from({ length: 9000 }, (__, i) => valueOf(i));
    const { sums, total } = await scan(values);
    const expected = expectedOf(values);
    expect(total).toBe(expected.total);
    expect(sums).toEqual(expected.sums);
  });
});

test('of owners are of three rows, and ranks that were given are limited', async () => {
  const length = SCAN_BLOCK + 1;
  const counted = [0, 1, 62, 63, 64, 200];
  const random = createRandom(SEED);
  const some = (): Uint32Array => Uint32Array.from({ length: length + 1 }, () => Math.floor(uniform(random, 0, 9)));
  const [own, ranked, late] = [some(), some().map((_, i) => counted[i % counted.length]), some()];
  const { sums, total } = await scan(Uint32Array.from([...own, ...ranked, ...late]), { areOfOwners: true, length });
  const expected = expectedOf(own.subarray(0, length).map((value, i) => value + ranked[i] + late[i]));
  expect(total).toBe(expected.total);
  expect(sums.subarray(0, length + 1)).toEqual(expected.sums);
  const end = 2 * (length + 1);
  const limited = ranked.map((count, i) => (i < length ? Math.min(count, MOST_RANKED) : count));
  expect(sums.subarray(length + 1, end)).toEqual(limited);
  expect(sums.subarray(end)).toEqual(late.map((count, i) => count + ranked[i] - limited[i]));
});
