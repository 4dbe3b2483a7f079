import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { CommandError } from '../../cli/exit.ts';
import { readScene } from '../../cli/scene-file.ts';
import { pairMatcher } from '../../cli/scene/allowed.ts';
import { anchorOf, createNameIndex, createPatternIndex } from '../../cli/scene/name-index.ts';
import { parseScene } from '../../cli/scene/scene.ts';

const SPHERE = { type: 'sphere', radius: 1 };
const BODY = { shape: 0, position: [0, 0, 0] };
const SCENE = { version: 1, shapes: [SPHERE], bodies: [BODY, BODY], pairs: [[0, 1]] };

/** The message with which a scene is rejected. `scene`: fields that replace those of `SCENE`, or a whole text. */
function rejection(scene: object | string): string {
  try {
    parseScene(typeof scene === 'string' ? scene : JSON.stringify({ ...SCENE, ...scene }));
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    return error.message;
  }
  return 'accepted';
}

const withShape = (shape: unknown) => rejection({ shapes: [SPHERE, shape] });
const withBody = (fields: object) => rejection({ bodies: [BODY, { ...BODY, ...fields }] });

describe('a scene that is right', () => {
  test('gives shapes, poses, names and pairs', () => {
    const scene = parseScene(
      JSON.stringify({
        version: 1,
        name: 'crates',
        shapes: [
          { id: 'crate', type: 'box', halfExtents: [1, 2, 3], radius: 0.5 },
          { id: 'rock', type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
        ],
        bodies: [
          { shape: 'rock', position: [1, 2, 3], quaternion: [0, 1, 0, 0], scale: 2, name: 'a rock' },
          { shape: 0, position: [4, 5, 6] },
        ],
        pairs: [[1, 0]],
        margin: 0.25,
      }),
    );
    expect(scene.name).toBe('crates');
    expect(scene.shapes.map(({ type }) => type)).toEqual(['box', 'hull']);
    expect(scene.shapes[0]).not.toHaveProperty('id');
    expect([...scene.bodies.shapes]).toEqual([1, 0]);
    expect([...scene.bodies.positions]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...scene.bodies.quaternions]).toEqual([0, 1, 0, 0, 0, 0, 0, 1]);
    expect([...scene.bodies.scales]).toEqual([2, 1]);
    expect([...scene.bodyNames]).toEqual([[0, 'a rock']]);
    expect([...(scene.pairs as Uint32Array)]).toEqual([1, 0]);
    expect(scene.margin).toBe(0.25);
  });

  test('may hold its bodies as lists', () => {
    const lists = {
      shapes: [0, 0],
      positions: [0, 0, 0, 1, 0, 0],
      quaternions: [0, 0, 0, 1, 1, 0, 0, 0],
      scales: [1, 3],
    };
    const { bodies } = parseScene(JSON.stringify({ ...SCENE, bodies: lists }));
    expect([...bodies.positions]).toEqual(lists.positions);
    expect([...bodies.quaternions]).toEqual(lists.quaternions);
    expect([...bodies.scales]).toEqual([1, 3]);
  });

  test('may be empty', () => {
    const { bodies, pairs } = parseScene('{"version":1,"shapes":[],"bodies":[],"pairs":"all"}');
    expect(bodies.shapes).toHaveLength(0);
    expect(pairs).toBe('all');
  });

  test('keeps positions at the precision of the file', () => {
    const scene = parseScene(JSON.stringify({ ...SCENE, bodies: [{ ...BODY, position: [1e6 + 0.001, 0, 0] }, BODY] }));
    expect(scene.bodies.positions[0]).toBe(1e6 + 0.001);
  });
});

