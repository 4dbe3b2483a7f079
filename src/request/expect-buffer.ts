/** Buffers of the caller's. */
import { invalidInput } from '../api/errors.ts';

/** Bits of `GPUBuffer.usage`. Node has no global GPUBufferUsage. */
const USAGE_BITS = { STORAGE: 128, COPY_SRC: 4 } as const;

/** Throws `INVALID_INPUT` unless the buffer, if there is one, has at least `size` bytes and this usage. */
export function expectBuffer(
  field: string,
  buffer: GPUBuffer | undefined,
  size: number,
  usage: keyof typeof USAGE_BITS,
): void {
  if (buffer === undefined) return;
  if (typeof buffer?.mapAsync !== 'function') invalidInput(field, buffer, 'a GPUBuffer');
  if (buffer.size < size) invalidInput(`${field}.size`, buffer.size, `at least ${size} bytes`);
  if ((buffer.usage & USAGE_BITS[usage]) === 0) invalidInput(`${field}.usage`, buffer.usage, `a usage with ${usage}`);
}
