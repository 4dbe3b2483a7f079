/** Files beside a scene that the scene names by URIs. Nothing outside of the scene's folder is read, nor the network. */

import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { NarrowphaseError } from '../src/api/errors.ts';
import type { ReadBeside } from './scene/models/gltf/buffers.ts';
import { errorText } from './exit.ts';

/** `file` is the scene; `onFile` gets the path and the bytes of each file that is read. */
export function readerBeside(file: string, onFile: (path: string, bytes: Uint8Array) => void): ReadBeside {
  return async (uri, most) => {
    const name = `its uri ${JSON.stringify(uri.length > 60 ? `${uri.slice(0, 57)}...` : uri)}`;
    if (file === '-') refuse(`${name} names a file, but the scene comes from standard input, which has no folder`);
    const path = pathOf(uri, name);
    try {
      const folder = await realpath(dirname(file));
      const target = await realpath(join(folder, path));
      if (!isWithin(folder, target)) refuse(`${name} leads out of the scene's folder, expected a file in it or below`);
      const bytes = await readAll(target, most, name);
      onFile(target, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof NarrowphaseError) throw error;
      throw new NarrowphaseError('INVALID_INPUT', `${name} cannot be read: ${errorText(error)}`, { cause: error });
    }
  };
}

/** The relative path of a URI. Only plain relative ones are accepted. */
function pathOf(uri: string, name: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) refuse(`${name} has a scheme, expected the name of a file beside the scene`);
  let path: string;
  try {
    path = decodeURIComponent(uri);
  } catch {
    refuse(`${name} is not a valid URI`);
  }
  if (path === '' || isAbsolute(path) || /[\\:?#\0]/.test(path) || path.startsWith('/')) {
    refuse(`${name} is not a relative path, expected the name of a file beside the scene`);
  }
  if (path.split('/').includes('..')) refuse(`${name} leads upwards, expected a file in the scene's folder or below`);
  return path;
}

function isWithin(folder: string, target: string): boolean {
  const way = relative(folder, target);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function readAll(path: string, most: number, name: string): Promise<Uint8Array> {
  // Without the flag, opening a pipe would wait for its writer.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) refuse(`${name} is not a file`);
    if (facts.size > most) {
      throw new NarrowphaseError('LIMIT_EXCEEDED', `${name} has ${facts.size} bytes, expected at most ${most}`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function refuse(message: string): never {
  throw new NarrowphaseError('INVALID_INPUT', message);
}
