/** Which meshes count as closed in the clash check: geometries of three.js, whose seams differ by rounding. */
import * as three from 'three';
import { describe, expect, test } from 'vitest';
import { topologyOf } from '../../../cli/clash/solids/mesh-topology.ts';
import type { MeshDescription } from '../../../src/api/shapes.ts';
import type { Mesh } from '../../../src/shapes/parts.ts';
import { makeShapeData } from '../../../src/shapes/shape-data.ts';
import { clashOfTwo } from '../../helpers/clashes.ts';

function meshOf(geometry: three.BufferGeometry, isRounded = true): MeshDescription {
  const positions = Array.from(geometry.getAttribute('position').array, isRounded ? Math.fround : Number);
  const indices = Array.from(geometry.index?.array ?? Array(positions.length / 3).keys());
  return { type: 'mesh', positions, indices };
}

const topologyOfMesh = (description: MeshDescription) => topologyOf(makeShapeData(description).parts as Mesh);

const profile = [0, 0.4, 0.5, 0.5, 0.3, 0].map((x, i) => new three.Vector2(x, 0.2 * i - 0.5));
const outline = new three.Shape(
  [0, 1, 2, 3, 4].map((i) => new three.Vector2(Math.cos(1.2566 * i), Math.sin(1.2566 * i))),
);
const path = new three.CatmullRomCurve3(
  [0, 1, 2, 3].map((i) => new three.Vector3(Math.cos(1.5708 * i), 0.2 * i, Math.sin(1.5708 * i))),
  true,
);

/** Each with a point inside. */
const CLOSED: Record<string, readonly [three.BufferGeometry, readonly [number, number, number]]> = {
  box: [new three.BoxGeometry(1, 2, 3, 2, 3, 4), [0, 0, 0]],
  sphere: [new three.SphereGeometry(1, 32, 16), [0, 0, 0]],
  cylinder: [new three.CylinderGeometry(0.5, 0.7, 2, 32, 3), [0, 0, 0]],
  cone: [new three.ConeGeometry(1, 2, 24), [0, -0.5, 0]],
  capsule: [new three.CapsuleGeometry(0.5, 1, 8, 24), [0, 0, 0]],
  torus: [new three.TorusGeometry(1, 0.3, 12, 40), [1, 0, 0]],
  'torus knot': [new three.TorusKnotGeometry(1, 0.2, 100, 12), [1.5, 0, 0]],
  lathe: [new three.LatheGeometry(profile, 24), [0, 0, 0]],
  tube: [new three.TubeGeometry(path, 60, 0.2, 10, true), [1, 0, 0]],
  extrusion: [new three.ExtrudeGeometry(outline, { depth: 1, bevelEnabled: false }), [0, 0, 0.5]],
  icosahedron: [new three.IcosahedronGeometry(1, 2), [0, 0, 0]],
  dodecahedron: [new three.DodecahedronGeometry(1, 1), [0, 0, 0]],
};
const OPEN: Record<string, three.BufferGeometry> = {
  plane: new three.PlaneGeometry(1, 1, 3, 3),
  ring: new three.RingGeometry(0.5, 1, 16),
  'a cylinder without caps': new three.CylinderGeometry(1, 1, 1, 16, 1, true),
  'half a sphere': new three.SphereGeometry(1, 16, 8, 0, Math.PI),
};

describe.each(Object.entries(CLOSED))('a %s', (_, [geometry, inside]) => {
  test('is closed, with seams in f32 and in double precision', () => {
    for (const isRounded of [true, false]) {
      const { isClosed, isOriented, components } = topologyOfMesh(meshOf(geometry, isRounded));
      expect({ isClosed, isOriented, components: components.length }).toEqual({
        isClosed: true,
        isOriented: true,
        components: 1,
      });
    }
  });

  test('contains a ball', async () => {
    const ball = { shape: { type: 'sphere', radius: 0.05 }, position: [...inside] } as const;
    const found = await clashOfTwo({ shape: meshOf(geometry) }, ball, { tolerance: 1e-3 });
    expect(found).toMatchObject({ category: 'contained', inside: 'b' });
  });
});

test.each(Object.entries(OPEN))('%s is open', (_, geometry) => {
  expect(topologyOfMesh(meshOf(geometry)).isClosed).toBe(false);
});

test('a gap wider than the weld tolerance leaves a mesh open', () => {
  const mesh = meshOf(new three.BoxGeometry(2, 2, 2).toNonIndexed());
  const positions = Array.from(mesh.positions);
  positions[0] += 4e-7;
  expect(topologyOfMesh({ ...mesh, positions }).isClosed).toBe(true);
  positions[0] += 4e-6;
  expect(topologyOfMesh({ ...mesh, positions }).isClosed).toBe(false);
});

test('two cylinders of three.js have the depth of the solids', async () => {
  const shape = meshOf(new three.CylinderGeometry(0.5, 0.5, 2, 64));
  const found = await clashOfTwo({ shape }, { shape, position: [0, 1.97, 0] }, { tolerance: 1e-3 });
  expect(found).toMatchObject({ category: 'overlap', source: 'exact' });
  expect(found!.distance).toBeCloseTo(-0.03, 6);
});
