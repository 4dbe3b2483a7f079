/** Bytes of buffers: the binary chunk of a GLB file, data URIs, and files beside the scene. */

import { NarrowphaseError } from '../../../../src/api/errors.ts';
import { MODEL_LIMITS } from '../model.ts';
import { refuse, refuseAsTooLarge } from '../refusal.ts';
import { extensionNames, refuseCompression, type Gltf } from './document.ts';

/**
 * Reads a file that a URI names, relative to the scene's folder. `most`: the most bytes it may have. Throws a
 * `NarrowphaseError` if the file is not there, or not within that folder.
 */
export type ReadBeside = (uri: string, most: number) => Promise<Uint8Array>;

/** The needed buffers. `owners` has the label of the mesh or node that needs each of them. */
export async function readBuffers(
  gltf: Gltf,
  owners: ReadonlyMap<number, string>,
  binary: Uint8Array | undefined,
  readBeside: ReadBeside,
): Promise<Map<number, Uint8Array>> {
  const read = new Map<number, Uint8Array>();
  let left: number = MODEL_LIMITS.fileBytes;
  for (const [index, owner] of owners) {
    try {
      const bytes = await readBuffer(gltf, index, binary, (uri) => readBeside(uri, left));
      const { byteLength } = gltf.buffers[index];
      if (bytes.length < (byteLength as number))
        refuse(`has ${bytes.length} bytes, but its byteLength is ${byteLength as number}`);
      left -= bytes.length;
      if (left < 0)
        refuseAsTooLarge(`the buffers have more than ${MODEL_LIMITS.fileBytes} bytes, expected at most that`);
      read.set(index, bytes);
    } catch (error) {
      if (!(error instanceof NarrowphaseError)) throw error;
      throw new NarrowphaseError(error.code, `${owner}: buffers[${index}]: ${error.message}`, { cause: error });
    }
  }
  return read;
}

async function readBuffer(
  { buffers }: Gltf,
  index: number,
  binary: Uint8Array | undefined,
  readExternal: (uri: string) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const { uri } = buffers[index];
  if (uri === undefined) {
    extensionNames(buffers[index]).forEach(refuseCompression);
    if (index !== 0 || !binary) refuse('has neither a URI nor the binary chunk of a GLB file');
    return binary;
  }
  if (typeof uri !== 'string') refuse('its uri is not a string');
  return uri.slice(0, 5).toLowerCase() === 'data:' ? bytesOfDataUri(uri) : readExternal(uri);
}

/** The bytes of `data:TYPE;base64,TEXT`. */
function bytesOfDataUri(uri: string): Uint8Array {
  const comma = uri.indexOf(',');
  const head = uri.slice(0, Math.max(comma, 0));
  if (comma < 0 || !/;base64$/i.test(head))
    refuse(`its data URI begins with ${JSON.stringify(uri.slice(0, 40))}, expected base64`);
  let text: string;
  try {
    text = atob(uri.slice(comma + 1));
  } catch {
    refuse('its data URI is not valid base64');
  }
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
