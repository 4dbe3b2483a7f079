/** Nodes of glTF scenes as bodies: transforms against three.js, shared shapes, names, instances, precision. */

import * as fc from 'fast-check';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import { NarrowphaseError } from '../../../src/api/errors.ts';
import { uniqueNames } from '../../../cli/scene/models/body-names.ts';
import { readModel } from '../../../cli/scene/models/read-model.ts';
import { CUBE, glbFile, makeGltf, modelOf, trianglesInScene, type Json, type MeshShape } from '../../helpers/gltf.ts';

/** A tetrahedron without symmetry, away from its origin along x. */
const TETRAHEDRON = {
  positions: [1, 0, 0, 2, 0.25, 0, 1, 1, -0.5, 1.5, 0, 2],
  indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
};

const coordinate = fc.double({ min: -10, max: 10, noNaN: true });
const factor = fc.oneof(fc.constantFrom(1, -1, 2, 0.5), fc.double({ min: 0.1, max: 3, noNaN: true }));
const rotations = fc
  .tuple(coordinate, coordinate, coordinate, coordinate)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)));
const scales = fc.oneof(
  factor.map((s) => [s, s, s]),
  fc.tuple(factor, factor, factor),
);
const placed = fc.record(
  { translation: fc.tuple(coordinate, coordinate, coordinate), rotation: rotations, scale: scales },
  { requiredKeys: [] },
);

function matrixOf({ translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: Json): Matrix4 {
  return new Matrix4().compose(new Vector3(...translation), new Quaternion(...rotation), new Vector3(...scale));
}

/** Some nodes give their transform as a matrix. */
const node = fc.tuple(placed, fc.boolean()).map(([fields, asMatrix]): Json => {
  return asMatrix ? { matrix: matrixOf(fields).toArray() } : fields;
});

test('chains of nodes place their mesh as three.js does, and mirrors turn the winding', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 5 }), async (chain) => {
      const gltf = makeGltf();
      const mesh = gltf.mesh('tetrahedron', TETRAHEDRON.positions, TETRAHEDRON.indices);
      chain.forEach((fields, i) =>
        gltf.json.nodes.push({ ...fields, ...(i + 1 < chain.length && { children: [i + 1] }) }),
      );
      gltf.json.nodes.at(-1).mesh = mesh;
      gltf.json.scenes[0].nodes = [0];
      const model = await modelOf(gltf);
      const world = new Matrix4();
      for (const fields of chain)
        world.multiply('matrix' in fields ? new Matrix4().fromArray(fields.matrix) : matrixOf(fields));
      const size = Math.max(1, ...world.elements.map(Math.abs));
      const expected = triangles(TETRAHEDRON.indices).map((corners) => {
        const turned = world.determinant() < 0 ? [corners[0], corners[2], corners[1]] : corners;
        return turned.flatMap((i) =>
          new Vector3()
            .fromArray(TETRAHEDRON.positions, 3 * i)
            .applyMatrix4(world)
            .toArray(),
        );
      });
      const found = trianglesInScene(model, 0);
      found.flat().forEach((x, i) => expect(Math.abs(x - expected.flat()[i])).toBeLessThan(3e-6 * size));
    }),
    { seed: 25, numRuns: 400 },
  );
});

function triangles(indices: readonly number[]): number[][] {
  return Array.from({ length: indices.length / 3 }, (_, t) => indices.slice(3 * t, 3 * t + 3));
}

/** A scene of nodes that all have the same mesh. */
async function withTetrahedra(...nodes: Json[]) {
  const gltf = makeGltf();
  const mesh = gltf.mesh('tetrahedron', TETRAHEDRON.positions, TETRAHEDRON.indices);
  for (const each of nodes) gltf.root({ mesh, ...each });
  return modelOf(gltf);
}

