/** Meshes of glTF files: primitives, kinds of accessors, the rest pose of deformed ones. */

import { Document, Logger, WebIO } from '@gltf-transform/core';
import { describe, expect, test } from 'vitest';
import { readModel } from '../../../cli/scene/models/read-model.ts';
import {
  CUBE,
  glbFile,
  makeGltf,
  modelOf,
  trianglesInScene,
  type GltfWriter,
  type Json,
  type MeshShape,
} from '../../helpers/gltf.ts';

/** Points of a strip that zigzags along x, in the plane z = 0. */
const ZIGZAG = [0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0];

/** The mesh of the only body of a file with one mesh. */
async function meshOf(gltf: GltfWriter, node: Json = {}): Promise<MeshShape> {
  gltf.root({ mesh: 0, ...node });
  return (await modelOf(gltf)).shapes[0].description as MeshShape;
}

function withMode(mode: number, indices?: number[]): GltfWriter {
  const gltf = makeGltf();
  gltf.mesh('m', ZIGZAG, indices);
  gltf.json.meshes[0].primitives[0].mode = mode;
  return gltf;
}

describe('primitives', () => {
  test('lists, with and without indices', async () => {
    expect([...(await meshOf(withMode(4, [0, 2, 1, 2, 3, 1]))).indices]).toEqual([0, 2, 1, 2, 3, 1]);
    const soup = makeGltf();
    soup.mesh('m', ZIGZAG.slice(0, 9));
    expect([...(await meshOf(soup)).indices]).toEqual([0, 1, 2]);
  });

  test('strips alternate their winding, so that all triangles face the same side', async () => {
    expect([...(await meshOf(withMode(5))).indices]).toEqual([0, 1, 2, 1, 3, 2, 2, 3, 4]);
    // Repeated vertices join two strips.
    expect([...(await meshOf(withMode(5, [0, 1, 2, 2, 2, 3, 4]))).indices]).toEqual([0, 1, 2, 2, 3, 4]);
  });

  test('fans', async () => {
    const gltf = withMode(6);
    expect([...(await meshOf(gltf)).indices]).toEqual([1, 2, 0, 2, 3, 0, 3, 4, 0]);
  });

  test('points and lines are left out, with a note', async () => {
    const gltf = withMode(4, [0, 2, 1]);
    for (const mode of [0, 1, 2, 3]) {
      gltf.json.meshes[0].primitives.push({ ...gltf.json.meshes[0].primitives[0], mode });
    }
    gltf.json.meshes.push({ name: 'dots', primitives: [{ attributes: { POSITION: 0 }, mode: 0 }] });
    gltf.root({ mesh: 0 });
    gltf.root({ mesh: 1 });
    const { bodies, notes } = await modelOf(gltf);
    expect(bodies).toHaveLength(1);
    expect(notes).toEqual(['points and lines are left out: mesh m and 4 more']);
  });

  test('several primitives of a mesh are one body; those with the same vertices share them', async () => {
    const gltf = makeGltf();
    const half = CUBE.indices.length / 2;
    gltf.mesh('cube', CUBE.positions, CUBE.indices.slice(0, half));
    const [first] = gltf.json.meshes[0].primitives;
    const rest = gltf.accessor('SCALAR', Uint8Array.from(CUBE.indices.slice(half)));
    gltf.json.meshes[0].primitives.push({ ...first, indices: rest });
    const { positions, indices } = await meshOf(gltf);
    expect([...positions]).toEqual(CUBE.positions);
    expect([...indices]).toEqual(CUBE.indices);
  });

  test('vertices that no triangle uses are dropped', async () => {
    const gltf = makeGltf();
    gltf.mesh('m', [9, 9, 9, ...ZIGZAG, NaN, NaN, NaN], [5, 3, 2]);
    const { positions, indices } = await meshOf(gltf);
    expect([...positions]).toEqual([0, 1, 0, 1, 0, 0, 2, 0, 0]);
    expect([...indices]).toEqual([2, 1, 0]);
  });
});

