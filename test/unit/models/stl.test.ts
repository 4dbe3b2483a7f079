/** STL files, binary and ASCII. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAsciiStl, readBinaryStl } from '../../../cli/scene/models/stl.ts';
import { readModel } from '../../../cli/scene/models/read-model.ts';
import { CUBE, refusal } from '../../helpers/gltf.ts';

const CORNERS = CUBE.indices.map((i) => CUBE.positions.slice(3 * i, 3 * i + 3));

function binaryStl(corners: readonly number[][], count = corners.length / 3, header = 'a part'): Uint8Array {
  const bytes = new Uint8Array(84 + (50 * corners.length) / 3);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(header).subarray(0, 80));
  view.setUint32(80, count, true);
  corners.forEach((corner, i) => {
    const start = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3);
    corner.forEach((x, k) => view.setFloat32(start + 4 * k, x, true));
  });
  return bytes;
}

function asciiStl(corners: readonly number[][], name = 'cube'): string {
  const facets = Array.from({ length: corners.length / 3 }, (_, t) => {
    const lines = corners.slice(3 * t, 3 * t + 3).map((corner) => `      vertex ${corner.join(' ')}\n`);
    return `  facet normal 0 0 0\n    outer loop\n${lines.join('')}    endloop\n  endfacet\n`;
  });
  return `solid ${name}\n${facets.join('')}endsolid ${name}\n`;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const soup = (solid: { triangles: { positions: ArrayLike<number>; indices: Uint32Array } }): number[] =>
  [...solid.triangles.indices].flatMap((i) => [0, 1, 2].map((k) => solid.triangles.positions[3 * i + k]));

describe('files that are right', () => {
  test('binary and ASCII have the same triangles', () => {
    const [binary] = readBinaryStl(binaryStl(CORNERS), 'part');
    const [ascii] = readAsciiStl(bytesOf(asciiStl(CORNERS)), 'part');
    expect(soup(binary)).toEqual(CORNERS.flat());
    expect(soup(ascii)).toEqual(CORNERS.flat());
    expect([binary.name.own, ascii.name.own]).toEqual(['part', 'cube']);
  });

  test('are told apart by their content', async () => {
    const asSolid = binaryStl(CORNERS, CORNERS.length / 3, 'solid facet cube');
    for (const [bytes, name] of [
      [asSolid, 'm'],
      [bytesOf(asciiStl(CORNERS)), 'cube'],
      [binaryStl(CORNERS), 'm'],
    ] as const) {
      for (const file of ['m.stl', 'm.STL', 'm.bin', 'm.obj', 'm']) {
        const { scene } = await readModel(file, bytes, { hulls: true });
        expect([...scene.bodyNames.values()]).toEqual([
          file === 'm.bin' && name === 'm' ? 'm.bin' : name === 'm' ? 'm' : 'cube',
        ]);
      }
    }
  });

  test('ASCII files may have several solids, any case and no names', async () => {
    const text =
      `${asciiStl(CORNERS, 'a b')}${asciiStl(CORNERS, '').toUpperCase()}${asciiStl(CORNERS, 'a b')}`.replaceAll(
        '\n',
        '\r\n',
      );
    const { scene } = await readModel('m.stl', bytesOf(text), { hulls: true });
    expect([...scene.bodyNames.values()]).toEqual(['a b', 'm', 'a b #2']);
  });

  test('ASCII vertices at the coordinates of a country keep their digits', async () => {
    const far = CORNERS.map((corner) => corner.map((x) => 5_401_002.456_7 + x));
    const { scene } = await readModel('m.stl', bytesOf(asciiStl(far)), { hulls: true });
    const { points } = scene.shapes[0] as unknown as { points: Float32Array };
    const first = [0, 1, 2].map((k) => scene.bodies.positions[k] + points[k]);
    first.forEach((x, k) => expect(Math.abs(x - far[0][k])).toBeLessThan(1e-7));
  });
});

describe('bad files', () => {
  const FACET = 'facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n';
  test.each<[string, Uint8Array | string, string]>([
    [
      'a triangle count that is too large',
      binaryStl(CORNERS, 13),
      'its header says 13 triangles, which take 734 bytes, but the file has 684',
    ],
    [
      'a triangle count that is too small',
      binaryStl(CORNERS, 11),
      'its header says 11 triangles, which take 634 bytes, but the file has 684',
    ],
    [
      'four billion triangles',
      binaryStl(CORNERS, 2 ** 32 - 1),
      'its header says 4294967295 triangles, which take 214748364834 bytes, but the file has 684',
    ],
    ['no triangle', binaryStl([]), 'has no triangle, expected at least one'],
    [
      'a header that is cut short',
      binaryStl(CORNERS).subarray(0, 83),
      'has 83 bytes, expected at least 84, the header of a binary STL file',
    ],
    [
      'a vertex that is not a number',
      binaryStl([
        [0, 0, 0],
        [1, NaN, 0],
        [0, 1, 0],
      ]),
      'mesh m: vertex 1 is (1, NaN, 0), expected three finite numbers within the range of f32',
    ],
    ['a solid without facets', 'solid a\nendsolid a', 'line 2: solid a has no facet, expected at least one'],
    ['a solid without an end', `solid a\n${FACET}`, 'line 9: unexpected end of file, expected endsolid'],
    [
      'a facet of two vertices',
      `solid a\n${FACET.replace('vertex 1 0 0\n', '')}endsolid`,
      'line 7: the facet has 2 corners, expected three',
    ],
    [
      'a facet of four vertices',
      `solid a\n${FACET.replace('endloop', 'vertex 1 1 1\nendloop')}endsolid`,
      'line 7: unexpected "vertex 1 1 1", expected three corners per facet',
    ],
    [
      'a vertex of two numbers',
      `solid a\n${FACET.replace('vertex 1 0 0', 'vertex 1 0')}endsolid`,
      'line 5: unexpected "vertex 1 0", expected three finite numbers: x, y, z',
    ],
    [
      'an infinite vertex',
      `solid a\n${FACET.replace('vertex 1 0 0', 'vertex 1 0 inf')}endsolid`,
      'line 5: unexpected "vertex 1 0 inf", expected three finite numbers: x, y, z',
    ],
    [
      'a word that is not known',
      `solid a\n${FACET}colour red\nendsolid`,
      'line 9: unexpected "colour red", expected solid, facet, outer loop, vertex, endloop, endfacet or endsolid',
    ],
    ['a solid in a solid', `solid a\n${FACET}solid b`, 'line 9: unexpected "solid b", expected facet or endsolid'],
    [
      'a facet outside of solids',
      `solid a\n${FACET}endsolid a\n${FACET}`,
      'line 10: unexpected "facet normal 0 0 1", expected solid',
    ],
  ])('%s', async (_, content, message) => {
    expect(await refusal(typeof content === 'string' ? bytesOf(content) : content, 'm.stl')).toBe(message);
  });

  test('a file that is cut short at any byte is refused', async () => {
    for (const whole of [
      binaryStl(CORNERS),
      bytesOf(
        asciiStl(CORNERS)
          .trimEnd()
          .replace(/ cube$/, ''),
      ),
    ]) {
      for (let length = 0; length < whole.length; length++) {
        expect(await refusal(whole.subarray(0, length), 'm.stl'), `${length} bytes`).not.toBe('accepted');
      }
    }
  });

  test('bytes that are changed are refused in one line or accepted', async () => {
    const files = [binaryStl(CORNERS.slice(0, 6)), bytesOf(asciiStl(CORNERS.slice(0, 6)))];
    const change = fc.tuple(fc.nat(), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.array(change, { maxLength: 3 }), async (file, changes) => {
        const bytes = file.slice();
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        await refusal(bytes, 'm.stl');
      }),
      { seed: 25, numRuns: 2000 },
    );
  });
});
