/** Bad meshes, accessors and buffers of glTF files: each is refused in one line that names node and mesh, before memory is spent on it. */

import { describe, expect, test } from 'vitest';
import { changed, CUBE, glbFile, makeGltf, refusal, type Change } from '../../helpers/gltf.ts';

const MESH = 'node crate: mesh Cube: ';

test('the file that the others are made of is accepted', async () => {
  expect(await changed(() => {})).toBe('accepted');
});

describe('meshes', () => {
  test.each<[string, Change, string]>([
    ['no primitives', (json) => (json.meshes[0].primitives = []), `${MESH}has no primitive, expected at least one`],
    [
      'no list of primitives',
      (json) => delete json.meshes[0].primitives,
      `${MESH}has no primitive, expected at least one`,
    ],
    [
      'no positions',
      (json) => (json.meshes[0].primitives[0].attributes = {}),
      `${MESH}primitives[0]: has no POSITION, expected vertices`,
    ],
    [
      'an index out of range',
      (json, gltf) => (json.meshes[0].primitives[0].indices = gltf.accessor('SCALAR', Uint8Array.of(0, 1, 8))),
      `${MESH}primitives[0]: has the index 8, but only 8 vertices`,
    ],
    [
      'two indices',
      (json, gltf) => (json.meshes[0].primitives[0].indices = gltf.accessor('SCALAR', Uint8Array.of(0, 1))),
      `${MESH}primitives[0]: has 2 indices and no triangle, expected at least three`,
    ],
    [
      'four indices',
      (json, gltf) => (json.meshes[0].primitives[0].indices = gltf.accessor('SCALAR', Uint8Array.of(0, 1, 2, 3))),
      `${MESH}primitives[0]: has 4 indices, expected a multiple of three`,
    ],
    [
      'a strip of repeated vertices',
      (json, gltf) => {
        json.meshes[0].primitives[0].mode = 5;
        json.meshes[0].primitives[0].indices = gltf.accessor('SCALAR', Uint8Array.of(0, 1, 1, 0));
      },
      `${MESH}primitives[0]: has no triangle, expected at least one`,
    ],
    [
      'a mode that does not exist',
      (json) => (json.meshes[0].primitives[0].mode = 7),
      `${MESH}primitives[0].mode is 7, expected a number from 0 to 6`,
    ],
    [
      'a vertex that is not a number',
      (json, gltf) => {
        const positions = Float32Array.from(CUBE.positions, (x, i) => (i === 7 ? NaN : x));
        json.meshes[0].primitives[0].attributes.POSITION = gltf.accessor('VEC3', positions);
      },
      `${MESH}primitives[0]: vertex 2 is (-1, NaN, -1), expected finite numbers`,
    ],
    [
      'a vertex that is infinite',
      (json, gltf) => {
        const positions = Float32Array.from(CUBE.positions, (x, i) => (i === 0 ? -Infinity : x));
        json.meshes[0].primitives[0].attributes.POSITION = gltf.accessor('VEC3', positions);
      },
      `${MESH}primitives[0]: vertex 0 is (-Infinity, -1, -1), expected finite numbers`,
    ],
    [
      'no accessor',
      (json) => (json.meshes[0].primitives[0].indices = 2),
      `${MESH}primitives[0]: indices is 2, expected an accessor index from 0 to 1`,
    ],
    [
      'indices as positions',
      (json) => (json.meshes[0].primitives[0].attributes.POSITION = 1),
      `${MESH}primitives[0]: accessors[1].type is "SCALAR", expected "VEC3"`,
    ],
  ])('%s', async (_, change, message) => {
    expect(await changed(change)).toBe(message);
  });
});

