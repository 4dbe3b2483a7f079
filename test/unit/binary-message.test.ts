/** The messages between command line and page. */

import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage } from '../../verification/engines/binary-message.ts';
import type { BinaryMessage } from '../../verification/engines/binary-message.ts';

async function sent<Head>(frame: BinaryMessage<Head>): Promise<BinaryMessage<Head>> {
  return decodeMessage<Head>(await new Blob(encodeMessage(frame)).arrayBuffer());
}

test('head and arrays come as they went, whatever their lengths', async () => {
  const arrays = {
    status: Uint8Array.of(1, 0, 3),
    iterations: Uint16Array.of(7, 65_535, 0),
    pair: Uint32Array.of(4_294_967_295),
    distance: Float32Array.of(-0.1, NaN, Infinity, -0),
    pointA: Float64Array.of(1e300, -1 / 3),
    empty: new Float64Array(0),
    hit: Uint8Array.of(1),
  };
  const head = { kind: 'answered', text: 'äöü \u2028', nested: { list: [1, null, true] } };
  const received = await sent({ head, arrays });
  expect(received.head).toEqual(head);
  expect(Object.keys(received.arrays)).toEqual(Object.keys(arrays));
  for (const [name, array] of Object.entries(arrays)) expect(received.arrays[name], name).toStrictEqual(array);
});

test('a view sends its own part of the buffer', async () => {
  const pairs = new Uint32Array(10).map((_, i) => i).subarray(3, 6);
  expect((await sent({ head: null, arrays: { pairs } })).arrays.pairs).toStrictEqual(Uint32Array.of(3, 4, 5));
});

test('typed arrays in the head become lists', async () => {
  const { head } = await sent({ head: { shapes: [{ type: 'hull', points: Float32Array.of(0.5, 1) }] }, arrays: {} });
  expect(head).toEqual({ shapes: [{ type: 'hull', points: [0.5, 1] }] });
});

test('a message cut short is refused', async () => {
  const message = await new Blob(
    encodeMessage({ head: {}, arrays: { distance: new Float32Array(100) } }),
  ).arrayBuffer();
  for (const bytes of [0, 3, 20, message.byteLength - 32])
    expect(() => decodeMessage(message.slice(0, bytes))).toThrow();
});
