/** `run` and `verify` over model files: the same reports as over JSON scenes, and bad files. */

import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { collider, CUBE, glbFile, makeGltf, withShapes, type GltfWriter } from '../helpers/gltf.ts';
import { makeWorkplace, PROGRAM, type Report } from './cli.ts';

const { folder, narrowphase, program, write, files } = makeWorkplace();

async function report(...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await narrowphase(['run', '--engine', 'cpu', '--format', 'json', ...args]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Report;
}

/** A grid of 512 boxes in a turned assembly of rows; each row's boxes overlap by 0.01, 0.02, ... */
function makeGrid(): { gltf: GltfWriter; json: object; overlaps: Map<string, number> } {
  const gltf = withShapes({ type: 'box', box: { size: [1, 1, 1] } });
  const bodies: object[] = [];
  const overlaps = new Map<string, number>();
  for (let row = 0; row < 32; row++) {
    const quaternion = [0, Math.sin(row / 64), 0, Math.cos(row / 64)];
    for (let i = 0; i < 16; i++) {
      const name = `row ${row} box ${i}`;
      const step = 1 - (row + 1) / 100;
      // Along the row's own x axis.
      const position = [i * step * Math.cos(row / 32), 3 * row, -i * step * Math.sin(row / 32)];
      gltf.root({ name, translation: position, rotation: quaternion, ...collider({ shape: 0 }) });
      bodies.push({ name, shape: 0, position, quaternion });
      if (i > 0) overlaps.set(`row ${row} box ${i - 1}/${name}`, (row + 1) / 100);
    }
  }
  const json = { version: 1, shapes: [{ type: 'box', halfExtents: [0.5, 0.5, 0.5] }], bodies, pairs: 'broad-phase' };
  return { gltf, json, overlaps };
}

describe('a scene of 512 boxes by KHR_implicit_shapes', () => {
  const { gltf, json, overlaps } = makeGrid();
  write('grid.glb', Buffer.from(glbFile(gltf)));
  write('grid.json', json);

  test('has the same report as the JSON scene, and the known depths', async () => {
    const [ofModel, ofJson] = [await report('grid.glb'), await report('grid.json')];
    expect({ ...ofModel, scene: { ...ofModel.scene, file: '', sha256: '' } }).toEqual({
      ...ofJson,
      scene: { ...ofJson.scene, file: '', sha256: '' },
    });
    expect(ofModel.contacts).toHaveLength(overlaps.size);
    for (const { nameA, nameB, distance } of ofModel.contacts) {
      expect(-distance!, `${nameA} and ${nameB}`).toBeCloseTo(overlaps.get(`${nameA}/${nameB}`)!, 5);
    }
  });

  test('may allow overlaps by the names of its nodes', async () => {
    const some = ['run', 'grid.glb', '--engine', 'cpu', '--fail-on-overlap'];
    expect((await narrowphase([...some, '--allow', 'row ? *:row*'])).code).toBe(1);
    const { code, stdout } = await narrowphase([...some, '--allow', 'row ? *:row*', '--allow', 'row ?? *:*']);
    expect(code, stdout).toBe(0);
    const { stderr } = await narrowphase([...some, '--allow', 'line*:row*']);
    expect(stderr).toBe(
      'grid.glb: --allow[0][0] is "line*", expected the name of a body, or a pattern that the name of a body matches\n',
    );
    expect((await narrowphase([...some, '--allow', 'row*'])).stderr).toMatch(
      /^narrowphase: --allow is "row\*", expected A:B/,
    );
  });

  test('is verified', async () => {
    const { code, stdout } = await narrowphase(['verify', 'grid.glb', '--engine', 'cpu']);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^outcome +passed: no fault$/m);
  });
});

/** The corners of the cube, moved along x. */
function corners(x: number): string[] {
  return Array.from({ length: 8 }, (_, i) => {
    const [u, v, w] = CUBE.positions.slice(3 * i, 3 * i + 3);
    return `${u + x} ${v} ${w}`;
  });
}

