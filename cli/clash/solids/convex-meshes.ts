/**
 * Closed convex meshes, such as most parts of buildings, made hulls. Their depths are then exact, and quicker to find. A
 * mesh is convex if no edge is bent inwards and all its vertices and the centres of its triangles are on its hull, up to a
 * millionth of its size.
 */

import { NarrowphaseError } from '../../../src/api/errors.ts';
import type { ShapeDescription } from '../../../src/api/shapes.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Mesh } from '../../../src/shapes/parts.ts';
import { makeShapeData, type ShapeData } from '../../../src/shapes/shape-data.ts';
import { topologyOf, type MeshTopology } from './mesh-topology.ts';

const FLAT = 1e-6;

/** The scene with hulls in place of convex meshes, and what the other meshes enclose. */
export interface SolidScene {
  scene: Scene;
  topologies: ReadonlyMap<Mesh, MeshTopology>;
}

export function withHulls(scene: Scene): SolidScene {
  const topologies = new Map<Mesh, MeshTopology>();
  const shapes: ShapeDescription[] = [];
  const shapeData: ShapeData[] = [];
  scene.shapeData.forEach((data, i) => {
    const mesh = data.parts?.type === 'mesh' ? data.parts : undefined;
    const topology = mesh && topologyOf(mesh);
    const hull = mesh && topology && hullOf(mesh, topology);
    shapes.push(hull?.description ?? scene.shapes[i]);
    shapeData.push(hull?.data ?? data);
    if (mesh && topology && !hull) topologies.set(mesh, topology);
  });
  return { scene: { ...scene, shapes, shapeData }, topologies };
}

function hullOf(mesh: Mesh, topology: MeshTopology): { description: ShapeDescription; data: ShapeData } | undefined {
  const { isClosed, isOriented, isConvexAtEdges, components, vertices } = topology;
  if (!isClosed || !isOriented || !isConvexAtEdges || components.length !== 1) return undefined;
  const points = Float32Array.from({ length: 3 * vertices.length }, (_, i) => {
    return mesh.positions[3 * vertices[Math.floor(i / 3)] + (i % 3)];
  });
  const description = { type: 'hull', points } as const;
  try {
    const data = makeShapeData(description);
    return isOnHull(mesh, data) ? { description, data } : undefined;
  } catch (error) {
    // The hull has too many vertices. The mesh stays as it is.
    if (error instanceof NarrowphaseError) return undefined;
    throw error;
  }
}

function isOnHull({ positions, indices }: Mesh, { facePlanes, boundingRadius }: ShapeData): boolean {
  const isOn = (x: number, y: number, z: number): boolean => {
    for (let f = 0; f < facePlanes.length; f += 4) {
      const height = facePlanes[f] * x + facePlanes[f + 1] * y + facePlanes[f + 2] * z - facePlanes[f + 3];
      if (height >= -FLAT * boundingRadius) return true;
    }
    return false;
  };
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    for (const v of [a, b, c]) if (!isOn(positions[v], positions[v + 1], positions[v + 2])) return false;
    const [x, y, z] = [0, 1, 2].map((k) => (positions[a + k] + positions[b + k] + positions[c + k]) / 3);
    if (!isOn(x, y, z)) return false;
  }
  return true;
}
