/** Compressed text for addresses: what the inspector reads behind `#capture=`, and what other pages link to. */

import { bytesOfBase64Url, bytesToBase64Url } from './base64url.ts';

/** Characters that a packed text may unpack to. A short address could otherwise fill the memory. */
const MOST_CHARACTERS = 64 * 2 ** 20;

export async function packText(text: string): Promise<string> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return bytesToBase64Url(new Uint8Array(await new Response(packed).arrayBuffer()));
}

/** Throws if the text was not packed by `packText`. */
export async function unpackText(packed: string): Promise<string> {
  const bytes = bytesOfBase64Url(packed);
  const pieces = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))
    .getReader();
  let text = '';
  for (;;) {
    const { done, value } = await pieces.read();
    if (done) return text;
    text += value;
    if (text.length <= MOST_CHARACTERS) continue;
    await pieces.cancel();
    throw new Error(`it unpacks to more than ${MOST_CHARACTERS / 2 ** 20} MB`);
  }
}
