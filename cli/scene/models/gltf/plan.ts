/**
 * The bodies of a glTF scene, before their vertices are read: which nodes are bodies, what each consists of, and the
 * accessors for it. A node with a mesh is a body. A node with a collider is that collider. The colliders of a rigid body
 * are parts of one body.
 */

import { invalidInput } from '../../../../src/api/errors.ts';
import type { BodyName } from '../body-names.ts';
import type { Notes } from '../notes.ts';
import { refuseAsTooLarge, within } from '../refusal.ts';
import { compose, IDENTITY, type Transform } from '../transform.ts';
import { checkIndex } from '../../../../src/util/json-fields.ts';
import type { AccessorTable } from './accessors.ts';
import { readPhysics, type Collider } from './colliders.ts';
import { planSkin, type SkinPlan } from './deform.ts';
import { listOf, nodeLabel, optionalIndex, type Gltf } from './document.ts';
import { bodyName, localTransform, walk, type PlacedNode, type Tree } from './graph.ts';
import { planInstances, type InstancesPlan } from './instances.ts';
import { planMesh, type MeshPlan } from './meshes.ts';

/** A mesh in the frame of a geometry. */
export interface PlannedPiece {
  mesh: MeshPlan;
  /** Its vertices are in the scene's frame, whatever the node's transform is. */
  skin?: SkinPlan;
  transform: Transform;
}

/** Meshes as one, or their hull. Geometries with equal keys are equal. */
export interface MeshGeometry {
  key: string;
  pieces: PlannedPiece[];
  isHull: boolean;
}

/** A shape of KHR_implicit_shapes, or meshes. */
export type Geometry = { shape: number } | MeshGeometry;

export interface PlannedPart {
  /** Names the node in errors. */
  label: string;
  geometry: Geometry;
  /** From the geometry's frame to the scene's. */
  transform: Transform;
  /** From the geometry's frame to that of the body's node. */
  local: Transform;
}

export interface PlannedBody {
  name: BodyName;
  label: string;
  /** From the body's node to the scene. */
  frame: Transform;
  parts: PlannedPart[];
  instances?: InstancesPlan;
}

interface Planning {
  gltf: Gltf;
  tree: Tree;
  table: AccessorTable;
  notes: Notes;
  meshes: Map<string, MeshPlan>;
  skins: Map<number, SkinPlan>;
  /** Geometries of colliders by node. */
  subtrees: Map<number, { key: string; pieces: PlannedPiece[] }>;
  /** Nodes that were visited for colliders. */
  visits: number;
}

/** Colliders may name nodes that are below each other. This many visits take seconds. */
const MAX_VISITS = 4_000_000;

/** `order`: the nodes of the scene, each after its parent. `user` is told which node is being planned. */
export function planBodies(
  gltf: Gltf,
  tree: Tree,
  order: readonly PlacedNode[],
  table: AccessorTable,
  notes: Notes,
  user: { label: string },
): PlannedBody[] {
  const planning: Planning = {
    gltf,
    tree,
    table,
    notes,
    meshes: new Map(),
    skins: new Map(),
    subtrees: new Map(),
    visits: 0,
  };
  const { colliders, rigidBodies, shown } = readPhysics(gltf, tree, order, notes);
  const bodies: PlannedBody[] = [];
  const byRigidBody = new Map<number, PlannedBody>();
  const worlds = new Map(order.map(({ node, transform }) => [node, transform]));
  /** Transforms to the frames of rigid bodies. */
  const locals = new Map<number, Transform>();
  for (const { node, transform } of order) {
    user.label = nodeLabel(gltf, node);
    const above = rigidBodies.get(node) === node ? undefined : locals.get(tree.parents[node]);
    if (rigidBodies.has(node)) locals.set(node, above ? compose(above, localTransform(gltf, node)) : IDENTITY);
    within(user.label, () => {
      const collider = colliders.get(node);
      if (collider) {
        const geometry = colliderGeometry(planning, collider);
        const part = { label: user.label, geometry, transform, local: locals.get(node) ?? IDENTITY };
        const owner = rigidBodies.get(node) ?? node;
        const body = byRigidBody.get(owner);
        if (body) body.parts.push(part);
        else {
          const label = nodeLabel(gltf, owner);
          const made = { name: bodyName(gltf, tree, owner), label, frame: worlds.get(owner)!, parts: [part] };
          byRigidBody.set(owner, made);
          bodies.push(made);
        }
      } else if (gltf.nodes[node].mesh !== undefined) {
        if (shown.has(node)) notes.add('meshes that colliders stand for are left out', user.label);
        else bodies.push(meshBody(planning, node, transform));
      }
    });
  }
  return bodies;
}

