/** Scene files on disk: JSON scenes, glTF, GLB, OBJ, STL. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { NarrowphaseError } from '../src/api/errors.ts';
import { parsePatternPairs } from './scene/allowed.ts';
import { formatOf } from './scene/models/file-format.ts';
import { MODEL_LIMITS } from './scene/models/model.ts';
import { readModel } from './scene/models/read-model.ts';
import { createBodyFinder } from './scene/name-patterns.ts';
import { SCENE_LIMITS } from './scene/scene.ts';
import type { Scene } from './scene/scene.ts';
import { readerBeside } from './beside.ts';
import { CommandError, errorText, ExitCode, usageError } from './exit.ts';
import { notice } from './write-output.ts';

export interface SceneFile {
  /** Path as given on the command line. */
  file: string;
  /** The same, and the files that it names. */
  files: string[];
  /** SHA-256 of the file's bytes, and of the files that it names, in hexadecimal. */
  sha256: string;
  scene: Scene;
}

/** Options of commands that read a scene. */
export const SCENE_OPTIONS = { hulls: { type: 'boolean', default: false } } as const;

export interface SceneOptions {
  /** Whether meshes become their convex hulls. */
  hulls: boolean;
  /** Pairs of names or patterns of bodies that may overlap, in addition to those of the scene: `A:B`. */
  allow?: readonly string[];
}

/**
 * Reads and checks a scene from a file, from a pipe, or from standard input (`-`). Errors are `CommandError`s of one
 * line that starts with the file's name. What of a model is not used is said on stderr.
 */
export async function readScene(
  file: string,
  { hulls, allow = [] }: SceneOptions = { hulls: false },
): Promise<SceneFile> {
  const allowed = allow.map(patternPair);
  try {
    const bytes = await readBytes(file);
    const hash = createHash('sha256').update(bytes);
    const files = [file];
    const readBeside = readerBeside(file, (path, content) => {
      files.push(path);
      hash.update(content);
    });
    const { scene, notes } = await readModel(file, bytes, { hulls, readBeside });
    if (allowed.length > 0) {
      scene.allowed.push(...parsePatternPairs(allowed, '--allow', createBodyFinder(scene.bodyNames)));
    }
    for (const note of notes) notice(`${file}: ${note}`);
    return { file, files, sha256: hash.digest('hex'), scene };
  } catch (error) {
    throw new CommandError(ExitCode.BadInput, `${file}: ${errorText(error)}`, { cause: error });
  }
}

/** Parses `A:B`. */
function patternPair(text: string): string[] {
  const pair = text.split(':');
  if (pair.length === 2 && pair.every((pattern) => pattern !== '')) return pair;
  throw usageError(
    `--allow is ${JSON.stringify(text)}, expected A:B, two names or patterns of bodies; a colon in a name is matched by ?`,
  );
}

async function readBytes(file: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let most = 0;
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      const isJson = chunks.length === 0 && formatOf(file, chunk as Buffer) === 'json';
      if (chunks.length === 0) most = isJson ? SCENE_LIMITS.fileBytes : MODEL_LIMITS.fileBytes;
      bytes += (chunk as Buffer).length;
      if (bytes > most) break;
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    throw new NarrowphaseError('INVALID_INPUT', `cannot be read: ${errorText(error)}`, { cause: error });
  }
  if (bytes > most) {
    throw new NarrowphaseError('LIMIT_EXCEEDED', `the file has more than ${most} bytes, expected at most that`);
  }
  return Buffer.concat(chunks);
}
