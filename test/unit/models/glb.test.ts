/** The container of GLB files. */

import { describe, expect, test } from 'vitest';
import { NarrowphaseError } from '../../../src/api/errors.ts';
import { readModel } from '../../../cli/scene/models/read-model.ts';
import { glbFile, makeCrate, refusal } from '../../helpers/gltf.ts';

describe('the container', () => {
  const file = glbFile(makeCrate());
  const withNumber = (offset: number, value: number): Uint8Array => {
    const copy = file.slice();
    new DataView(copy.buffer).setUint32(offset, value, true);
    return copy;
  };

  test.each([
    ['wrong magic', withNumber(0, 0x46546c68), 'begins with the bytes 68 6c 54 46, expected 67 6c 54 46, "glTF"'],
    ['an empty file', new Uint8Array(0), 'begins with the bytes (none), expected 67 6c 54 46, "glTF"'],
    ['version 1', withNumber(4, 1), 'has version 1 of GLB, expected 2'],
    ['version 3', withNumber(4, 3), 'has version 3 of GLB, expected 2'],
    [
      'a length beyond the file',
      withNumber(8, 2 ** 32 - 1),
      `is cut short: has ${file.length} bytes, but its header says 4294967295`,
    ],
    ['a length of 0', withNumber(8, 0), 'its first chunk is not JSON, expected JSON'],
    [
      'a chunk beyond the file',
      withNumber(12, 2 ** 32 - 4),
      `chunk 0 has 4294967292 bytes, but only ${file.length - 20} are left in the file`,
    ],
    ['a first chunk that is not JSON', withNumber(16, 0x004e4942), 'its first chunk is not JSON, expected JSON'],
  ])('%s', async (_, bytes, message) => {
    expect(await refusal(bytes)).toBe(message);
  });

  test('a file that is cut short at any byte is refused', async () => {
    for (let length = 0; length < file.length; length++) {
      expect(await refusal(file.subarray(0, length)), `${length} bytes`).toMatch(
        /^(?:begins with|has \d+ bytes|is cut short)/,
      );
    }
  });

  test('a file whose header agrees with where it is cut is refused or gives the same scene', async () => {
    const whole = await readModel('m.glb', file, { hulls: true });
    for (let length = 12; length < file.length; length++) {
      const cut = file.slice(0, length);
      new DataView(cut.buffer).setUint32(8, length, true);
      const result = await readModel('m.glb', cut, { hulls: true }).catch((error: unknown) => error);
      if (!(result instanceof NarrowphaseError)) expect(result, `${length} bytes`).toEqual(whole);
    }
  });

  test('bytes behind the end are left out, with a note', async () => {
    const { notes } = await readModel('m.glb', Buffer.concat([file, Buffer.from('more')]), { hulls: true });
    expect(notes).toEqual(['4 bytes behind the end of the GLB file are left out']);
  });
});
