/** Colliders of KHR_physics_rigid_bodies and shapes of KHR_implicit_shapes. */

import { describe, expect, test } from 'vitest';
import type { CompoundShape, MeshShape, Model } from '../../../src/scene/models/model.ts';
import { readModel } from '../../../src/scene/models/read-model.ts';
import { CUBE, glbFile, makeGltf, modelOf, refusal, type GltfWriter, type Json } from '../../helpers/gltf.ts';

const withShapes = (...shapes: Json[]): GltfWriter => {
  const gltf = makeGltf();
  gltf.json.extensions = { KHR_implicit_shapes: { shapes } };
  return gltf;
};

const physics = (fields: Json): Json => ({ extensions: { KHR_physics_rigid_bodies: fields } });
const collider = (geometry: Json, more: Json = {}): Json => physics({ collider: { geometry }, ...more });

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

/** Names of the bodies with the types of their shapes. */
function summary({ shapes, bodies }: Model): [string | undefined, string][] {
  return bodies.map(({ name, shape }) => [name.own, shapes[shape].description.type]);
}

describe('colliders', () => {
  const makeCrates = (): GltfWriter => {
    const gltf = withShapes({ type: 'box', box: { size: [2, 2, 2] } }, { type: 'sphere' });
    gltf.mesh('cube', CUBE.positions, CUBE.indices);
    return gltf;
  };

  test('take the place of the mesh of their node; other meshes are bodies beside them', async () => {
    const gltf = makeCrates();
    gltf.root({ name: 'a', mesh: 0, ...collider({ shape: 0 }) });
    gltf.root({ name: 'b', mesh: 0 });
    const model = await modelOf(gltf);
    expect(summary(model)).toEqual([
      ['a', 'box'],
      ['b', 'mesh'],
    ]);
  });

  test('that are meshes are the mesh of the node that they name, or its hull', async () => {
    const gltf = makeCrates();
    gltf.root({ name: 'a', mesh: 0, ...collider({ node: 0 }) });
    gltf.root({ name: 'b', mesh: 0, translation: [9, 0, 0], ...collider({ node: 1, convexHull: true }) });
    gltf.root({ name: 'c', ...collider({ node: 1, convexHull: false }) });
    const model = await modelOf(gltf);
    expect(summary(model)).toEqual([
      ['a', 'mesh'],
      ['b', 'hull'],
      ['c', 'mesh'],
    ]);
    expect(model.bodies.map(({ position, shape }) => [position[0], shape])).toEqual([
      [0, 0],
      [9, 1],
      [0, 0],
    ]);
    expect(summary(await modelOf(gltf, { hulls: true })).map(([, type]) => type)).toEqual(['hull', 'hull', 'hull']);
  });

  test('that are meshes have the meshes below the node that they name', async () => {
    const gltf = makeCrates();
    gltf.json.nodes.push(
      { name: 'parts', children: [1, 2], translation: [50, 0, 0] },
      { mesh: 0, translation: [-5, 0, 0] },
      { mesh: 0, translation: [5, 0, 0], scale: [1, 1, -1] },
    );
    gltf.root({ name: 'a', ...collider({ node: 0 }), translation: [0, 7, 0] });
    const { shapes, bodies } = await modelOf(gltf);
    expect(bodies[0].position).toEqual([0, 7, 0]);
    const { positions, indices } = shapes[0].description as MeshShape;
    expect(indices).toHaveLength(2 * CUBE.indices.length);
    expect([Math.min(...positions), Math.max(...positions)]).toEqual([-6, 6]);
    // The second cube is mirrored, so its triangles are turned.
    const half = CUBE.indices.length;
    expect([...indices.slice(half, half + 3)]).toEqual(
      [0, 3, 2].map((i) => 8 + CUBE.indices[[0, 2, 1][[0, 3, 2].indexOf(i)]]),
    );
  });

  test('of a rigid body are the parts of one compound, in the frame of the body', async () => {
    const gltf = makeCrates();
    const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    gltf.json.nodes.push(
      {
        name: 'hammer',
        mesh: 0,
        translation: [10, 0, 0],
        rotation: quarter,
        children: [1, 2, 3],
        ...physics({ motion: { mass: 1 } }),
      },
      { name: 'head', translation: [0, 3, 0], ...collider({ shape: 0 }) },
      {
        name: 'grip',
        translation: [0, -3, 0],
        scale: [0.5, 0.5, 0.5],
        mesh: 0,
        ...collider({ node: 2, convexHull: true }),
      },
      { name: 'look', mesh: 0 },
    );
    gltf.json.scenes[0].nodes = [0];
    const model = await modelOf(gltf);
    expect(summary(model)).toEqual([['hammer', 'compound']]);
    const { parts } = model.shapes[0].description as CompoundShape;
    expect(
      parts.map(({ shape, position, quaternion, scale }) => [shape.type, position, quaternion.map(Math.abs), scale]),
    ).toEqual([
      ['box', [0, 3, 0], [0, 0, 0, 1], 1],
      ['hull', [0, -3, 0], [0, 0, 0, 1], 0.5],
    ]);
    expect(model.bodies[0]).toMatchObject({ position: [10, 0, 0], rotation: quarter, scale: 1 });
    expect(model.notes).toEqual([
      'motion is not simulated: node hammer',
      'meshes that colliders stand for are left out: node hammer and 1 more',
    ]);
  });

  test('of equal rigid bodies share one compound', async () => {
    const gltf = makeCrates();
    const table = (x: number): Json[] => {
      const first = gltf.json.nodes.length;
      return [
        {
          translation: [x, 0.1, 0.7],
          rotation: [0, Math.sin(x), 0, Math.cos(x)],
          children: [first + 1, first + 2],
          ...physics({ motion: {} }),
        },
        { translation: [0, 1.3, 0], ...collider({ shape: 0 }) },
        { translation: [0.3, 0, 0], ...collider({ shape: 1 }) },
      ];
    };
    for (const x of [0.1, 5, 9]) {
      gltf.json.scenes[0].nodes.push(gltf.json.nodes.length);
      gltf.json.nodes.push(...table(x));
    }
    const { shapes, bodies } = await modelOf(gltf);
    expect(bodies).toHaveLength(3);
    expect(shapes).toHaveLength(1);
  });

  test('a rigid body with one collider has it as its shape; a rigid body below another is its own', async () => {
    const gltf = makeCrates();
    gltf.json.nodes.push(
      { name: 'truck', children: [1, 2], ...physics({ motion: {} }) },
      { name: 'chassis', translation: [0, 1, 0], ...collider({ shape: 0 }) },
      { name: 'wheel', translation: [0, -1, 0], ...collider({ shape: 1 }, { motion: {} }) },
    );
    gltf.json.scenes[0].nodes = [0];
    const model = await modelOf(gltf);
    expect(summary(model)).toEqual([
      ['truck', 'box'],
      ['wheel', 'sphere'],
    ]);
    expect(model.bodies.map(({ position }) => position[1])).toEqual([1, -1]);
  });

  test('that are meshes of one rigid body are put together', async () => {
    const gltf = makeCrates();
    gltf.json.nodes.push(
      { name: 'pair', translation: [100, 0, 0], scale: [2, 2, 2], children: [1, 2], ...physics({ motion: {} }) },
      { mesh: 0, translation: [-2, 0, 0], ...collider({ node: 1 }) },
      { mesh: 0, translation: [2, 0, 0], ...collider({ node: 2 }) },
    );
    gltf.json.scenes[0].nodes = [0];
    const model = await modelOf(gltf);
    expect(summary(model)).toEqual([['pair', 'mesh']]);
    const { positions } = model.shapes[0].description as MeshShape;
    expect([Math.min(...positions), Math.max(...positions)]).toEqual([-3, 3]);
    expect(model.bodies[0]).toMatchObject({ position: [100, 0, 0], scale: 2 });
    gltf.json.nodes[1] = { name: 'ball', ...collider({ shape: 1 }) };
    expect(await refusal(glbFile(gltf), 'm.glb', {})).toBe(
      'node pair: has colliders that are meshes beside convex ones, expected convexHull for all meshes or the option --hulls',
    );
    expect(summary(await modelOf(gltf, { hulls: true }))).toEqual([['pair', 'compound']]);
  });

  test('without motion are bodies each; meshes above and below are their look', async () => {
    const gltf = makeCrates();
    gltf.json.nodes.push(
      { name: 'floor', mesh: 0, children: [1, 2] },
      { name: 'slab', translation: [0, -1, 0], ...collider({ shape: 0 }), children: [3] },
      { name: 'rug', ...collider({ shape: 1 }) },
      { name: 'tile', mesh: 0 },
    );
    gltf.json.scenes[0].nodes = [0];
    const model = await modelOf(gltf);
    expect(summary(model)).toEqual([
      ['slab', 'box'],
      ['rug', 'sphere'],
    ]);
    expect(model.notes).toEqual(['meshes that colliders stand for are left out: node floor and 1 more']);
  });

  test('triggers, joints and filters are left out, with notes', async () => {
    const gltf = makeCrates();
    gltf.root({ name: 'zone', ...physics({ trigger: { geometry: { shape: 0 } } }) });
    gltf.root({
      name: 'door',
      ...physics({ collider: { geometry: { shape: 0 }, collisionFilter: 0 }, joint: { connectedNode: 0 } }),
    });
    const model = await modelOf(gltf);
    expect(summary(model)).toEqual([['door', 'box']]);
    expect(model.notes).toEqual([
      'triggers are left out: node zone',
      'joints are left out: node door',
      'collision filters are not used: node door',
    ]);
  });

  test('of scale 0 are left out', async () => {
    const gltf = makeCrates();
    gltf.root({ name: 'off', scale: [0, 0, 0], ...collider({ shape: 0 }) });
    gltf.root({ name: 'on', ...collider({ shape: 0 }) });
    expect(summary(await modelOf(gltf))).toEqual([['on', 'box']]);
  });

  test.each<[string, Json, string]>([
    ['without geometry', physics({ collider: {} }), 'collider.geometry is undefined, expected an object'],
    ['with two geometries', collider({ shape: 0, node: 0 }), 'collider.geometry has to have either shape or node'],
    [
      'with an unknown shape',
      collider({ shape: 2 }),
      'collider.geometry.shape is 2, expected a shape index from 0 to 1',
    ],
    ['with an unknown node', collider({ node: 2 }), 'collider.geometry.node is 2, expected a node index from 0 to 0'],
    [
      'with convexHull as text',
      collider({ node: 0, convexHull: 'yes' }),
      'collider.geometry.convexHull is "yes", expected true or false',
    ],
  ])('%s are refused', async (_, node, message) => {
    const gltf = makeCrates();
    gltf.root({ name: 'n', ...node });
    expect(await refusal(glbFile(gltf))).toBe(`node n: ${message}`);
  });

  test('that name chains of nodes below each other are refused before they take hours', async () => {
    const gltf = makeCrates();
    const count = 10_000;
    for (let i = 0; i < count; i++)
      gltf.json.nodes.push({ ...collider({ node: i }), ...(i + 1 < count && { children: [i + 1] }) });
    gltf.json.scenes[0].nodes = [0];
    expect(await refusal(glbFile(gltf))).toMatch(
      /^node \d+: the nodes of colliders have more than 4000000 nodes below them/,
    );
  });
});

test('boxes as colliders are the same scene as boxes in JSON', async () => {
  const gltf = withShapes({ type: 'box', box: { size: [1, 2, 3] } });
  const rotation = [0.1, 0.2, 0.3, 0.9];
  gltf.root({ name: 'left', translation: [0.1, 0.2, 0.3], ...collider({ shape: 0 }) });
  gltf.root({ name: 'right', translation: [1, 0, 0], rotation, scale: [0.3, 0.3, 0.3], ...collider({ shape: 0 }) });
  const json = {
    version: 1,
    shapes: [{ type: 'box', halfExtents: [0.5, 1, 1.5] }],
    bodies: [
      { name: 'left', shape: 0, position: [0.1, 0.2, 0.3] },
      { name: 'right', shape: 0, position: [1, 0, 0], quaternion: rotation, scale: 0.3 },
    ],
    pairs: 'broad-phase',
  };
  const model = await readModel('boxes.glb', glbFile(gltf));
  expect(model).toEqual(await readModel('boxes.json', new TextEncoder().encode(JSON.stringify(json))));
});
