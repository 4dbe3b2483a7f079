import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { NarrowphaseError } from '../src/api/errors.ts';

const MAX_BYTES = 16 * 2 ** 20;

/** Reads a text of at most `most` bytes. Throws `LIMIT_EXCEEDED` beyond that, and `INVALID_INPUT` for what is no text. */
export async function readText(
  file: string,
  most = MAX_BYTES,
  stream: Readable = createReadStream(file),
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes > most) {
      throw new NarrowphaseError('LIMIT_EXCEEDED', `the file has more than ${most} bytes, expected at most that`);
    }
    chunks.push(chunk as Buffer);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new NarrowphaseError('INVALID_INPUT', 'not UTF-8, expected JSON', { cause: error });
  }
}
