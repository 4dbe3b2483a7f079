/** Files that a model names, found among those that were dropped with it. */

import { NarrowphaseError } from '../../src/api/errors.ts';
import type { ReadBeside } from '../../cli/scene/models/gltf/buffers.ts';
import type { GivenFile } from './check-messages.ts';

/** Finds files by their path from the model's folder, or by their name alone where no folder was dropped. */
export function readerAmong(
  model: string,
  files: readonly GivenFile[],
  onFile: (bytes: Uint8Array<ArrayBuffer>) => void,
): ReadBeside {
  const folder = model.replace(/[^/]*$/, '');
  return async (uri, most) => {
    const path = decoded(uri);
    const file =
      files.find((each) => each.path === folder + path) ??
      files.find((each) => each.path === path.replace(/^.*\//, ''));
    if (!file) {
      const message = `its uri names ${JSON.stringify(path)}, which is not among the files; drop it together with the model`;
      throw new NarrowphaseError('INVALID_INPUT', message);
    }
    if (file.bytes.length > most) {
      const message = `${file.path} has ${file.bytes.length} bytes, expected at most ${most}`;
      throw new NarrowphaseError('LIMIT_EXCEEDED', message);
    }
    onFile(file.bytes);
    return file.bytes;
  };
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri).replace(/^\.\//, '');
  } catch {
    throw new NarrowphaseError('INVALID_INPUT', `its uri ${JSON.stringify(uri.slice(0, 60))} is not a valid URI`);
  }
}

/** SHA-256 of the bytes one after another, in hexadecimal. */
export async function sha256Of(pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const whole = pieces.length === 1 ? pieces[0] : new Uint8Array(await new Blob([...pieces]).arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
