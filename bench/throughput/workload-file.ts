/** A workload is written to a file once, so that every subject reads the same numbers. */

import { readFileSync, writeFileSync } from 'node:fs';
import { encodeMessage } from '../../verification/engines/binary-message.ts';
import { decodeWorkload, type AnyWorkload } from '../../verification/workloads/workload.ts';

export function writeWorkload(file: string, { bodies, pairs, ...head }: AnyWorkload): void {
  const arrays = { ...bodies, pairs } as Record<string, Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>;
  writeFileSync(file, Buffer.concat(encodeMessage({ head, arrays })));
}

export function readWorkload(file: string): AnyWorkload {
  const bytes = readFileSync(file);
  return decodeWorkload(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
}
