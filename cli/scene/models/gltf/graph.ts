/**
 * The tree of nodes. Every node has at most one parent and none is its own ancestor, so walks end, and their time is
 * proportional to the number of nodes. Nothing here is recursive: a chain of a million nodes is as good as any other tree.
 */

import { invalidInput } from '../../../../src/api/errors.ts';
import { checkIndex } from '../../../../src/util/json-fields.ts';
import { type BodyName, lastCharacters } from '../body-names.ts';
import { refuse, within } from '../refusal.ts';
import { compose, IDENTITY, makeTransform, type Transform, type Triple } from '../transform.ts';
import { nodeLabel, numbersOf, optionalIndex, listOf, type Gltf } from './document.ts';

export interface Tree {
  /** -1: a root. */
  parents: Int32Array;
  children: number[][];
}

export interface PlacedNode {
  node: number;
  /** From the node's frame to that of the walk's start. */
  transform: Transform;
}

/** Checks the children of all nodes. */
export function readTree(gltf: Gltf): Tree {
  const count = gltf.nodes.length;
  const parents = new Int32Array(count).fill(-1);
  const children = gltf.nodes.map((node, parent) =>
    within(nodeLabel(gltf, parent), () =>
      listOf(node.children, 'children').map((value, i) => {
        const child = checkIndex(value, `children[${i}]`, count, 'node');
        if (parents[child] >= 0) {
          const others = parents[child] === parent ? 'twice' : `and ${nodeLabel(gltf, parents[child])} has it too`;
          refuse(`has ${nodeLabel(gltf, child)} as a child ${others}, expected one parent per node`);
        }
        parents[child] = parent;
        return child;
      }),
    ),
  );
  refuseCycles(gltf, parents);
  return { parents, children };
}

function refuseCycles(gltf: Gltf, parents: Int32Array): void {
  /** 1 + the node whose way up came by first; 0: none yet. */
  const walks = new Int32Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    for (let node = start; node >= 0; node = parents[node]) {
      if (walks[node] === start + 1) refuse(`${nodeLabel(gltf, node)}: is its own ancestor, expected a tree of nodes`);
      if (walks[node] !== 0) break;
      walks[node] = start + 1;
    }
  }
}

/** The roots of the scene: of the default one, otherwise of the first. */
export function sceneRoots(gltf: Gltf, { parents }: Tree): number[] {
  const { json, scenes, nodes } = gltf;
  if (scenes.length === 0) refuse('the model has no scene, expected at least one');
  const scene = optionalIndex(json.scene, 'scene', scenes.length, 'scene') ?? 0;
  const listed = new Set<number>();
  return listOf(scenes[scene].nodes, `scenes[${scene}].nodes`).map((value, i) => {
    const path = `scenes[${scene}].nodes[${i}]`;
    const root = checkIndex(value, path, nodes.length, 'node');
    if (parents[root] >= 0) {
      refuse(`${nodeLabel(gltf, root)}: is a root of the scene and a child of ${nodeLabel(gltf, parents[root])}`);
    }
    if (listed.has(root)) invalidInput(path, root, 'a node that the list has once');
    listed.add(root);
    return root;
  });
}

/** The nodes below and including `roots`, each after its parent, with transforms to the frame of the walk. */
export function walk(gltf: Gltf, { children }: Tree, roots: readonly PlacedNode[]): PlacedNode[] {
  const order: PlacedNode[] = [];
  const open = [...roots].reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    order.push(next);
    const below = children[next.node];
    for (let i = below.length - 1; i >= 0; i--) {
      open.push({ node: below[i], transform: compose(next.transform, localTransform(gltf, below[i])) });
    }
  }
  return order;
}

/** A node's own transform. */
export function localTransform(gltf: Gltf, index: number): Transform {
  const { matrix, translation, rotation, scale } = gltf.nodes[index];
  if ([matrix, translation, rotation, scale].every((field) => field === undefined)) return IDENTITY;
  return within(nodeLabel(gltf, index), () => {
    if (matrix === undefined) {
      const [x, y, z] = translation === undefined ? [0, 0, 0] : numbersOf(translation, 'translation', 3);
      const [qx, qy, qz, qw] = rotation === undefined ? [0, 0, 0, 1] : numbersOf(rotation, 'rotation', 4);
      const factors = scale === undefined ? [1, 1, 1] : numbersOf(scale, 'scale', 3);
      if (!(Math.hypot(qx, qy, qz, qw) >= 1e-6)) invalidInput('rotation', rotation, 'a quaternion of length 1');
      return makeTransform([x, y, z], [qx, qy, qz, qw], factors as unknown as Triple);
    }
    if ([translation, rotation, scale].some((field) => field !== undefined)) {
      refuse('has a matrix beside translation, rotation or scale, expected one of them');
    }
    const m = numbersOf(matrix, 'matrix', 16);
    if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) {
      invalidInput('the last row of its matrix', [m[3], m[7], m[11], m[15]], '0, 0, 0, 1');
    }
    const linear = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
    return { translation: [m[12], m[13], m[14]], linear };
  });
}

/** Most characters of a path that are put together: longer ones are cut anyway. */
const LONGEST_PATH = 512;

/** The node's name, and its path of names; nodes without a name have their number in it. */
export function bodyName(gltf: Gltf, { parents }: Tree, index: number): BodyName {
  const { name } = gltf.nodes[index];
  if (name !== undefined && typeof name !== 'string') {
    within(nodeLabel(gltf, index), () => invalidInput('name', name, 'a string'));
  }
  return {
    own: name as string | undefined,
    path: () => {
      let path = segmentOf(gltf, index);
      for (let node = parents[index]; node >= 0 && path.length <= LONGEST_PATH; node = parents[node]) {
        path = `${segmentOf(gltf, node)}/${path}`;
      }
      return lastCharacters(path, LONGEST_PATH);
    },
  };
}

function segmentOf({ nodes }: Gltf, index: number): string {
  const { name } = nodes[index];
  return typeof name === 'string' && name !== '' ? lastCharacters(name, LONGEST_PATH) : `node ${index}`;
}