const withPositions = (accessor: (gltf: GltfWriter) => number): GltfWriter => {
  const gltf = makeGltf();
  gltf.mesh('m', ZIGZAG, [0, 2, 1, 2, 3, 1]);
  gltf.json.meshes[0].primitives[0].attributes.POSITION = accessor(gltf);
  return gltf;
};

const sparse = (gltf: GltfWriter, indices: number[]): Json => ({
  count: indices.length,
  indices: { bufferView: gltf.view(Uint8Array.from(indices)), componentType: 5121 },
  values: { bufferView: gltf.view(Float32Array.from(indices.flatMap((i) => [i, 10, 0]))) },
});

describe('accessors', () => {
  test('of integers, as KHR_mesh_quantization has them', async () => {
    const small = [0, 0, 0, 0, 100, 0, 50, 0, 0, 50, 100, 0];
    const plain = withPositions((gltf) => gltf.accessor('VEC3', Int16Array.from(small)));
    plain.json.extensionsRequired = ['KHR_mesh_quantization'];
    expect([...(await meshOf(plain)).positions]).toEqual(small);
    const normalised = withPositions((gltf) =>
      gltf.accessor('VEC3', Int8Array.from([-127, 0, 0, 127, 127, 0, 0, 0, 0, -128, 0, 64]), { normalized: true }),
    );
    expect([...(await meshOf(normalised)).positions]).toEqual([
      -1,
      0,
      0,
      1,
      1,
      0,
      0,
      0,
      0,
      -1,
      0,
      Math.fround(64 / 127),
    ]);
  });

  test('that share a buffer view with others, element by element', async () => {
    const gltf = withPositions((writer) => {
      // Position and normal of each vertex.
      const interleaved = Float32Array.from(
        Array.from({ length: 4 }, (_, i) => [...ZIGZAG.slice(3 * i, 3 * i + 3), 0, 0, 1]).flat(),
      );
      const view = writer.view(interleaved);
      writer.json.bufferViews[view].byteStride = 24;
      return writer.json.accessors.push({ bufferView: view, type: 'VEC3', componentType: 5126, count: 4 }) - 1;
    });
    expect([...(await meshOf(gltf)).positions]).toEqual(ZIGZAG.slice(0, 12));
  });

  test('with an offset in their buffer view', async () => {
    const gltf = withPositions((writer) =>
      writer.accessor('VEC3', Float32Array.from([7, 7, 7, ...ZIGZAG]), { byteOffset: 12, count: 4 }),
    );
    expect([...(await meshOf(gltf)).positions]).toEqual(ZIGZAG.slice(0, 12));
  });

  test('with sparse values, over others and over zeros', async () => {
    const over = withPositions((gltf) =>
      gltf.accessor('VEC3', Float32Array.from([7, 7, 7, ...ZIGZAG]), {
        byteOffset: 12,
        count: 4,
        sparse: sparse(gltf, [1, 3]),
      }),
    );
    expect([...(await meshOf(over)).positions]).toEqual([0, 0, 0, 1, 10, 0, 1, 0, 0, 3, 10, 0]);
    const zeros = withPositions((gltf) => {
      const accessor = { type: 'VEC3', componentType: 5126, count: 4, sparse: sparse(gltf, [1, 3]) };
      return gltf.json.accessors.push(accessor) - 1;
    });
    expect([...(await meshOf(zeros)).positions]).toEqual([0, 0, 0, 1, 10, 0, 0, 0, 0, 3, 10, 0]);
  });
});

const morphed = (): GltfWriter => {
  const gltf = makeGltf();
  gltf.mesh('m', ZIGZAG.slice(0, 9));
  const raise = gltf.accessor('VEC3', Float32Array.of(0, 0, 1, 0, 0, 2, 0, 0, 4));
  gltf.json.meshes[0].primitives[0].targets = [{ NORMAL: 99 }, { POSITION: raise }];
  gltf.json.meshes[0].weights = [1, 0.5];
  return gltf;
};

/** Heights of the vertices of the morphed mesh at a node. */
async function heights(node: Json): Promise<number[]> {
  const { positions } = await meshOf(morphed(), node);
  return [2, 5, 8].map((i) => positions[i]);
}

