/**
 * Colliders of KHR_physics_rigid_bodies, and which nodes belong to the same rigid body: a node with `motion` and all
 * below it, down to the next nodes with `motion`.
 */

import { invalidInput } from '../../../../src/api/errors.ts';
import { checkIndex, checkObject } from '../../../../src/util/json-fields.ts';
import type { Notes } from '../notes.ts';
import { refuse, within } from '../refusal.ts';
import { extensionOf, nodeLabel, type Gltf } from './document.ts';
import type { PlacedNode, Tree } from './graph.ts';

export type Collider = { shape: number } | { node: number; convexHull: boolean };

export interface Physics {
  /** Collider per node, if it has one. */
  colliders: Map<number, Collider>;
  /** The node of the rigid body that a node belongs to, if any. */
  rigidBodies: Map<number, number>;
  /** Nodes with meshes that only show what colliders stand for. */
  shown: Set<number>;
}

const EXTENSION = 'KHR_physics_rigid_bodies';

/** `order`: the nodes of the scene, each after its parent. */
export function readPhysics(
  gltf: Gltf,
  { parents, children }: Tree,
  order: readonly PlacedNode[],
  notes: Notes,
): Physics {
  const colliders = new Map<number, Collider>();
  const rigidBodies = new Map<number, number>();
  const withColliders = new Set<number>();
  const moving = new Set<number>();
  for (const { node } of order) {
    const { hasMotion, collider } = within(nodeLabel(gltf, node), () => readNode(gltf, node, notes));
    if (hasMotion) moving.add(node);
    const body = hasMotion ? node : rigidBodies.get(parents[node]);
    if (body !== undefined) rigidBodies.set(node, body);
    if (!collider) continue;
    colliders.set(node, collider);
    if (body !== undefined) withColliders.add(body);
  }
  const isBelowCollider = new Set<number>();
  const shown = new Set<number>();
  for (const { node } of order) {
    const parent = parents[node];
    if (!moving.has(node) && (colliders.has(parent) || isBelowCollider.has(parent))) isBelowCollider.add(node);
    if (gltf.nodes[node].mesh === undefined || colliders.has(node)) continue;
    const stands = (child: number): boolean =>
      colliders.has(child) && !moving.has(child) && gltf.nodes[child].mesh === undefined;
    const isOfBody = withColliders.has(rigidBodies.get(node) ?? -1);
    if (isOfBody || isBelowCollider.has(node) || children[node].some(stands)) shown.add(node);
  }
  return { colliders, rigidBodies, shown };
}

function readNode(gltf: Gltf, node: number, notes: Notes): { hasMotion: boolean; collider?: Collider } {
  const physics = extensionOf(gltf.nodes[node], EXTENSION);
  if (!physics) return { hasMotion: false };
  const { motion, collider, trigger, joint } = physics;
  const label = nodeLabel(gltf, node);
  if (trigger !== undefined) notes.add('triggers are left out', label);
  if (motion !== undefined) notes.add('motion is not simulated', label);
  if (joint !== undefined) notes.add('joints are left out', label);
  if (collider === undefined) return { hasMotion: motion !== undefined };
  const { geometry, collisionFilter } = checkObject(collider, 'collider');
  if (collisionFilter !== undefined) notes.add('collision filters are not used', label);
  return { hasMotion: motion !== undefined, collider: readGeometry(gltf, geometry) };
}

function readGeometry(gltf: Gltf, value: unknown): Collider {
  const { shape, node, convexHull = false } = checkObject(value, 'collider.geometry');
  if ((shape === undefined) === (node === undefined)) refuse('collider.geometry has to have either shape or node');
  if (shape !== undefined) {
    return { shape: checkIndex(shape, 'collider.geometry.shape', gltf.implicitShapes.length, 'shape') };
  }
  if (typeof convexHull !== 'boolean') invalidInput('collider.geometry.convexHull', convexHull, 'true or false');
  return { node: checkIndex(node, 'collider.geometry.node', gltf.nodes.length, 'node'), convexHull };
}
