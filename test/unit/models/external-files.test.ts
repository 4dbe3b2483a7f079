/** Files that a glTF file names: only those in its folder or below are read, and nothing from the network. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { CommandError } from '../../../cli/exit.ts';
import { readScene } from '../../../cli/scene-file.ts';
import { CUBE, makeGltf } from '../../helpers/gltf.ts';

const root = mkdtempSync(join(tmpdir(), 'narrowphase-'));
const folder = join(root, 'models');
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(folder, 'data'), { recursive: true });
mkdirSync(join(root, 'models-old'));

const gltf = makeGltf();
gltf.root({ name: 'crate', mesh: gltf.mesh('Cube', CUBE.positions, CUBE.indices) });
const binary = gltf.binary();
for (const path of [
  'models/cube.bin',
  'models/data/my cube.bin',
  'models/data/%41.bin',
  'cube.bin',
  'models-old/cube.bin',
]) {
  writeFileSync(join(root, path), binary);
}
symlinkSync(join(root, 'cube.bin'), join(folder, 'out.bin'));
symlinkSync(root, join(folder, 'up'));
symlinkSync(join(folder, 'cube.bin'), join(folder, 'data', 'in.bin'));
writeFileSync(join(folder, 'short.bin'), binary.subarray(0, 100));
execFileSync('mkfifo', [join(folder, 'pipe.bin')]);

const file = join(folder, 'scene.gltf');

function write(uri: string): string {
  const json = { ...gltf.json, buffers: [{ uri, byteLength: binary.length }] };
  const text = JSON.stringify(json);
  writeFileSync(file, text);
  return text;
}

async function refusal(uri: string): Promise<string> {
  write(uri);
  const network = vi.spyOn(globalThis, 'fetch');
  const error: unknown = await readScene(file, { hulls: true }).catch((reason: unknown) => reason);
  expect(network).not.toHaveBeenCalled();
  network.mockRestore();
  if (!(error instanceof CommandError)) return 'accepted';
  expect(error.exitCode).toBe(2);
  expect(error.message).not.toContain('\n');
  return error.message.replace(`${file}: node crate: buffers[0]: its uri `, '').replaceAll(root, '.');
}

test.each(['cube.bin', './cube.bin', 'data/my%20cube.bin', 'data/%2541.bin', 'data/in.bin'])(
  '%s is read',
  async (uri) => {
    const text = write(uri);
    const { scene, sha256, files } = await readScene(file, { hulls: true });
    expect([...scene.bodyNames.values()]).toEqual(['crate']);
    expect(files).toHaveLength(2);
    expect(sha256).toBe(createHash('sha256').update(text).update(binary).digest('hex'));
  },
);

describe('refused in one line with file, node and reason', () => {
  test.each([
    ['../cube.bin', '"../cube.bin" leads upwards, expected a file in the scene\'s folder or below'],
    ['data/../../cube.bin', '"data/../../cube.bin" leads upwards, expected a file in the scene\'s folder or below'],
    ['data/../cube.bin', '"data/../cube.bin" leads upwards, expected a file in the scene\'s folder or below'],
    ['%2e%2e/cube.bin', '"%2e%2e/cube.bin" leads upwards, expected a file in the scene\'s folder or below'],
    ['..%2fcube.bin', '"..%2fcube.bin" leads upwards, expected a file in the scene\'s folder or below'],
    ['..\\cube.bin', '"..\\\\cube.bin" is not a relative path, expected the name of a file beside the scene'],
    [
      join(folder, 'cube.bin'),
      '"./models/cube.bin" is not a relative path, expected the name of a file beside the scene',
    ],
    [
      '//example.com/cube.bin',
      '"//example.com/cube.bin" is not a relative path, expected the name of a file beside the scene',
    ],
    ['%2Fetc/passwd', '"%2Fetc/passwd" is not a relative path, expected the name of a file beside the scene'],
    [
      'https://example.com/cube.bin',
      '"https://example.com/cube.bin" has a scheme, expected the name of a file beside the scene',
    ],
    ['file:///etc/passwd', '"file:///etc/passwd" has a scheme, expected the name of a file beside the scene'],
    ['C:/cube.bin', '"C:/cube.bin" has a scheme, expected the name of a file beside the scene'],
    ['data%3Acube.bin', '"data%3Acube.bin" is not a relative path, expected the name of a file beside the scene'],
    ['cube.bin%00', '"cube.bin%00" is not a relative path, expected the name of a file beside the scene'],
    ['cube.bin?x', '"cube.bin?x" is not a relative path, expected the name of a file beside the scene'],
    ['', '"" is not a relative path, expected the name of a file beside the scene'],
    ['%zz', '"%zz" is not a valid URI'],
    ['out.bin', '"out.bin" leads out of the scene\'s folder, expected a file in it or below'],
    ['up/cube.bin', '"up/cube.bin" leads out of the scene\'s folder, expected a file in it or below'],
    [
      'up/models-old/cube.bin',
      '"up/models-old/cube.bin" leads out of the scene\'s folder, expected a file in it or below',
    ],
    ['data', '"data" is not a file'],
    ['.', '"." leads out of the scene\'s folder, expected a file in it or below'],
    ['pipe.bin', '"pipe.bin" is not a file'],
  ])('%s', async (uri, message) => {
    expect(await refusal(uri)).toBe(message);
  });

  test('a file that is not there, and one that is cut short', async () => {
    expect(await refusal('none.bin')).toMatch(/^"none\.bin" cannot be read: ENOENT/);
    expect(await refusal('short.bin')).toBe(
      `${file}: node crate: buffers[0]: has 100 bytes, but its byteLength is 168`.replaceAll(root, '.'),
    );
  });

  test('a very long one', async () => {
    expect(await refusal(`${'x'.repeat(10_000)}.bin`)).toMatch(/^"x{57}\.\.\." cannot be read: ENAMETOOLONG/);
  });
});