describe('accessors and buffers', () => {
  const ACCESSOR = `${MESH}primitives[0]: accessors[0]`;
  test.each<[string, Change, string]>([
    [
      'a count of 0',
      (json) => (json.accessors[0].count = 0),
      `${ACCESSOR}.count is 0, expected a whole number of at least 1`,
    ],
    [
      'a count that is no number',
      (json) => (json.accessors[0].count = '8'),
      `${ACCESSOR}.count is "8", expected a whole number of at least 1`,
    ],
    [
      'a count beyond the buffer view',
      (json) => (json.accessors[0].count = 9),
      `${ACCESSOR} ends at byte 108 of bufferViews[0], which has 96 bytes`,
    ],
    [
      'a billion triangles',
      (json) => (json.accessors[1].count = 3e9),
      `${MESH}primitives[0]: accessors[1].count is 3000000000, which makes more than 268435456 numbers in the model`,
    ],
    [
      'a count whose bytes are beyond whole numbers',
      (json) => (json.accessors[0].count = Number.MAX_SAFE_INTEGER),
      `${ACCESSOR}.count is 9007199254740991, which makes more than 268435456 numbers in the model`,
    ],
    [
      'many vertices without data',
      (json) => Object.assign(json.accessors[0], { bufferView: undefined, count: 1_000_001 }),
      `${ACCESSOR}.count is 1000001 without data, expected at most 1000000 such elements`,
    ],
    [
      'an offset beyond the buffer view',
      (json) => (json.accessors[0].byteOffset = 4),
      `${ACCESSOR} ends at byte 100 of bufferViews[0], which has 96 bytes`,
    ],
    [
      'a negative offset',
      (json) => (json.accessors[0].byteOffset = -12),
      `${ACCESSOR}.byteOffset is -12, expected a whole number of at least 0`,
    ],
    [
      'a component type that does not exist',
      (json) => (json.accessors[0].componentType = 5124),
      `${ACCESSOR}.componentType is 5124, expected 5126, or 5120 to 5123`,
    ],
    [
      'float indices',
      (json) => (json.accessors[1].componentType = 5126),
      `${MESH}primitives[0]: accessors[1].componentType is 5126, expected 5121, 5123 or 5125`,
    ],
    [
      'a buffer view that does not exist',
      (json) => (json.accessors[0].bufferView = 2),
      `${ACCESSOR}.bufferView is 2, expected a buffer view index from 0 to 1`,
    ],
    [
      'a stride below the size of an element',
      (json) => (json.bufferViews[0].byteStride = 8),
      `${ACCESSOR} has elements of 12 bytes, but its buffer view a stride of 8`,
    ],
    [
      'a stride that leads out of the view',
      (json) => (json.bufferViews[0].byteStride = 16),
      `${ACCESSOR} ends at byte 124 of bufferViews[0], which has 96 bytes`,
    ],
    [
      'a buffer view beyond its buffer',
      (json) => (json.bufferViews[1].byteLength = 1000),
      `${MESH}primitives[0]: bufferViews[1] ends at byte 1096 of buffers[0], which has 168 bytes`,
    ],
    [
      'a buffer view without a buffer',
      (json) => delete json.bufferViews[0].buffer,
      `${MESH}primitives[0]: bufferViews[0].buffer is undefined, expected a buffer index from 0 to 0`,
    ],
    [
      'a buffer that is longer than the binary chunk',
      (json) => (json.buffers[0].byteLength = 1000),
      'node crate: buffers[0]: has 168 bytes, but its byteLength is 1000',
    ],
    [
      'a second buffer without data',
      (json) => {
        json.buffers.push({ byteLength: 168 });
        json.bufferViews[0].buffer = 1;
      },
      'node crate: buffers[1]: has neither a URI nor the binary chunk of a GLB file',
    ],
    [
      'a data URI that is cut short',
      (json) => (json.buffers[0].uri = 'data:;base64,AAAA'),
      'node crate: buffers[0]: has 3 bytes, but its byteLength is 168',
    ],
    [
      'a data URI that is not base64',
      (json) => (json.buffers[0].uri = 'data:;base64,A*'),
      'node crate: buffers[0]: its data URI is not valid base64',
    ],
    [
      'a data URI of text',
      (json) => (json.buffers[0].uri = 'data:,text'),
      'node crate: buffers[0]: its data URI begins with "data:,text", expected base64',
    ],
    [
      'a file, where none can be read',
      (json) => (json.buffers[0].uri = 'cube.bin'),
      'node crate: buffers[0]: its uri is "cube.bin", expected a data URI',
    ],
    [
      'more sparse values than elements',
      (json, gltf) => {
        const view = gltf.view(new Uint8Array(108));
        json.accessors[0].sparse = {
          count: 9,
          indices: { bufferView: view, componentType: 5121 },
          values: { bufferView: view },
        };
      },
      `${ACCESSOR}.sparse.count is 9, expected at most 8, the count of the accessor`,
    ],
    [
      'a sparse index out of range',
      (json, gltf) => {
        const [indices, values] = [gltf.view(Uint8Array.of(1, 8)), gltf.view(new Float32Array(6))];
        json.accessors[0].sparse = {
          count: 2,
          indices: { bufferView: indices, componentType: 5121 },
          values: { bufferView: values },
        };
      },
      'node crate: accessors[0].sparse has the index 8, expected less than 8',
    ],
  ])('%s', async (_, change, message) => {
    expect(await changed(change)).toBe(message);
  });

  test('many accessors of the same bytes', async () => {
    const gltf = makeGltf();
    const view = gltf.view(new Float32Array(3_000_000));
    for (let i = 0; i < 100; i++) {
      gltf.json.accessors.push({ bufferView: view, type: 'VEC3', componentType: 5126, count: 1_000_000 });
      gltf.json.meshes.push({ primitives: [{ attributes: { POSITION: i } }] });
      gltf.root({ mesh: i });
    }
    expect(await refusal(glbFile(gltf))).toBe(
      'node 89: mesh 89: primitives[0]: accessors[89].count is 1000000, which makes more than 268435456 numbers in the model',
    );
  });
});