describe('shapes are shared', () => {
  const quarter = [0, Math.SQRT1_2, 0, Math.SQRT1_2];

  test('by nodes that differ in position, rotation and one scale factor', async () => {
    const { shapes, bodies } = await withTetrahedra(
      {},
      { translation: [5, 0, 0] },
      { rotation: quarter, scale: [2, 2, 2] },
    );
    expect(shapes).toHaveLength(1);
    expect(bodies.map(({ shape, scale: s }) => [shape, s])).toEqual([
      [0, 1],
      [0, 1],
      [0, 2],
    ]);
    expect(bodies[2].rotation).toEqual(quarter);
  });

  test('by nodes with the same scales along their axes, however they are rotated', async () => {
    const stretched = { scale: [1, 2, 3] };
    const { shapes, bodies } = await withTetrahedra(
      stretched,
      { ...stretched, rotation: quarter },
      { scale: [3, 2, 1] },
    );
    expect(bodies.map(({ shape }) => shape)).toEqual([0, 0, 1]);
    expect(shapes).toHaveLength(2);
  });

  test('by mirrors, but not with what is not mirrored', async () => {
    const { bodies } = await withTetrahedra({}, { scale: [-1, 1, 1] }, { scale: [1, 1, -1] }, { scale: [-1, -1, -1] });
    expect(bodies.map(({ shape }) => shape)).toEqual([0, 1, 1, 1]);
  });

  test('by hulls, and hulls have no triangles', async () => {
    const gltf = makeGltf();
    const mesh = gltf.mesh('cube', CUBE.positions, CUBE.indices);
    gltf.root({ mesh });
    gltf.root({ mesh, translation: [3, 0, 0] });
    const { shapes } = await modelOf(gltf, { hulls: true });
    expect(shapes.map(({ description }) => description)).toEqual([
      { type: 'hull', points: Float32Array.from(CUBE.positions) },
    ]);
  });
});

describe('rotations and matrices', () => {
  test("a node's own numbers reach its body unchanged", async () => {
    const [rotation, translation] = [
      [0.1, -0.3, 0.7, 0.64],
      [1e9 + 0.123456789, -2.5, 1 / 3],
    ];
    const gltf = makeGltf();
    gltf.root({ mesh: gltf.mesh('cube', CUBE.positions, CUBE.indices), rotation, translation, scale: [0.1, 0.1, 0.1] });
    const [body] = (await modelOf(gltf)).bodies;
    expect(body).toMatchObject({ position: translation, rotation, scale: 0.1 });
  });

  test('a matrix that is rounded to f32 is a rotation with one scale factor', async () => {
    const matrix = matrixOf({ rotation: [0.1, 0.2, 0.3, Math.sqrt(0.86)], scale: [3, 3, 3] })
      .toArray()
      .map(Math.fround);
    const { shapes, bodies } = await withTetrahedra({}, { matrix });
    expect(shapes).toHaveLength(1);
    expect(bodies[1].scale).toBeCloseTo(3, 6);
  });

  test('a scale of 0 along one axis flattens, along all leaves the node out', async () => {
    const { bodies, shapes, notes } = await withTetrahedra({ scale: [1, 0, 1] }, { name: 'gone', scale: [0, 0, 0] });
    expect(bodies).toHaveLength(1);
    const { positions } = shapes[0].description as MeshShape;
    expect([1, 4, 7, 10].map((i) => positions[i])).toEqual([0, 0, 0, 0]);
    expect(notes).toEqual(['nodes with a scale of 0 are left out: node gone']);
  });
});

describe('precision', () => {
  test('translations keep 64 bits through a chain of nodes', async () => {
    const gltf = makeGltf();
    const mesh = gltf.mesh('cube', CUBE.positions, CUBE.indices);
    gltf.json.nodes.push({ name: 'site', translation: [4_482_345.123, 5_401_002.456, 120], children: [1] });
    gltf.json.nodes.push({ mesh, translation: [0.001, 0.002, 0.003] });
    gltf.json.scenes[0].nodes = [0];
    const [body] = (await modelOf(gltf)).bodies;
    expect(body.position).toEqual([4_482_345.123 + 0.001, 5_401_002.456 + 0.002, 120 + 0.003]);
  });

  test('a part that is far from its origin gets one of its own, at no loss', async () => {
    const at = [4_482_345, 5_401_002.5, 0];
    const positions = CUBE.positions.map((x, i) => Math.fround(at[i % 3] + x));
    const gltf = makeGltf();
    gltf.root({ mesh: gltf.mesh('cube', positions, CUBE.indices) });
    const model = await modelOf(gltf);
    expect(trianglesInScene(model, 0)).toEqual(
      triangles(CUBE.indices).map((c) => c.flatMap((i) => positions.slice(3 * i, 3 * i + 3))),
    );
    const { positions: own } = model.shapes[0].description as MeshShape;
    expect(Math.max(...own.map(Math.abs))).toBeLessThanOrEqual(1);
  });

  test('positions in double precision keep it (KHR_accessor_float64)', async () => {
    const at = 4_482_345.123_456;
    const positions = CUBE.positions.map((x) => at + x / 10);
    const gltf = makeGltf();
    const mesh = gltf.mesh('cube', CUBE.positions, CUBE.indices);
    gltf.json.meshes[mesh].primitives[0].attributes.POSITION = gltf.accessor('VEC3', Float64Array.from(positions));
    gltf.root({ mesh });
    const model = await modelOf(gltf);
    trianglesInScene(model, 0)
      .flat()
      .forEach((x, i) =>
        expect(Math.abs(x - positions[3 * CUBE.indices[Math.floor(i / 3)] + (i % 3)])).toBeLessThan(1e-8),
      );
  });
});

