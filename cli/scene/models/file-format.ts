/** Which format a file has, by its content; by its name only where the content leaves it open. */

import { isGlb } from './gltf/glb.ts';
import { isBinaryStl } from './stl.ts';

/** `json`: a scene or glTF. */
export type FileFormat = 'json' | 'glb' | 'obj' | 'stl' | 'ascii stl';

/** Bytes that are looked at. */
const START = 2 ** 16;

const OBJ_STATEMENT = /^(?:\s*#.*)?\s*(?:#|(?:v|vn|vt|vp|f|o|g|s|mtllib|usemtl)\s)/;

const BY_ENDING: Record<string, FileFormat> = { glb: 'glb', gltf: 'json', json: 'json', obj: 'obj', stl: 'stl' };

export function formatOf(file: string, bytes: Uint8Array): FileFormat {
  if (isGlb(bytes)) return 'glb';
  if (bytes.length > 84 && isBinaryStl(bytes)) return 'stl';
  const start = new TextDecoder().decode(bytes.subarray(0, START)).trimStart();
  if (/^[{[]/.test(start)) return 'json';
  if (/^solid\s/i.test(start) && /facet|endsolid/i.test(start)) return 'ascii stl';
  const ending = /\.([^./\\]+)$/.exec(file)?.[1].toLowerCase() ?? '';
  if (Object.hasOwn(BY_ENDING, ending)) return BY_ENDING[ending];
  return OBJ_STATEMENT.test(start) ? 'obj' : 'json';
}