describe('allowed pairs', () => {
  const names = ['gripper left', 'gripper right', 'part-1', 'part-2', 'part-12', 'table', 'a*b', '\u{1f9f1}?'];
  const bodies = [...names.map((name) => ({ ...BODY, name })), BODY];
  const scene = (allowed: unknown) => ({ ...SCENE, bodies, pairs: 'all', allowed });
  /** Names of the pairs that are allowed. */
  const pairsOf = (...allowed: [string, string][]): string[] => {
    const { allowed: parsed, bodyNames } = parseScene(JSON.stringify(scene(allowed)));
    const isAllowed = pairMatcher(parsed, bodyNames);
    const found: string[] = [];
    for (let a = 0; a < bodies.length; a++) {
      for (let b = a + 1; b < bodies.length; b++) {
        expect(isAllowed(b, a)).toBe(isAllowed(a, b));
        if (isAllowed(a, b)) found.push(`${names[a]}/${names[b]}`);
      }
    }
    return found;
  };

  test.each([
    [['part-1', 'table'], ['part-1/table']],
    [['table', 'part-1'], ['part-1/table']],
    [
      ['gripper*', 'part-?'],
      ['gripper left/part-1', 'gripper left/part-2', 'gripper right/part-1', 'gripper right/part-2'],
    ],
    [
      ['*right', 'p*1*'],
      ['gripper right/part-1', 'gripper right/part-12'],
    ],
    [
      ['part-*', 'part-*'],
      ['part-1/part-2', 'part-1/part-12', 'part-2/part-12'],
    ],
    [['?', 'table'], undefined],
    [['table', '*\u{1f9f1}*'], ['table/\u{1f9f1}?']],
    [['a*b', '??'], ['a*b/\u{1f9f1}?']],
    [['part', 'table'], undefined],
    [['art-1', 'table'], undefined],
    [['Table', 'part-1'], undefined],
    [['part-1.', 'table'], undefined],
  ] as [[string, string], string[] | undefined][])('%j', (entry, expected) => {
    if (expected) expect(pairsOf(entry)).toEqual(expected);
    else
      expect(() => pairsOf(entry)).toThrow(
        /^allowed\[0\]\[[01]\] is ".*", expected the name of a body, or a pattern that the name of a body matches$/,
      );
  });

  test('of several entries any may allow a pair, and unnamed bodies are in none', () => {
    expect(pairsOf(['part-1', 'table'], ['gripper left', 'part-1'])).toEqual(['gripper left/part-1', 'part-1/table']);
    expect(pairsOf(['*', '*'])).toHaveLength((names.length * (names.length - 1)) / 2);
    expect(parseScene(JSON.stringify(SCENE)).allowed).toEqual([]);
  });

  describe('many patterns and many names', () => {
    const COUNT = 20_000;
    const rows = Array.from({ length: COUNT }, (_, i) => `row ${i % 100}, part ${i}`);
    const named = { ...SCENE, bodies: rows.map((name) => ({ ...BODY, name })), pairs: [[0, 1]] };
    const indexed = createNameIndex(rows.map((name) => ({ name })));
    const comparisons = (patterns: string[]): number =>
      patterns.reduce((sum, pattern) => {
        const { start, end } = indexed(anchorOf(pattern));
        return sum + end - start;
      }, 0);

    test.each([
      ['begin', (i: number) => `row ${i % 100}, part ${i}*`],
      ['end', (i: number) => `*part ${i}`],
      ['begin and end', (i: number) => `row*, part ${i}`],
    ])('a pattern is compared with names that %s as it does, and each name with few patterns', (_, patternOf) => {
      const patterns = Array.from({ length: 5000 }, (__, i) => patternOf(i));
      expect(comparisons(patterns)).toBeLessThan(10 * patterns.length);
      const patternsWith = createPatternIndex(patterns.map((pattern) => ({ pattern })));
      expect(rows.reduce((sum, name) => sum + patternsWith(name).length, 0)).toBe(comparisons(patterns));
      const allowed = patterns.map((pattern) => [pattern, 'row 0, part 0']).slice(1);
      const parsed = parseScene(JSON.stringify({ ...named, allowed }));
      const isAllowed = pairMatcher(parsed.allowed, parsed.bodyNames);
      expect([isAllowed(0, 4999), isAllowed(4999, 0), isAllowed(1, 4999)]).toEqual([true, true, false]);
    });

    test('are refused where too many of them would have to be compared', () => {
      const allowed = Array.from({ length: 1200 }, (_, i) => [`*, part ${i}*`, 'row 0, part 0']).slice(1);
      expect(() => parseScene(JSON.stringify({ ...named, allowed }))).toThrow(
        /^allowed\[1000\]\[0\] is "\*, part 1001\*", which makes 20020000 comparisons .*, expected at most 20000000/,
      );
    });
  });

  test('a pattern of many stars against names that nearly match', () => {
    const name = 'a'.repeat(256);
    const many = {
      ...SCENE,
      bodies: [
        { ...BODY, name },
        { ...BODY, name: 'b' },
      ],
      allowed: [[`${'*a'.repeat(127)}*b`, 'b']],
    };
    expect(() => parseScene(JSON.stringify(many))).toThrow(/^allowed\[0\]\[0\] is "/);
  });

  test.each([
    ['x', 'allowed is "x", expected a list of pairs of names or patterns'],
    [['table'], 'allowed[0] is "table", expected two names or patterns'],
    [[['table']], 'allowed[0] is ["table"], expected two names or patterns'],
    [[['table', 3]], 'allowed[0][1] is 3, expected a string of 1 to 256 characters'],
    [
      [
        ['table', 'part-1'],
        ['table', 'prat-*'],
      ],
      'allowed[1][1] is "prat-*", expected the name of a body, or a pattern that the name of a body matches',
    ],
    [[['table', 't*']], 'allowed[0] is ["table","t*"], expected two bodies: only body 5 matches'],
  ])('%j: %s', (allowed, message) => expect(rejection(scene(allowed))).toBe(message));

  test('names that several bodies have stand for all of them', () => {
    const twins = {
      ...SCENE,
      bodies: [
        { ...BODY, name: 'twin' },
        { ...BODY, name: 'twin' },
      ],
      allowed: [['twin', 'twin']],
    };
    const { allowed, bodyNames } = parseScene(JSON.stringify(twins));
    expect(pairMatcher(allowed, bodyNames)(0, 1)).toBe(true);
  });
});

test.each([
  { asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }] },
  { asset: { version: '1.0', generator: 'x' } },
])('a glTF file is named: %j', (file) => {
  expect(rejection(JSON.stringify(file))).toBe(
    'the scene is a glTF file, expected JSON with version, shapes, bodies and pairs',
  );
});