function meshBody(planning: Planning, node: number, world: Transform): PlannedBody {
  const { gltf, tree, table } = planning;
  const label = nodeLabel(gltf, node);
  const { key, pieces } = nodeMesh(planning, node, true);
  const transform = pieces[0].skin ? IDENTITY : world;
  return {
    name: bodyName(gltf, tree, node),
    label,
    frame: transform,
    parts: [{ label, geometry: { key, pieces, isHull: false }, transform, local: IDENTITY }],
    instances: planInstances(gltf, node, table),
  };
}

function colliderGeometry(planning: Planning, collider: Collider): Geometry {
  if ('shape' in collider) return collider;
  const { subtrees, gltf, tree } = planning;
  let subtree = subtrees.get(collider.node);
  if (!subtree) {
    const below = walk(gltf, tree, [{ node: collider.node, transform: IDENTITY }]);
    planning.visits += below.length;
    if (planning.visits > MAX_VISITS) {
      refuseAsTooLarge(`the nodes of colliders have more than ${MAX_VISITS} nodes below them, expected at most that`);
    }
    const nodes = below.filter(({ node }) => gltf.nodes[node].mesh !== undefined);
    const meshes = nodes.map(({ node, transform }) => {
      const { key, pieces } = within(nodeLabel(gltf, node), () => nodeMesh(planning, node, false));
      return { key, piece: { ...pieces[0], transform } };
    });
    const isSingle = nodes.length === 1 && nodes[0].node === collider.node;
    subtree = { key: isSingle ? meshes[0].key : `below ${collider.node}`, pieces: meshes.map(({ piece }) => piece) };
    subtrees.set(collider.node, subtree);
  }
  return { ...subtree, isHull: collider.convexHull };
}

/** The mesh of a node in the node's own frame. Skins are applied to bodies only, not to colliders. */
function nodeMesh(planning: Planning, node: number, isBody: boolean): { key: string; pieces: PlannedPiece[] } {
  const { gltf, table, notes, meshes, skins } = planning;
  const definition = gltf.nodes[node];
  const label = nodeLabel(gltf, node);
  const mesh = checkIndex(definition.mesh, 'mesh', gltf.meshes.length, 'mesh');
  const weights = readWeights(definition.weights ?? gltf.meshes[mesh].weights);
  if (weights.some((weight) => weight !== 0)) notes.add('morph targets stay at their default weights', label);
  const given = optionalIndex(definition.skin, 'skin', gltf.skins.length, 'skin');
  const skin = isBody ? given : undefined;
  if (given !== undefined)
    notes.add(isBody ? 'skins stay in their rest pose' : 'skins of colliders are not used', label);
  const key = `mesh ${mesh} ${weights.join()} ${skin ?? ''}`;
  let plan = meshes.get(key);
  if (!plan) {
    plan = planMesh(gltf, mesh, { weights, isSkinned: skin !== undefined }, table, notes);
    meshes.set(key, plan);
  }
  if (skin !== undefined && !skins.has(skin)) skins.set(skin, planSkin(gltf, skin, table));
  return { key, pieces: [{ mesh: plan, skin: skin === undefined ? undefined : skins.get(skin), transform: IDENTITY }] };
}

function readWeights(value: unknown): number[] {
  return listOf(value, 'weights').map((weight, i) => {
    if (typeof weight !== 'number' || !Number.isFinite(weight))
      invalidInput(`weights[${i}]`, weight, 'a finite number');
    return weight;
  });
}