describe('names', () => {
  test('are those of the nodes, or paths where they repeat or are missing', async () => {
    const gltf = makeGltf();
    const mesh = gltf.mesh('wheel', CUBE.positions, CUBE.indices);
    gltf.json.nodes.push(
      { name: 'car', children: [1, 2, 3] },
      { name: 'wheel', mesh },
      { name: 'wheel', mesh },
      { mesh },
      { name: 'van', children: [5, 6] },
      { name: 'wheel', mesh },
      { name: 'roof', mesh },
    );
    gltf.json.scenes[0].nodes = [0, 4];
    const { scene } = await readModel('cars.glb', glbFile(gltf), { hulls: true });
    expect([...scene.bodyNames.values()]).toEqual(['car/wheel', 'car/wheel #2', 'car/node 3', 'van/wheel', 'roof']);
    expect(scene.name).toBe('cars');
  });

  test('are unique and at most 256 characters long, whatever the nodes are called', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.constantFrom('', 'a', 'a/b', 'b', 'a #2', 'x'.repeat(300), '😀'.repeat(200)),
            fc.constantFrom('', 'a', 'b'),
          ),
        ),
        (nodes) => {
          const names = uniqueNames(nodes.map(([own, parent]) => ({ own, path: () => `${parent}/${own}` })));
          expect(new Set(names).size).toBe(names.length);
          for (const name of names) expect(name.length).toBeLessThanOrEqual(256);
          nodes.forEach(([own], i) => {
            const isUnique = own !== '' && own.length <= 256 && nodes.filter(([other]) => other === own).length === 1;
            if (isUnique) expect(names[i]).toBe(own);
          });
        },
      ),
      { seed: 25, numRuns: 500 },
    );
  });

  test('of a chain of 30,000 nodes without names stay short', async () => {
    const gltf = makeGltf();
    const mesh = gltf.mesh(undefined, CUBE.positions, CUBE.indices);
    const count = 30_000;
    for (let i = 0; i < count; i++) gltf.json.nodes.push({ mesh, ...(i + 1 < count && { children: [i + 1] }) });
    gltf.json.scenes[0].nodes = [0];
    const { scene } = await readModel('deep.glb', glbFile(gltf), { hulls: true });
    expect(scene.bodyNames.size).toBe(count);
    expect(scene.bodyNames.get(count - 1)).toMatch(/^….*\/node 29998\/node 29999$/);
  });
});

describe('instances of EXT_mesh_gpu_instancing', () => {
  test('are bodies with the shape of the node', async () => {
    const gltf = makeGltf();
    const attributes = {
      TRANSLATION: gltf.accessor('VEC3', Float32Array.of(0, 0, 0, 10, 0, 0, 20, 0, 0)),
      ROTATION: gltf.accessor('VEC4', Int16Array.of(0, 0, 0, 32767, 0, 32767, 0, 0, 0, 0, 32767, 0), {
        normalized: true,
      }),
      SCALE: gltf.accessor('VEC3', Float32Array.of(1, 1, 1, 2, 2, 2, 0, 0, 0)),
    };
    const mesh = gltf.mesh('cube', CUBE.positions, CUBE.indices);
    gltf.root({ name: 'bolt', mesh, translation: [0, 5, 0], extensions: { EXT_mesh_gpu_instancing: { attributes } } });
    const model = await modelOf(gltf);
    expect(model.shapes).toHaveLength(1);
    expect(model.bodies.map(({ name, position, rotation: q, scale: s }) => [name.own, [...position], q, s])).toEqual([
      ['bolt[0]', [0, 5, 0], [0, 0, 0, 1], 1],
      ['bolt[1]', [10, 5, 0], [0, 1, 0, 0], 2],
    ]);
    expect(model.notes).toEqual(['instances with a scale of 0 are left out: node bolt']);
  });

  test('of different numbers are refused', async () => {
    const gltf = makeGltf();
    const attributes = {
      TRANSLATION: gltf.accessor('VEC3', new Float32Array(6)),
      SCALE: gltf.accessor('VEC3', new Float32Array(9)),
    };
    const mesh = gltf.mesh('cube', CUBE.positions, CUBE.indices);
    gltf.root({ name: 'bolt', mesh, extensions: { EXT_mesh_gpu_instancing: { attributes } } });
    await expect(modelOf(gltf)).rejects.toThrow(
      new NarrowphaseError('INVALID_INPUT', 'node bolt: has 3 instances by SCALE, but 2 by another attribute'),
    );
  });
});
