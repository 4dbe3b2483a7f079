/** Colliders of KHR_physics_rigid_bodies. */

import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import type { CompoundDescription } from '../../../src/api/shapes.ts';
import type { Model } from '../../../cli/scene/models/model.ts';
import { readModel } from '../../../cli/scene/models/read-model.ts';
import {
  collider,
  CUBE,
  glbFile,
  modelOf,
  physics,
  refusal,
  withShapes,
  type GltfWriter,
  type Json,
  type MeshShape,
} from '../../helpers/gltf.ts';

/** Names of the bodies with the types of their shapes. */
function summary({ shapes, bodies }: Model): [string | undefined, string][] {
  return bodies.map(({ name, shape }) => [name.own, shapes[shape].description.type]);
}

function makeCrates(): GltfWriter {
  const gltf = withShapes({ type: 'box', box: { size: [2, 2, 2] } }, { type: 'sphere' });
  gltf.mesh('cube', CUBE.positions, CUBE.indices);
  return gltf;
}

/** The corners of a box. */
function corners(half: number[]): Vector3[] {
  const signs = [-1, 1];
  return signs.flatMap((x) =>
    signs.flatMap((y) => signs.map((z) => new Vector3(x * half[0], y * half[1], z * half[2]))),
  );
}

describe('colliders', () => {
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
    expect([0, 1, 2].map((i) => indices[half + i] - 8)).toEqual([0, 2, 1].map((i) => CUBE.indices[i]));
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
    const { parts } = model.shapes[0].description as CompoundDescription;
    expect(
      parts.map(({ shape, position, quaternion, scale }) => [
        shape.type,
        position,
        Array.from(quaternion!, Math.abs),
        scale,
      ]),
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

  test('of a rigid body that is stretched are where three.js has them', async () => {
    const gltf = makeCrates();
    const turn = new Quaternion().setFromAxisAngle(new Vector3(1, 2, 3).normalize(), 0.7);
    const root = { translation: [3, 4, 5], rotation: turn.toArray(), scale: [1, 2, 1] };
    const child = { translation: [0, 2, 1], rotation: [0, 0, 0.6, 0.8], scale: [1, 1, 0.5] };
    gltf.json.nodes.push(
      { name: 'body', ...root, children: [1, 2], ...physics({ motion: {} }) },
      { ...child, ...collider({ shape: 0 }) },
      { translation: [0, -2, 0], ...collider({ shape: 0 }) },
    );
    gltf.json.scenes[0].nodes = [0];
    const { shapes, bodies } = await modelOf(gltf);
    const matrixOf = ({ translation, rotation, scale }: typeof root): Matrix4 =>
      new Matrix4().compose(new Vector3(...translation), new Quaternion(...rotation), new Vector3(...scale));
    const world = matrixOf(root).multiply(matrixOf(child as typeof root));
    const expected = corners([1, 1, 1]).map((corner) => corner.applyMatrix4(world));
    const [{ shape, position, quaternion }] = (shapes[0].description as CompoundDescription).parts;
    const points = Array.from((shape as { points: ArrayLike<number> }).points);
    const { position: at, rotation } = bodies[0];
    const found = Array.from({ length: 8 }, (_, i) =>
      new Vector3(...points.slice(3 * i, 3 * i + 3))
        .applyQuaternion(new Quaternion(...Array.from(quaternion!)))
        .add(new Vector3(...Array.from(position!)))
        .applyQuaternion(new Quaternion(...rotation))
        .add(new Vector3(...at)),
    );
    for (const corner of expected)
      expect(Math.min(...found.map((point) => point.distanceTo(corner)))).toBeLessThan(3e-6);
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
    const count = 4000;
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