describe('a scene that is wrong is rejected, and the message names path, value and what was expected', () => {
  test.each([
    [{ version: 2 }, 'version is 2, expected 1'],
    [{ version: '1' }, 'version is "1", expected 1'],
    [{ version: undefined }, 'version is missing, expected 1'],
    [{ shapes: undefined }, 'shapes is missing, expected a list of shapes'],
    [{ bodies: undefined }, 'bodies is missing, expected a list of bodies, or an object of lists'],
    [{ pairs: undefined }, 'pairs is missing, expected a list of pairs of body indices, "all" or "broad-phase"'],
    [{ pairs: 'none' }, 'pairs is "none", expected a list of pairs of body indices, "all" or "broad-phase"'],
    [{ name: '' }, 'name is "", expected a string of 1 to 256 characters'],
    [{ margin: -1 }, 'margin is -1, expected a finite number of at least 0'],
    [{ margin: 'NaN' }, 'margin is "NaN", expected a finite number'],
    [{ bodys: [] }, "bodys is unknown; did you mean 'bodies'?"],
  ])('%j: %s', (fields, message) => expect(rejection(fields)).toBe(message));

  test.each([
    ['[]', 'the scene is [], expected an object'],
    ['null', 'the scene is null, expected an object'],
    [
      '{"__proto__": 1}',
      "__proto__ is unknown, expected 'version', 'name', 'shapes', 'bodies', 'pairs', 'margin' or 'allowed'",
    ],
    ['', 'line 1, column 1: unexpected end of file, expected JSON'],
    [
      '{"version": 1, "pairs": "all",\n "pairs": []}',
      'line 2, column 2: the key "pairs" is given twice in one object, expected once',
    ],
    [
      '{"asset": null}',
      "asset is unknown, expected 'version', 'name', 'shapes', 'bodies', 'pairs', 'margin' or 'allowed'",
    ],
    ['{"version": 1,\n "shapes": [NaN]}', 'line 2, column 13: unexpected "NaN]}", expected JSON'],
  ])('%s', (text, message) => expect(rejection(text)).toBe(message));

  test.each([
    [5, 'shapes[1] is 5, expected an object'],
    [null, 'shapes[1] is null, expected an object'],
    [
      { radius: 1 },
      'shapes[1].type is missing, expected sphere, box, capsule, triangle, hull, cylinder, cone, ellipsoid, halfspace, compound or mesh',
    ],
    [
      { type: 'cube' },
      'shapes[1].type is "cube", expected sphere, box, capsule, triangle, hull, cylinder, cone, ellipsoid, halfspace, compound or mesh',
    ],
    [
      { type: 'toString' },
      'shapes[1].type is "toString", expected sphere, box, capsule, triangle, hull, cylinder, cone, ellipsoid, halfspace, compound or mesh',
    ],
    [{ type: 'sphere' }, 'shapes[1].radius is missing, expected the radius of a sphere'],
    [{ type: 'sphere', radius: -1 }, 'shapes[1].radius is -1, expected a number of at least 0 within the range of f32'],
    [
      { type: 'sphere', radius: 1e39 },
      'shapes[1].radius is 1e+39, expected a number of at least 0 within the range of f32',
    ],
    [
      { type: 'sphere', radius: 1, halfHeight: 1 },
      "shapes[1].halfHeight is unknown for a shape of type 'sphere', expected 'type', 'radius' or 'id'",
    ],
    [
      { type: 'box', halfExtents: [1, 1, '1'] },
      'shapes[1].halfExtents[2] is "1", expected a number of at least 0 within the range of f32',
    ],
    [{ type: 'hull', points: 'x' }, 'shapes[1].points is "x", expected a flat list of numbers: x, y, z of each point'],
    [
      { type: 'hull', points: [0, 0, null] },
      'shapes[1].points[2] is null, expected a finite number within the range of f32',
    ],
    [{ type: 'sphere', radius: 1, id: 7 }, 'shapes[1].id is 7, expected a string of 1 to 256 characters'],
  ])('shape %j: %s', (shape, message) => expect(withShape(shape)).toBe(message));

  test('a hull whose numbers are no whole points', () => {
    expect(withShape({ type: 'hull', points: [1, 2] })).toMatch(/^shapes\[1\]\.points\S* is 2, expected /);
    expect(withShape({ type: 'hull', points: [] })).toMatch(/^shapes\[1\]\.points\S* is 0, expected /);
  });

  test('an id that two shapes have', () => {
    expect(
      rejection({
        shapes: [
          { ...SPHERE, id: 'a' },
          { ...SPHERE, id: 'a' },
        ],
      }),
    ).toBe('shapes[1].id is "a", expected an id that shapes[0] does not have');
  });

  test.each([
    [{ shape: 1 }, 'bodies[1].shape is 1, expected a shape index from 0 to 0'],
    [{ shape: 0.5 }, 'bodies[1].shape is 0.5, expected a shape index from 0 to 0'],
    [{ shape: -1 }, 'bodies[1].shape is -1, expected a shape index from 0 to 0'],
    [{ shape: 'rock' }, 'bodies[1].shape is "rock", expected the index or the id of a shape'],
    [{ shape: undefined }, 'bodies[1].shape is missing, expected the index or the id of a shape'],
    [{ position: undefined }, 'bodies[1].position is missing, expected three numbers: x, y, z'],
    [{ position: [0, 0] }, 'bodies[1].position has 2 elements, expected three numbers: x, y, z'],
    [{ position: [0, null, 0] }, 'bodies[1].position[1] is null, expected a finite number'],
    [{ position: [0, 0, 'Infinity'] }, 'bodies[1].position[2] is "Infinity", expected a finite number'],
    [
      { position: [4e38, 0, 0] },
      'bodies[1].position[0] is 4e+38, expected a number within the range of f32, at most 3.4028235e38',
    ],
    [{ quaternion: [0, 0, 'x', 1] }, 'bodies[1].quaternion[2] is "x", expected a finite number'],
    [
      { quaternion: [0, 0, 0, 0] },
      'bodies[1].quaternion is [0,0,0,0], expected a quaternion of length 0.000001 or more',
    ],
    [{ quaternion: { x: 0 } }, 'bodies[1].quaternion is {"x":0}, expected four numbers: x, y, z, w'],
    [{ scale: 0 }, 'bodies[1].scale is 0, expected a positive number, at least 1e-45'],
    [{ scale: 1e-60 }, 'bodies[1].scale is 1e-60, expected a positive number, at least 1e-45'],
    [{ scale: '2' }, 'bodies[1].scale is "2", expected a finite number'],
    [{ name: 7 }, 'bodies[1].name is 7, expected a string of 1 to 256 characters'],
    [
      { orientation: [] },
      "bodies[1].orientation is unknown, expected 'shape', 'position', 'quaternion', 'scale' or 'name'",
    ],
  ])('body %j: %s', (fields, message) => expect(withBody(fields)).toBe(message));

  test('numbers beyond the range of f64', () => {
    expect(rejection(JSON.stringify(SCENE).replace('[0,0,0]', '[0,1e999,0]'))).toBe(
      'bodies[0].position[1] is Infinity, expected a finite number',
    );
  });

  const lists = { shapes: [0], positions: [0, 0, 0], quaternions: [0, 0, 0, 1] };
  test.each([
    [{ shapes: undefined }, 'bodies.shapes is missing, expected a list of shape indices or ids'],
    [{ shapes: [3] }, 'bodies.shapes[0] is 3, expected a shape index from 0 to 0'],
    [{ positions: [0, 0] }, 'bodies.positions has 2 elements, expected 3 numbers: x, y, z of each body'],
    [{ positions: [0, 0, '0'] }, 'bodies.positions[2] is "0", expected a finite number'],
    [{ quaternions: undefined }, 'bodies.quaternions is missing, expected 4 numbers: x, y, z, w of each body'],
    [
      { quaternions: [0, 0, 0, 0] },
      'bodies.quaternions[0..3] is [0,0,0,0], expected a quaternion of length 0.000001 or more',
    ],
    [{ scales: [-1] }, 'bodies.scales[0] is -1, expected a positive number, at least 1e-45'],
    [{ scales: [1, 1] }, 'bodies.scales has 2 elements, expected 1 numbers: the scale factor of each body'],
    [{ names: [] }, "bodies.names is unknown, expected 'shapes', 'positions', 'quaternions' or 'scales'"],
  ])('lists of bodies with %j: %s', (fields, message) => {
    expect(rejection({ bodies: { ...lists, ...fields }, pairs: [] })).toBe(message);
  });

  test.each([
    [[[0, 2]], 'pairs[0][1] is 2, expected a body index from 0 to 1'],
    [[[0, 1], [0]], 'pairs[1] is [0], expected two body indices'],
    [[[0, '1']], 'pairs[0][1] is "1", expected a body index from 0 to 1'],
    [[0, 1], 'pairs[0] is 0, expected two body indices'],
    [[[1, 1]], 'pairs[0] is [1,1], expected two different bodies'],
  ])('pairs %j: %s', (pairs, message) => expect(rejection({ pairs })).toBe(message));

  test('text that is nested a million times', () => {
    expect(rejection('['.repeat(1e6))).toBe('line 1, column 1000001: unexpected end of file, expected JSON');
    const nested = `${'['.repeat(1e6)}${']'.repeat(1e6)}`;
    expect(rejection(JSON.stringify({ ...SCENE, name: 0 }).replace('"name":0', `"name":${nested}`))).toBe(
      'name is an object, expected a string of 1 to 256 characters',
    );
  });

  test('an index into nothing', () => {
    expect(rejection({ shapes: [] })).toBe('bodies[0].shape is 0, expected no shape index, since there is no shape');
  });

  test('too many shapes', () => {
    expect(rejection({ shapes: Array.from({ length: 65_537 }, () => SPHERE) })).toBe(
      'shapes has 65537 elements, expected at most 65536',
    );
  });
});