describe('the same cubes in every format', () => {
  const places = [0, 1.9, 10];
  const gltf = makeGltf();
  const mesh = gltf.mesh('Cube', CUBE.positions, CUBE.indices);
  places.forEach((x, i) => gltf.root({ name: `cube ${i}`, mesh, translation: [x, 0, 0] }));
  write('cubes.glb', Buffer.from(glbFile(gltf)));
  const triangles = Array.from({ length: CUBE.indices.length / 3 }, (_, t) => CUBE.indices.slice(3 * t, 3 * t + 3));
  write(
    'cubes.obj',
    places
      .map((x, i) => {
        const faces = triangles.map((triangle) => `f ${triangle.map((v) => v + 1 + 8 * i).join(' ')}`);
        return [`o cube ${i}`, ...corners(x).map((corner) => `v ${corner}`), ...faces].join('\n');
      })
      .join('\n'),
  );
  const solids = places.map((x, i) => {
    const facets = triangles.map((triangle) => {
      const vertices = triangle.map((v) => `vertex ${corners(x)[v]}`);
      return ['facet normal 0 0 0', 'outer loop', ...vertices, 'endloop', 'endfacet'].join('\n');
    });
    return [`solid cube ${i}`, ...facets, 'endsolid'].join('\n');
  });
  write('cubes.stl', solids.join('\n'));
  // The content tells what it is.
  write('cubes.txt', solids.join('\n'));
  write('cubes.bin', Buffer.from(glbFile(gltf)));

  test.each(['cubes.glb', 'cubes.obj', 'cubes.stl', 'cubes.txt', 'cubes.bin'])('%s as hulls', async (file) => {
    const { contacts, scene } = await report(file, '--hulls', '--margin', '20');
    expect(scene).toMatchObject({ bodies: 3, bodiesByType: { hull: 3 }, pairs: 'broad-phase' });
    expect(contacts.map(({ nameA, nameB }) => [nameA, nameB])).toEqual([
      ['cube 0', 'cube 1'],
      ['cube 0', 'cube 2'],
      ['cube 1', 'cube 2'],
    ]);
    [-0.1, 8, 6.1].forEach((distance, i) => expect(contacts[i].distance).toBeCloseTo(distance, 5));
  });

  test.each(['cubes.glb', 'cubes.obj', 'cubes.stl'])('%s as meshes', async (file) => {
    const { contacts, scene } = await report(file, '--query', 'distances');
    expect(scene.bodiesByType).toEqual({ mesh: 3 });
    const { code, stdout } = await narrowphase(['verify', file, '--engine', 'cpu', '--query', 'distances']);
    expect(code, stdout).toBe(0);
    expect(contacts.length).toBeGreaterThan(0);
    expect(contacts[0]).toMatchObject({ nameA: 'cube 0', nameB: 'cube 1', status: 'overlapping' });
  });

  test('from standard input', async () => {
    const input = glbFile(gltf);
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, 'run', '-', '--hulls', '--engine', 'cpu'], {
      cwd: folder,
      input,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^hits +1 pair$/m);
  });

  test('a JSON scene with meshes and compounds, as it is and with hulls', async () => {
    const bar = { shape: { type: 'box', halfExtents: [5, 0.25, 0.25] }, position: [5, 1.2, 0] };
    write('parts.json', {
      version: 1,
      shapes: [
        { id: 'cube', type: 'mesh', positions: CUBE.positions, indices: CUBE.indices },
        {
          id: 'gate',
          type: 'compound',
          parts: [bar, { ...bar, position: [5, -1.2, 0], quaternion: [0, 0, 0, 1], scale: 1 }],
        },
      ],
      bodies: [
        { name: 'cube', shape: 'cube', position: [0, 0, 0] },
        { name: 'gate', shape: 'gate', position: [0, 0, 0] },
      ],
      pairs: 'all',
    });
    const hulls = await report('parts.json', '--hulls');
    expect(hulls.scene.bodiesByType).toEqual({ hull: 1, compound: 1 });
    expect(hulls.contacts[0].distance).toBeCloseTo(-0.05, 5);
    expect((await report('parts.json')).scene.bodiesByType).toEqual({ compound: 1, mesh: 1 });
  });

  test('what is not used is said on stderr', async () => {
    const withLines = makeGltf();
    withLines.root({ name: 'crate', mesh: withLines.mesh('Cube', CUBE.positions, CUBE.indices) });
    withLines.json.meshes[0].primitives.push({ attributes: { POSITION: 0 }, mode: 1 });
    write('lines.glb', Buffer.from(glbFile(withLines)));
    const { stderr } = await narrowphase(['run', 'lines.glb', '--engine', 'cpu']);
    expect(stderr).toMatch(/^narrowphase: lines\.glb: points and lines are left out: mesh Cube$/m);
  });
});

