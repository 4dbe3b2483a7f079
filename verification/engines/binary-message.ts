/**
 * Messages between the command line and its browser page: a small JSON head and typed arrays, in binary.
 *
 *     bytes of the head (u32, little-endian) | head: JSON | padding to 8 | array | padding to 8 | array | ...
 *
 * The envelope lists name, type and length of each array in order. Typed arrays inside the head become lists.
 */

const TYPES = { Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array };
type TypeName = keyof typeof TYPES;
export type MessageArray = InstanceType<(typeof TYPES)[TypeName]>;

export interface BinaryMessage<Head> {
  head: Head;
  arrays: Record<string, MessageArray>;
}

interface Envelope {
  head: unknown;
  arrays: { name: string; type: TypeName; length: number }[];
}

const ALIGNMENT = 8;

/** The consecutive parts of a message. Arrays are not copied. */
export function encodeMessage<Head>({ head, arrays }: BinaryMessage<Head>): Uint8Array<ArrayBuffer>[] {
  const envelope: Envelope = {
    head,
    arrays: Object.entries(arrays).map(([name, array]) => ({
      name,
      type: array.constructor.name as TypeName,
      length: array.length,
    })),
  };
  const text = new TextEncoder().encode(
    JSON.stringify(envelope, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
    ),
  );
  const start = new Uint8Array(aligned(4 + text.length));
  new DataView(start.buffer).setUint32(0, text.length, true);
  start.set(text, 4);
  const parts = [start];
  for (const array of Object.values(arrays)) {
    parts.push(new Uint8Array(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength));
    parts.push(new Uint8Array(aligned(array.byteLength) - array.byteLength));
  }
  return parts;
}

/** The arrays are views of `message`. Throws if the message is incomplete. */
export function decodeMessage<Head>(message: ArrayBuffer): BinaryMessage<Head> {
  const textLength = new DataView(message).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(message, 4, textLength));
  const { head, arrays: described } = JSON.parse(text) as Envelope;
  const arrays: Record<string, MessageArray> = {};
  let offset = aligned(4 + textLength);
  for (const { name, type, length } of described) {
    arrays[name] = new TYPES[type](message, offset, length);
    offset = aligned(offset + arrays[name].byteLength);
  }
  return { head: head as Head, arrays };
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
