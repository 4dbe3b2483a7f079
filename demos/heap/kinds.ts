/**
 * Kinds of bodies that have different colours on the page: chunks of each mesh, by name, and the rest by shape type.
 */

import type { Scene } from '../../cli/scene/scene.ts';
import { bodyName } from './contact-list.ts';

export type Kind =
  | 'bunny'
  | 'teapot'
  | 'hull'
  | 'box'
  | 'capsule'
  | 'sphere'
  | 'triangle'
  | 'cylinder'
  | 'cone'
  | 'ellipsoid'
  | 'halfspace'
  | 'compound'
  | 'mesh'
  | 'floor';

export const KIND_NAMES: Record<Kind, string> = {
  bunny: 'Bunny chunks',
  teapot: 'Teapot chunks',
  hull: 'Hulls',
  box: 'Boxes',
  capsule: 'Capsules',
  sphere: 'Spheres',
  triangle: 'Triangles',
  cylinder: 'Cylinders',
  cone: 'Cones',
  ellipsoid: 'Ellipsoids',
  halfspace: 'Half-spaces',
  compound: 'Compounds',
  mesh: 'Meshes',
  floor: 'Floor tiles',
};

export function kindOf(scene: Scene, body: number): Kind {
  const name = bodyName(scene, body);
  if (name.startsWith('tile ')) return 'floor';
  if (name.startsWith('bunny')) return 'bunny';
  if (name.startsWith('teapot')) return 'teapot';
  return scene.shapes[scene.bodies.shapes[body]].type;
}

/** The number of bodies of each kind. Kinds without bodies are left out. */
export function countKinds(scene: Scene): { kind: Kind; count: number }[] {
  const counts = new Map<Kind, number>();
  for (let body = 0; body < scene.bodies.shapes.length; body++) {
    const kind = kindOf(scene, body);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return (Object.keys(KIND_NAMES) as Kind[]).flatMap((kind) => {
    const count = counts.get(kind);
    return count === undefined ? [] : [{ kind, count }];
  });
}
