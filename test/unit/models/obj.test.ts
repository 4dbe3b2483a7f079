/** Wavefront OBJ files. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NarrowphaseError } from '../../../src/api/errors.ts';
import { uniqueNames } from '../../../cli/scene/models/body-names.ts';
import { createNotes } from '../../../cli/scene/models/notes.ts';
import { readObj } from '../../../cli/scene/models/obj.ts';
import { readModel } from '../../../cli/scene/models/read-model.ts';
import { refusal } from '../../helpers/gltf.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(text: string) {
  const notes = createNotes();
  const solids = readObj(bytesOf(text), 'part', notes);
  const names = uniqueNames(solids.map(({ name }) => name));
  const bodies = solids.map(({ triangles }, i) => ({
    name: names[i],
    positions: [...triangles.positions],
    indices: [...triangles.indices],
  }));
  return { bodies, notes: notes.lines() };
}

const SQUARE = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

describe('vertices and faces', () => {
  test('polygons are divided, indices count from 1 or back from -1', () => {
    const [square] = read(`${SQUARE}f 1 2 3 4\n`).bodies;
    expect(square).toEqual({
      name: 'part',
      positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
      indices: [0, 1, 2, 0, 2, 3],
    });
    expect(read(`${SQUARE}f -4 -3 -2 -1\nv 7 7 7\n`).bodies).toEqual([square]);
    expect(read(`${SQUARE}f 1/5 2/6/7 3//8 4\n`).bodies).toEqual([square]);
    expect(read('v 0 0 0\nv 1 0 0\nf 1 2 3 4\nv 1 1 0\nv 0 1 0').bodies).toEqual([square]);
  });

  test('a concave polygon is divided within its outline', () => {
    const [{ indices }] = read('v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\n').bodies;
    const edges = [0, 3].map((t) =>
      indices
        .slice(t, t + 3)
        .sort()
        .join(),
    );
    expect(edges.sort()).toEqual(['0,1,2', '0,2,3']);
  });

  test('comments, empty lines, line ends of all kinds, tabs, weights and colours', () => {
    const text =
      '# a square\r\n\r\nv\t0 0 0 1.0 # corner\rv 1 0 0 0.5 0.5 0.5\n  v 1e0 +1. -.0\nv 0 1 0 1 1 0 0\n#f 1 2 3\nf 1 2 3 4#4';
    expect(() => read(text)).toThrow('line 8: a face has vertex "4#4", expected a whole number');
    const [{ positions }] = read(text.replace('4#4', '4 # 4')).bodies;
    expect(positions.map((x) => x + 0)).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
  });

  test('a backslash continues a line, but not a comment', () => {
    const { bodies } = read('# c:\\parts\\\nv 0 0 0\nv 1 \\\n 0 0\nv 1 1 0\nf 1 \\\r\n2 \\\n3');
    expect(bodies[0].positions).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0]);
  });

  test('a file of several megabytes, decoded piece by piece', () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `v ${i} ${i * i} 0.123456\r\n`).join('');
    const faces = Array.from({ length: 99_998 }, (_, i) => `f ${i + 1} ${i + 2} ${i + 3}\r\n`).join('');
    const [{ positions, indices }] = read(lines + faces).bodies;
    expect(positions).toHaveLength(300_000);
    expect(positions.every((x, k) => x === [k / 3, ((k - 1) / 3) * ((k - 1) / 3), 0.123456][k % 3])).toBe(true);
    expect(indices.every((vertex, k) => vertex === Math.floor(k / 3) + (k % 3))).toBe(true);
  });
});

describe('objects and groups', () => {
  test('are bodies, and get only their own vertices', () => {
    const { bodies } = read(`${SQUARE}v 9 9 9\no first\nf 1 2 3\ng second\nf 3 4 1\no third\nf 1 2 4\n`);
    expect(bodies.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
    expect(bodies[1]).toEqual({ name: 'second', positions: [0, 0, 0, 1, 1, 0, 0, 1, 0], indices: [1, 2, 0] });
  });

  test('of the same name: objects are bodies of their own, groups of an object are one body, with a note', () => {
    const { bodies, notes } = read(
      `${SQUARE}o a\ng side\nf 1 2 3\ng top\nf 1 2 4\ng side\nf 1 3 4\no b\ng side\nf 1 2 3\no a\ng side\nf 1 3 4\n` +
        'g\nf 2 3 4\nf 1 2 4\no my part #3\nf 1 2 3',
    );
    expect(bodies.map(({ name, indices }) => [name, indices.length / 3])).toEqual([
      ['a/side', 2],
      ['top', 1],
      ['b/side', 1],
      ['a/side #2', 1],
      ['a', 2],
      ['my part #3', 1],
    ]);
    expect(notes).toEqual(['groups that are declared again are one body: a/side']);
  });

  test('without faces are no bodies', () => {
    expect(read(`o empty\n${SQUARE}g also\no full\nf 1 2 3`).bodies.map(({ name }) => name)).toEqual(['full']);
  });

  test('materials, normals and the like are not used; points, lines and curves are left out with a note', () => {
    const text = `mtllib a.mtl\n${SQUARE}vt 0 0\nvn 0 0 1\nusemtl red\ns off\nf 1 2 3\nl 1 2\np 1\ncurv 0 1 1 2\nhello world\n`;
    expect(read(text).notes).toEqual([
      'points and lines are left out: line 11 and 1 more',
      'free-form curves and surfaces are left out: line 13',
      'statements that are not known are left out: line 14',
    ]);
  });
});

describe('precision', () => {
  test('a part at the coordinates of a country keeps them', async () => {
    const [x, y] = [4_482_345.123_4, 5_401_002.456_7];
    const text = `o slab\nv ${x} ${y} 1\nv ${x + 1} ${y} 1\nv ${x} ${y + 1} 1\nv ${x} ${y} 2\nf 1 2 3\nf 1 2 4\nf 2 3 4`;
    const { scene } = await readModel('site.obj', bytesOf(text), { hulls: true });
    const { points } = scene.shapes[0] as unknown as { points: Float32Array };
    const corner = [0, 1, 2].map((k) => scene.bodies.positions[k] + points[k]);
    [x, y, 1].forEach((expected, k) => expect(Math.abs(corner[k] - expected)).toBeLessThan(1e-7));
  });
});

describe('bad files', () => {
  test.each([
    ['an index of 0', `${SQUARE}f 0 1 2`, 'line 5: a face has vertex 0, expected one counted from 1, or back from -1'],
    ['an index out of range', `${SQUARE}f 1 2 3\nf 1 2 5`, 'line 6: a face has vertex 5, expected one of 4 vertices'],
    [
      'a relative index out of range',
      `${SQUARE}f 1 2 -5`,
      'line 5: a face has vertex -5, but only 4 vertices are before it',
    ],
    ['a huge index', `${SQUARE}f 1 2 99999999999`, 'line 5: a face has vertex 99999999999, expected at most 33554432'],
    ['an index with a fraction', `${SQUARE}f 1 2 2.5`, 'line 5: a face has vertex "2.5", expected a whole number'],
    ['an index that is text', `${SQUARE}f 1 2 x`, 'line 5: a face has vertex "x", expected a whole number'],
    ['a face of two vertices', `${SQUARE}f 1 2`, 'line 5: the face is "1 2", expected at least three vertices'],
    ['a vertex of two numbers', 'v 1 2', 'line 1: the vertex is "1 2", expected three finite numbers: x, y, z'],
    [
      'a vertex that is not a number',
      'v 1 2 nan',
      'line 1: the vertex is "1 2 nan", expected three finite numbers: x, y, z',
    ],
    [
      'a vertex that is infinite',
      'v 1 2 1e999',
      'line 1: the vertex is "1 2 1e999", expected three finite numbers: x, y, z',
    ],
    [
      'a vertex beyond f32',
      'o far\nv 1e39 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3',
      'mesh far: vertex 0 is (1e+39, 0, 0), expected three finite numbers within the range of f32',
    ],
    ['no face', SQUARE, 'has no face, expected at least one'],
    ['nothing', '', 'has no face, expected at least one'],
  ])('%s', async (_, text, message) => {
    expect(await refusal(bytesOf(text), 'm.obj')).toBe(message);
  });

  test('bytes of any kind are refused in one line or accepted', async () => {
    const word = fc.constantFrom(
      'v',
      'f',
      'o',
      'g',
      'l',
      '#',
      '\\',
      '\n',
      '\r\n',
      ' ',
      '1',
      '2',
      '3',
      '-1',
      '0',
      '1e5',
      '/',
      'nan',
      'x',
      '\0',
      '😀',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(word, { maxLength: 60 }).map((words) => bytesOf(SQUARE + words.join(' '))),
          fc.uint8Array({ maxLength: 200 }),
        ),
        async (bytes) => {
          await refusal(bytes, 'm.obj');
        },
      ),
      { seed: 25, numRuns: 2000 },
    );
  });

  test('a file that is cut short anywhere is refused in one line or accepted', async () => {
    const whole = bytesOf(`o a\n${SQUARE}f 1 2 3 4\r\ng b # c\nf 1/1/1 2/2/2 -1//\n`);
    for (let length = 0; length < whole.length; length++) await refusal(whole.subarray(0, length), 'm.obj');
  });
});

test('errors are NarrowphaseErrors', () => {
  expect(() => read('f 1 2')).toThrow(NarrowphaseError);
});
