/**
 * `toEqual` of typed arrays by their bytes: Vitest compares numbers one by one, which takes most of a second for 100,000
 * of them. Arrays whose bytes differ are left to Vitest, which says where.
 */
import { expect } from 'vitest';

/** Files that share modules share the list of testers too. */
const added = globalThis as { haveSameBytes?: unknown };
if (!added.haveSameBytes) expect.addEqualityTesters([haveSameBytes]);
added.haveSameBytes = haveSameBytes;

/** True, or undefined if others decide: NaN equals NaN whatever its bits are. */
function haveSameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  return bytesOf(a).equals(bytesOf(b)) || undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