describe('the rest pose', () => {
  test('has morph targets at their default weights, those of the node first', async () => {
    expect(await heights({})).toEqual([0.5, 1, 2]);
    expect(await heights({ weights: [0, 0] })).toEqual([0, 0, 0]);
    expect(await heights({ weights: [0, 0.25] })).toEqual([0.25, 0.5, 1]);
  });

  test('has skins where their joints are, whatever the node of the mesh is', async () => {
    const gltf = makeGltf();
    gltf.mesh('m', [0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 1, 0], [0, 1, 3, 1, 2, 3]);
    const { attributes } = gltf.json.meshes[0].primitives[0];
    attributes.JOINTS_0 = gltf.accessor('VEC4', Uint8Array.of(0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0));
    attributes.WEIGHTS_0 = gltf.accessor('VEC4', Float32Array.of(1, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0));
    const inverse = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1];
    const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    gltf.json.skins = [
      { joints: [0, 1], inverseBindMatrices: gltf.accessor('MAT4', Float32Array.from([...identity, ...inverse])) },
    ];
    // The second joint stands at x = 1, raised by 4, and turns x to z.
    gltf.json.nodes.push({ children: [1] }, { translation: [1, 4, 0], rotation: [0, -Math.SQRT1_2, 0, Math.SQRT1_2] });
    gltf.json.scenes[0].nodes = [0];
    gltf.root({ name: 'skin', mesh: 0, skin: 0, translation: [100, 0, 0] });
    const model = await modelOf(gltf);
    const found = trianglesInScene(model, 0).flat();
    const expected = [0, 0, 0, 1, 2, 0, 1, 5, 1, 1, 2, 0, 1, 4, 1, 1, 5, 1];
    found.forEach((x, i) => expect(x).toBeCloseTo(expected[i], 6));
    expect(model.notes).toEqual(['skins stay in their rest pose: node skin']);
  });
});

test('a file that glTF Transform writes, and an unused texture that is not there', async () => {
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  const buffer = document.createBuffer();
  const positions = document
    .createAccessor()
    .setType('VEC3')
    .setArray(Float32Array.from(CUBE.positions))
    .setBuffer(buffer);
  const indices = document.createAccessor().setArray(Uint32Array.from(CUBE.indices)).setBuffer(buffer);
  const normals = document.createAccessor().setType('VEC3').setArray(new Float32Array(24).fill(1)).setBuffer(buffer);
  const primitive = document.createPrimitive().setAttribute('POSITION', positions).setAttribute('NORMAL', normals);
  const mesh = document.createMesh('cube').addPrimitive(primitive.setIndices(indices));
  document.createScene().addChild(document.createNode('crate').setMesh(mesh).setTranslation([1, 2, 3]));
  const { json, resources } = await new WebIO().writeJSON(document, { basename: 'crate' });
  const file = { ...json, images: [{ uri: 'https://example.com/none.png' }], textures: [{ source: 0 }] };
  const asked: string[] = [];
  const { scene, notes } = await readModel('crate.gltf', new TextEncoder().encode(JSON.stringify(file)), {
    hulls: true,
    readBeside: (uri) => {
      asked.push(uri);
      return Promise.resolve(resources[uri]);
    },
  });
  expect(asked).toEqual(['crate.bin']);
  expect(notes).toEqual([]);
  expect([...scene.bodies.positions]).toEqual([1, 2, 3]);
  expect([...scene.bodyNames]).toEqual([[0, 'crate']]);
  expect([...(scene.shapes[0] as unknown as { points: Float32Array }).points]).toEqual(CUBE.positions);
});

test('buffers in data URIs, and the same file as GLB, give the same scene', async () => {
  const gltf = makeGltf();
  gltf.root({ name: 'crate', mesh: gltf.mesh('cube', CUBE.positions, CUBE.indices), translation: [1, 2, 3] });
  const asGlb = await readModel('crate.glb', glbFile(gltf), { hulls: true });
  gltf.json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(gltf.binary()).toString('base64')}`;
  const asJson = await readModel('crate.gltf', new TextEncoder().encode(JSON.stringify(gltf.json)), { hulls: true });
  expect(asJson).toEqual(asGlb);
});
