/** Bad nodes and documents of glTF files: each is refused in one line that names the node. */

import { describe, expect, test } from 'vitest';
import { changed, glbOf, makeCrate, refusal, withJson, type Change } from '../../helpers/gltf.ts';

const MESH = 'node crate: mesh Cube: ';

describe('nodes', () => {
  test.each<[string, Change, string]>([
    ['a cycle', (json) => (json.nodes[0].children = [1]), 'node crate: is its own ancestor, expected a tree of nodes'],
    [
      'a node that is its own child',
      (json) => json.nodes.push({ name: 'loop', children: [2] }),
      'node loop: is its own ancestor, expected a tree of nodes',
    ],
    [
      'two parents',
      (json) => json.nodes.push({ name: 'other', children: [0] }),
      'node other: has node crate as a child and node assembly has it too, expected one parent per node',
    ],
    [
      'a child twice',
      (json) => (json.nodes[1].children = [0, 0]),
      'node assembly: has node crate as a child twice, expected one parent per node',
    ],
    [
      'a child that does not exist',
      (json) => (json.nodes[1].children = [0, 7]),
      'node assembly: children[1] is 7, expected a node index from 0 to 1',
    ],
    [
      'a root that is a child',
      (json) => json.scenes[0].nodes.push(0),
      'node crate: is a root of the scene and a child of node assembly',
    ],
    [
      'a root twice',
      (json) => json.scenes[0].nodes.push(1),
      'scenes[0].nodes[1] is 1, expected a node that the list has once',
    ],
    [
      'a mesh that does not exist',
      (json) => (json.nodes[0].mesh = 1),
      'node crate: mesh is 1, expected a mesh index from 0 to 0',
    ],
    ['a name that is no text', (json) => (json.nodes[0].name = 5), 'node 0: name is 5, expected a string'],
    [
      'a translation of two numbers',
      (json) => (json.nodes[0].translation = [1, 2]),
      'node crate: translation is [1,2], expected 3 finite numbers',
    ],
    [
      'a translation that is infinite',
      (json) => (json.nodes[0].translation = ['1e999', 0, 0]),
      'node crate: translation is ["1e999",0,0], expected 3 finite numbers',
    ],
    [
      'a translation beyond what testers take',
      (json) => (json.nodes[0].translation = [1e31, 0, 0]),
      'node crate: its position[0] is 1e+31, expected a number of at most 1e+30 either way',
    ],
    [
      'a scale beyond what testers take',
      (json) => (json.nodes[0].scale = [1e16, 1e16, 1e16]),
      'node crate: its scale is 10000000000000000, expected a number of at most 1000000000000000',
    ],
    [
      'a rotation of length 0',
      (json) => (json.nodes[0].rotation = [0, 0, 0, 0]),
      'node crate: rotation is [0,0,0,0], expected a quaternion of length 1',
    ],
    [
      'a matrix that is not affine',
      (json) => (json.nodes[0].matrix = [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
      'node crate: the last row of its matrix is [1,0,0,1], expected 0, 0, 0, 1',
    ],
    [
      'a matrix beside a translation',
      (json) =>
        Object.assign(json.nodes[0], {
          matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
          translation: [0, 0, 0],
        }),
      'node crate: has a matrix beside translation, rotation or scale, expected one of them',
    ],
    [
      'scales that bake to infinity',
      (json) => (json.nodes[0].scale = [1e300, 1, 1]),
      `${MESH}vertex 0 is (-1e+300, -1, -1), expected three finite numbers within the range of f32`,
    ],
    [
      'a skin that does not exist',
      (json) => (json.nodes[0].skin = 0),
      'node crate: skin is 0, expected no skin index, since there is no skin',
    ],
  ])('%s', async (_, change, message) => {
    expect(await changed(change)).toBe(message);
  });

  test('a number that JSON makes infinite', async () => {
    const { json, binary } = makeCrate();
    json.nodes[0].translation = [777, 0, 0];
    const text = JSON.stringify(json).replace('777', '1e999');
    const bytes = glbOf({}, binary());
    expect(await refusal(withJson(bytes, text))).toMatch(/^node crate: translation is .*expected 3 finite numbers$/);
  });

  test('a cycle below no scene', async () => {
    expect(await changed((json) => json.nodes.push({ children: [3] }, { name: 'b', children: [2] }))).toBe(
      'node 2: is its own ancestor, expected a tree of nodes',
    );
  });
});

describe('the document', () => {
  test.each<[string, Change, string]>([
    ['no asset', (json) => delete json.asset, 'asset is missing, expected an object with the version'],
    ['version 1', (json) => (json.asset.version = '1.0'), 'asset.version is "1.0", expected 2.0'],
    [
      'a version to come',
      (json) => (json.asset = { version: '2.9', minVersion: '2.8' }),
      'asset.minVersion is "2.8", expected 2.0',
    ],
    ['no scene', (json) => delete json.scenes, 'the model has no scene, expected at least one'],
    ['a scene that does not exist', (json) => (json.scene = 1), 'scene is 1, expected a scene index from 0 to 0'],
    [
      'a scene without nodes',
      (json) => (json.scenes = [{}]),
      'the model has no body, expected at least one mesh or collider',
    ],
    ['nodes that are no list', (json) => (json.nodes = {}), 'nodes is {}, expected a list'],
    ['a node that is no object', (json) => json.nodes.push(null), 'nodes[2] is null, expected an object'],
    [
      'an extension that is not known',
      (json) => (json.extensionsRequired = ['KHR_new']),
      'the file needs the extension KHR_new, which is not read; export it without',
    ],
    [
      'Draco compression',
      (json) => (json.extensionsRequired = ['KHR_draco_mesh_compression']),
      'KHR_draco_mesh_compression is not read: export the model without Draco compression, or decompress it first',
    ],
    [
      'meshopt compression',
      (json) => (json.extensionsRequired = ['EXT_meshopt_compression']),
      'EXT_meshopt_compression is not read: export the model without meshopt compression, or decompress it first',
    ],
    [
      'Draco compression that is not declared as required',
      (json) => {
        json.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: { bufferView: 0, attributes: {} } };
        delete json.accessors[0].bufferView;
      },
      `${MESH}primitives[0]: KHR_draco_mesh_compression is not read: export the model without Draco compression, or decompress it first`,
    ],
    [
      'a buffer that meshopt has to fill',
      (json) => {
        json.buffers.push({ byteLength: 168, extensions: { EXT_meshopt_compression: { fallback: true } } });
        json.bufferViews[0].buffer = 1;
      },
      'node crate: buffers[1]: EXT_meshopt_compression is not read: export the model without meshopt compression, or decompress it first',
    ],
  ])('%s', async (_, change, message) => {
    expect(await changed(change)).toBe(message);
  });

  test('Draco compression beside data as they are is not used', async () => {
    const message = await changed((json) => {
      json.meshes[0].primitives[0].extensions = { KHR_draco_mesh_compression: { bufferView: 0, attributes: {} } };
    });
    expect(message).toBe('accepted');
  });

  test.each<[string, string, string]>([
    ['a list', '[]', 'the glTF file is [], expected an object'],
    ['a number', '5', 'the glTF file is 5, expected an object'],
    ['nothing', '', 'line 1, column 1: unexpected end of file, expected JSON'],
    ['text', 'hello there!', 'line 1, column 1: unexpected "hello there!", expected JSON'],
    [
      'a key twice',
      '{"asset":{},"asset":{}}',
      'line 1, column 13: the key "asset" is given twice in one object, expected once',
    ],
    [
      'nested without end',
      '{"asset":'.repeat(1.1e6),
      'line 1, column 9437185: brackets nested more than 1048576 deep, expected at most that',
    ],
  ])('JSON that is %s', async (_, text, message) => {
    expect(await refusal(new TextEncoder().encode(text), 'm.gltf')).toBe(message);
    expect(await refusal(withJson(glbOf({}), text), 'm.glb')).toBe(message);
  });
});
