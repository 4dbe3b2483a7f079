import { createReadStream } from 'node:fs';
import { NarrowphaseError } from '../api/errors.ts';

const MAX_BYTES = 16 * 2 ** 20;

/** Reads a small text file or pipe. Throws `LIMIT_EXCEEDED` beyond 16 MiB, and `INVALID_INPUT` for what is no text. */
export async function readText(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BYTES) {
      throw new NarrowphaseError('LIMIT_EXCEEDED', `the file has more than ${MAX_BYTES} bytes, expected at most that`);
    }
    chunks.push(chunk as Buffer);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new NarrowphaseError('INVALID_INPUT', 'not UTF-8, expected JSON', { cause: error });
  }
}
