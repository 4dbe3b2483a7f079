/** The same questions to three-mesh-bvh and Rapier. */
import { ColliderDesc, init, World } from '@dimforge/rapier3d-compat';
import { BufferAttribute, BufferGeometry, Matrix4 } from 'three';
import { MeshBVH, SAH, type HitPointInfo } from 'three-mesh-bvh';
import type { Triangles } from '../../../src/bvh/build-tree.ts';
import type { Pose } from './poses.ts';

/** What answers one question about a pose. */
export interface Peer {
  readonly name: string;
  readonly ask: (pose: number) => number | boolean;
}

export interface Peers {
  /** Whether the meshes intersect. */
  readonly intersects: readonly Peer[];
  /** Their distance. */
  readonly distance: readonly Peer[];
}

/** Peers with the mesh and the poses in their own form. */
export async function openPeers({ positions, indices }: Triangles, poses: readonly Pose[]): Promise<Peers> {
  const vertices = Float32Array.from(positions);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(vertices, 3));
  geometry.setIndex(new BufferAttribute(indices.slice(), 1));
  const bvh = new MeshBVH(geometry, { strategy: SAH });
  (geometry as BufferGeometry & { boundsTree: MeshBVH }).boundsTree = bvh;
  const matrices = poses.map(({ rotation: r, translation: t }) =>
    new Matrix4().set(r[0], r[3], r[6], t[0], r[1], r[4], r[7], t[1], r[2], r[5], r[8], t[2], 0, 0, 0, 1),
  );
  const pointA = {} as HitPointInfo;
  const pointB = {} as HitPointInfo;

  await init();
  const world = new World({ x: 0, y: 0, z: 0 });
  const description = ColliderDesc.trimesh(vertices, indices);
  const [fixed, moved] = [world.createCollider(description), world.createCollider(description)];
  return {
    intersects: [
      {
        name: 'three-mesh-bvh `intersectsGeometry`',
        ask: (pose) => bvh.intersectsGeometry(geometry, matrices[pose]),
      },
      {
        name: 'three-mesh-bvh `bvhcast`',
        ask: (pose) => bvh.bvhcast(bvh, matrices[pose], { intersectsTriangles: (a, b) => a.intersectsTriangle(b) }),
      },
      {
        name: 'Rapier `contactCollider`',
        ask: (pose) => {
          const [x, y, z, w] = poses[pose].quaternion;
          const [tx, ty, tz] = poses[pose].translation;
          moved.setTranslation({ x: tx, y: ty, z: tz });
          moved.setRotation({ x, y, z, w });
          const contact = fixed.contactCollider(moved, 0);
          return contact !== null && contact.distance <= 0;
        },
      },
    ],
    distance: [
      {
        name: 'three-mesh-bvh `closestPointToGeometry`',
        ask: (pose) => bvh.closestPointToGeometry(geometry, matrices[pose], pointA, pointB)!.distance,
      },
    ],
  };
}