describe('reading a scene file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'narrowphase-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const failure = async (file: string): Promise<string> => {
    const error: unknown = await readScene(file).catch((reason: unknown) => reason);
    if (!(error instanceof CommandError)) throw error;
    expect(error.exitCode).toBe(2);
    return error.message.replace(folder, '.');
  };

  test('takes its name from the file where it has none', async () => {
    const file = join(folder, 'pile.json');
    await writeFile(file, `\ufeff${JSON.stringify(SCENE)}`);
    expect((await readScene(file)).scene.name).toBe('pile');
  });

  test('is called scene where the file has no name before its ending', async () => {
    const file = join(folder, '.json');
    await writeFile(file, JSON.stringify(SCENE));
    expect((await readScene(file)).scene.name).toBe('scene');
  });

  test('that is a GLB file cut short says so', async () => {
    const file = join(folder, 'crane.glb');
    await writeFile(file, Buffer.concat([Buffer.from('glTF'), Uint8Array.of(2, 0, 0, 0, 0xff, 0, 0, 0)]));
    expect(await failure(file)).toBe('./crane.glb: is cut short: has 12 bytes, but its header says 255');
  });

  test('that is not there, is a folder, or is not text names the file', async () => {
    expect(await failure(join(folder, 'none.json'))).toMatch(/^\.\/none\.json: cannot be read: ENOENT/);
    expect(await failure(folder)).toMatch(/^\.: cannot be read: EISDIR/);
    const binary = join(folder, 'binary.json');
    await writeFile(binary, Uint8Array.of(0x7b, 0xff, 0xfe));
    expect(await failure(binary)).toBe('./binary.json: not UTF-8, expected JSON');
  });
});
