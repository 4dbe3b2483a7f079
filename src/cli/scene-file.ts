/** Scene files on disk. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { NarrowphaseError } from '../api/errors.ts';
import { parseScene, refuseGltf, SCENE_LIMITS } from '../scene/scene.ts';
import type { Scene } from '../scene/scene.ts';
import { CommandError, errorText, ExitCode } from './exit.ts';

export interface SceneFile {
  /** Path as given on the command line. */
  file: string;
  /** SHA-256 of the file's bytes, in hexadecimal. */
  sha256: string;
  scene: Scene;
}

/**
 * Reads and checks a scene from a file, from a pipe, or from standard input (`-`). Errors are `CommandError`s of one
 * line that starts with the file's name.
 */
export async function readScene(file: string): Promise<SceneFile> {
  try {
    const bytes = await readBytes(file);
    const scene = parseScene(decode(bytes), basename(file).replace(/\.json$/i, '') || undefined);
    return { file, sha256: createHash('sha256').update(bytes).digest('hex'), scene };
  } catch (error) {
    throw new CommandError(ExitCode.BadInput, `${file}: ${errorText(error)}`, { cause: error });
  }
}

async function readBytes(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      bytes += (chunk as Buffer).length;
      if (bytes > SCENE_LIMITS.fileBytes) break;
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw new NarrowphaseError('INVALID_INPUT', `cannot be read: ${errorText(error)}`, { cause: error });
  }
  if (chunks[0]?.toString('latin1', 0, 4) === 'glTF') {
    refuseGltf('a glTF file (GLB)');
  }
  if (bytes > SCENE_LIMITS.fileBytes) {
    throw new NarrowphaseError(
      'LIMIT_EXCEEDED',
      `the file has more than ${SCENE_LIMITS.fileBytes} bytes, expected at most that`,
    );
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new NarrowphaseError('INVALID_INPUT', 'not UTF-8, expected JSON', { cause: error });
  }
}
