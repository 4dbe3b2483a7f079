/** Shapes of KHR_implicit_shapes. */

import { describe, expect, test } from 'vitest';
import { collider, glbFile, modelOf, refusal, withShapes, type Json } from '../../helpers/gltf.ts';

/** The only body of a node with this implicit shape. */
async function bodyOf(shape: Json, node: Json = {}) {
  const gltf = withShapes(shape);
  gltf.root({ name: 'n', ...collider({ shape: 0 }), ...node });
  const { shapes, bodies, notes } = await modelOf(gltf);
  return { shape: shapes[0].description, body: bodies[0], notes };
}

async function refusalOf(shape: Json, node: Json = {}): Promise<string> {
  const gltf = withShapes(shape);
  gltf.root({ name: 'n', ...collider({ shape: 0 }), ...node });
  return refusal(glbFile(gltf));
}

const SHEAR = { matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] };

describe('implicit shapes', () => {
  test.each<[string, Json, Json]>([
    ['a box', { type: 'box', box: { size: [1, 2, 3] } }, { type: 'box', halfExtents: [0.5, 1, 1.5] }],
    ['a sphere', { type: 'sphere', sphere: { radius: 2 } }, { type: 'sphere', radius: 2 }],
    [
      'a capsule',
      { type: 'capsule', capsule: { height: 4, radiusBottom: 1, radiusTop: 1 } },
      { type: 'capsule', halfHeight: 2, radius: 1 },
    ],
    [
      'a cylinder',
      { type: 'cylinder', cylinder: { height: 4, radiusBottom: 1, radiusTop: 1 } },
      { type: 'cylinder', halfHeight: 2, radius: 1 },
    ],
    [
      'a cone',
      { type: 'cylinder', cylinder: { height: 4, radiusBottom: 1, radiusTop: 0 } },
      { type: 'cone', halfHeight: 2, radius: 1 },
    ],
    ['an endless plane', { type: 'plane', plane: {} }, { type: 'halfspace', normal: [0, 1, 0], offset: 0 }],
    ['a plane with sizes', { type: 'plane', plane: { sizeX: 4, sizeZ: 6 } }, { type: 'box', halfExtents: [2, 0, 3] }],
    ['a box of the default size', { type: 'box' }, { type: 'box', halfExtents: [0.5, 0.5, 0.5] }],
    ['a sphere of the default size', { type: 'sphere', sphere: {} }, { type: 'sphere', radius: 0.5 }],
    ['a capsule of the default size', { type: 'capsule' }, { type: 'capsule', halfHeight: 0.25, radius: 0.25 }],
    ['a cylinder of the default size', { type: 'cylinder' }, { type: 'cylinder', halfHeight: 0.25, radius: 0.25 }],
  ])('%s', async (_, shape, description) => {
    const made = await bodyOf(shape, { scale: [2, 2, 2], translation: [1, 2, 3] });
    expect(made.shape).toEqual(description);
    expect(made.body).toMatchObject({ position: [1, 2, 3], rotation: [0, 0, 0, 1], scale: 2 });
    expect(made.notes).toEqual([]);
  });

  test('a cone that stands on its tip is turned around', async () => {
    const { shape, body } = await bodyOf({ type: 'cylinder', cylinder: { height: 4, radiusBottom: 0, radiusTop: 1 } });
    expect(shape).toEqual({ type: 'cone', halfHeight: 2, radius: 1 });
    expect(body.rotation).toEqual([1, 0, 0, 0]);
  });

  test('scales multiply the sizes, mirrors do not change them', async () => {
    const scale = { scale: [2, -3, 4] };
    const box = await bodyOf({ type: 'box', box: { size: [1, 1, 1] } }, scale);
    expect(box.shape).toEqual({ type: 'box', halfExtents: [1, 1.5, 2] });
    expect(box.body.scale).toBe(1);
    const sphere = await bodyOf({ type: 'sphere', sphere: { radius: 1 } }, scale);
    expect(sphere.shape).toEqual({ type: 'ellipsoid', radii: [2, 3, 4] });
    const mirrored = await bodyOf({ type: 'sphere', sphere: { radius: 1 } }, { scale: [-2, -2, -2] });
    expect(mirrored.shape).toEqual({ type: 'sphere', radius: 2 });
    const cylinder = await bodyOf(
      { type: 'cylinder', cylinder: { height: 2, radiusBottom: 1, radiusTop: 1 } },
      { scale: [2, 3, -2] },
    );
    expect(cylinder.shape).toEqual({ type: 'cylinder', halfHeight: 3, radius: 2 });
  });

  test('a sheared box is the hull of its corners', async () => {
    const { shape, notes } = await bodyOf({ type: 'box', box: { size: [2, 2, 2] } }, SHEAR);
    const { points } = shape as unknown as { points: Float32Array };
    const corners = new Set(
      Array.from({ length: 8 }, (_, i) =>
        points
          .slice(3 * i, 3 * i + 3)
          .map((x) => x + 0)
          .join(' '),
      ),
    );
    const expected = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => `${x + y / 2} ${y} ${z}`)));
    expect(corners).toEqual(new Set(expected));
    expect(notes).toEqual([]);
  });

  test('a cylinder with unequal ends is a hull, with a note', async () => {
    const { shape, notes } = await bodyOf({
      type: 'cylinder',
      cylinder: { height: 2, radiusBottom: 1, radiusTop: 0.5 },
    });
    const { points } = shape as unknown as { points: Float32Array };
    expect(points).toHaveLength(2 * 256 * 3);
    for (let i = 0; i < points.length; i += 3) {
      const bottom = points[i + 1] < 0;
      expect(Math.abs(points[i + 1])).toBe(1);
      expect(Math.hypot(points[i], points[i + 2])).toBeCloseTo(bottom ? 1 : 0.5, 6);
    }
    expect(notes).toEqual([expect.stringMatching(/^cylinders with unequal ends or scales are hulls .*: node n$/)]);
  });

  test.each<[string, Json, Json, string]>([
    [
      'a capsule with unequal radii',
      { type: 'capsule', capsule: { radiusTop: 0.5 } },
      {},
      'a capsule has the radii 0.25 and 0.5, expected equal ones',
    ],
    [
      'a capsule with two scale factors',
      { type: 'capsule' },
      { scale: [1, 2, 1] },
      'a capsule is scaled differently along its axes, expected one scale factor',
    ],
    [
      'a sheared sphere',
      { type: 'sphere' },
      SHEAR,
      'a sphere is sheared by the scales of the nodes above, expected scales along its axes',
    ],
    [
      'a box of size 0',
      { type: 'box', box: { size: [1, 0, 1] } },
      {},
      'its box.size[1] is 0, expected a number above 0',
    ],
    [
      'a box of two sizes',
      { type: 'box', box: { size: [1, 1] } },
      {},
      'its box.size is [1,1], expected 3 finite numbers',
    ],
    [
      'a negative radius',
      { type: 'sphere', sphere: { radius: -1 } },
      {},
      'its sphere.radius is -1, expected a number above 0',
    ],
    [
      'a cylinder of radius 0',
      { type: 'cylinder', cylinder: { radiusTop: 0, radiusBottom: 0 } },
      {},
      'the larger radius of its cylinder is 0, expected a number above 0',
    ],
    [
      'a plane that is endless along x',
      { type: 'plane', plane: { sizeZ: 1 } },
      {},
      'a plane is endless along one axis only, expected both sizes or none',
    ],
    [
      'an endless plane with two sides',
      { type: 'plane', plane: { doubleSided: true } },
      {},
      'a plane is endless and has two sides, expected one side',
    ],
    [
      'a type that is not known',
      { type: 'torus' },
      {},
      'its shape has the type "torus", expected box, sphere, capsule, cylinder or plane',
    ],
  ])('%s is refused', async (_, shape, node, message) => {
    expect(await refusalOf(shape, node)).toBe(`node n: ${message}`);
  });
});