describe('a bad model ends with 2 and one line that starts with the file, and nothing is written', () => {
  const gltf = makeGltf();
  gltf.root({ name: 'crate', mesh: gltf.mesh('Cube', CUBE.positions, CUBE.indices) });
  const cut = glbFile(gltf).subarray(0, 500);
  const stretched = makeGltf();
  stretched.root({ name: 'crate\n2', mesh: stretched.mesh('Cube', CUBE.positions, CUBE.indices) });
  stretched.json.accessors[0].count = 1e9;
  const outside = { ...gltf.json, buffers: [{ uri: '../secret.bin', byteLength: 168 }] };

  test.each<[string, unknown, string]>([
    ['cut.glb', Buffer.from(cut), `cut.glb: is cut short: has 500 bytes, but its header says ${glbFile(gltf).length}`],
    [
      'many.glb',
      Buffer.from(glbFile(stretched)),
      'many.glb: node crate?2: mesh Cube: primitives[0]: accessors[0].count is 1000000000, ' +
        'which makes more than 268435456 numbers in the model',
    ],
    [
      'outside.gltf',
      outside,
      'outside.gltf: node crate: buffers[0]: its uri "../secret.bin" leads upwards, expected a file in the scene\'s folder or below',
    ],
    [
      'bad.obj',
      'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n',
      'bad.obj: line 4: a face has vertex 4, expected one of 3 vertices',
    ],
    [
      'bad.stl',
      Buffer.alloc(100, 1),
      'bad.stl: its header says 16843009 triangles, which take 842150534 bytes, but the file has 100',
    ],
  ])('%s', async (file, content, message) => {
    write(file, content);
    const before = files();
    for (const command of ['run', 'verify']) {
      const { code, stdout, stderr } = await narrowphase([command, file, '--engine', 'cpu', '--out', 'report.json']);
      expect(stderr).toBe(`${message}\n`);
      expect([code, stdout]).toEqual([2, '']);
      expect(files()).toEqual(before);
    }
  });

  test('a report does not replace a file that the scene names', async () => {
    write('cube.bin', Buffer.from(gltf.binary()));
    write('named.gltf', { ...gltf.json, buffers: [{ uri: 'cube.bin', byteLength: 168 }] });
    const { code, stderr } = await narrowphase(['run', 'named.gltf', '--engine', 'cpu', '--out', 'cube.bin']);
    expect(stderr).toMatch(/^narrowphase: --out cube\.bin would overwrite the scene/);
    expect(code).toBe(2);
  });
});

/** The modules that Node loads, and more. */
async function trace(...args: string[]): Promise<string> {
  return (await program(args, { env: { NODE_DEBUG: 'esm' } })).stderr;
}

test('glTF Transform is loaded for glTF files only', async () => {
  write('lone.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  const CHUNK = 'dist/cli/gltf-transform.js';
  expect(await trace('run', 'cubes.glb', '--engine', 'cpu')).toContain(CHUNK);
  for (const args of [['run', 'lone.obj', '--engine', 'cpu'], ['run', 'parts.json', '--engine', 'cpu'], ['--help']]) {
    expect(await trace(...args)).not.toContain(CHUNK);
  }
});
