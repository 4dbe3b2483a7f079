/** Compounds and meshes in JSON scenes. */

import { describe, expect, test } from 'vitest';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { readModel } from '../../cli/scene/models/read-model.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import { CUBE } from '../helpers/gltf.ts';

const BOX = { type: 'box', halfExtents: [1, 2, 3] };
const MESH = { type: 'mesh', ...CUBE };

function sceneOf(shape: object): string {
  return JSON.stringify({ version: 1, shapes: [shape], bodies: [{ shape: 0, position: [0, 0, 0] }], pairs: 'all' });
}

function rejection(shape: object): string {
  try {
    parseScene(sceneOf(shape));
  } catch (error) {
    if (!(error instanceof NarrowphaseError)) throw error;
    return error.message;
  }
  return 'accepted';
}

test('a compound keeps its parts, a mesh its vertices and triangles', () => {
  const compound = {
    type: 'compound',
    parts: [
      { shape: BOX, position: [1, 0, 0] },
      { shape: BOX, scale: 0.5 },
    ],
  };
  expect(parseScene(sceneOf(compound)).shapes).toEqual([compound]);
  const { shapes, shapeData } = parseScene(sceneOf(MESH));
  expect(shapes).toEqual([MESH]);
  expect(shapeData[0].boundingRadius).toBeCloseTo(Math.sqrt(3), 12);
});

test('hulls take the place of meshes, with the vertices that triangles use', async () => {
  const unused = { ...MESH, positions: [...CUBE.positions, 9, 9, 9] };
  const { scene } = await readModel('m.json', new TextEncoder().encode(sceneOf(unused)), { hulls: true });
  expect(scene.shapes).toEqual([{ type: 'hull', points: Float64Array.from(CUBE.positions) }]);
  expect(scene.shapeData[0].vertices).toHaveLength(24);
});

describe('a shape that is wrong is rejected with its path', () => {
  test.each<[object, string]>([
    [{ type: 'compound' }, 'shapes[0].parts is missing, expected the parts of a compound'],
    [
      { type: 'compound', parts: [] },
      'shapes[0].parts is [], expected an array of at least one { shape, position?, quaternion?, scale? }',
    ],
    [
      { type: 'compound', parts: [{ shape: { ...BOX, radius: -1 } }] },
      'shapes[0].parts[0].shape.radius is -1, expected a number of at least 0 within the range of f32',
    ],
    [
      { type: 'compound', parts: [{ shape: MESH }] },
      'shapes[0].parts[0].shape.type is "mesh", expected the type of a bounded convex shape',
    ],
    [
      { type: 'compound', parts: [{ shape: BOX, positon: [0, 0, 0] }] },
      "shapes[0].parts[0].positon is unknown for a part; did you mean 'position'?",
    ],
    [{ ...MESH, indices: [0, 1, 8] }, 'shapes[0].indices[2] is 8, expected a vertex below the 8 vertices'],
    [
      { ...MESH, indices: [0, 1] },
      'shapes[0].indices.length is 2, expected three vertices of at least one triangle, in a flat array of 3n numbers',
    ],
    [
      { ...MESH, indexes: [0, 1, 2] },
      "shapes[0].indexes is unknown for a shape of type 'mesh'; did you mean 'indices'?",
    ],
  ])('%j', (shape, message) => {
    expect(rejection(shape)).toBe(message);
  });
});
