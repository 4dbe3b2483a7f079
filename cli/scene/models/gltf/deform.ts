/**
 * The rest pose of deformed meshes: morph targets with their default weights, then skins with their joints where the
 * file has them. Animations are not played.
 */

import { invalidInput } from '../../../../src/api/errors.ts';
import { checkIndex, checkObject, type JsonObject } from '../../../../src/util/json-fields.ts';
import { refuse } from '../refusal.ts';
import { matrixOf, type Transform } from '../transform.ts';
import type { AccessorTable } from './accessors.ts';
import type { DecodedAccessors } from './decode.ts';
import { listOf, type Gltf } from './document.ts';

/** How a mesh is deformed at a node. */
export interface RestPose {
  /** Weight per morph target; missing ones are 0. */
  weights: readonly number[];
  isSkinned: boolean;
}

/** Accessors of a primitive. */
export interface DeformationPlan {
  /** Displacements of the morph targets, with their weights. */
  targets: { accessor: number; weight: number }[];
  /** Accessors of four joints and four weights per vertex each. */
  influences: { joints: number; weights: number }[];
}

export function planDeformation(
  primitive: JsonObject,
  attributes: JsonObject,
  vertices: number,
  { weights, isSkinned }: RestPose,
  table: AccessorTable,
): DeformationPlan {
  const need = (value: unknown, path: string, type: 'VEC3' | 'VEC4', content: 'numbers' | 'indices'): number => {
    const { accessor, count } = table.need(value, path, type, content);
    if (count !== vertices) refuse(`${path} has ${count} elements, expected ${vertices}, one per vertex`);
    return accessor;
  };
  const targets = listOf(primitive.targets, 'targets').flatMap((value, i) => {
    const { POSITION } = checkObject(value, `targets[${i}]`);
    const weight = weights[i] ?? 0;
    if (POSITION === undefined || weight === 0) return [];
    return [{ accessor: need(POSITION, `targets[${i}].POSITION`, 'VEC3', 'numbers'), weight }];
  });
  const influences: DeformationPlan['influences'] = [];
  if (!isSkinned) return { targets, influences };
  for (let set = 0; attributes[`JOINTS_${set}`] !== undefined; set++) {
    influences.push({
      joints: need(attributes[`JOINTS_${set}`], `JOINTS_${set}`, 'VEC4', 'indices'),
      weights: need(attributes[`WEIGHTS_${set}`], `WEIGHTS_${set}`, 'VEC4', 'numbers'),
    });
  }
  return { targets, influences };
}

/** `joints`: the matrices of the skin, if there is one. */
export function deform(
  positions: Float32Array | Float64Array,
  { targets, influences }: DeformationPlan,
  decoded: DecodedAccessors,
  joints: Float64Array | undefined,
): Float32Array | Float64Array {
  let deformed = positions;
  for (const { accessor, weight } of targets) {
    const displacements = decoded.numbers(accessor);
    deformed = Float64Array.from(deformed, (x, k) => x + weight * displacements[k]);
  }
  if (!joints || influences.length === 0) return deformed;
  const sets = influences.map((set) => ({
    joints: decoded.indices(set.joints),
    weights: decoded.numbers(set.weights),
  }));
  return skinned(deformed, sets, joints);
}

function skinned(
  positions: Float32Array | Float64Array,
  sets: { joints: Uint32Array; weights: ArrayLike<number> }[],
  joints: Float64Array,
): Float64Array {
  const moved = new Float64Array(positions.length);
  for (let vertex = 0; vertex < positions.length / 3; vertex++) {
    let sum = 0;
    for (const { joints: numbers, weights } of sets) {
      for (let i = 4 * vertex; i < 4 * vertex + 4; i++) {
        const weight = weights[i];
        if (weight === 0) continue;
        const joint = 12 * numbers[i];
        if (joint >= joints.length)
          refuse(`vertex ${vertex} has joint ${numbers[i]}, but the skin only ${joints.length / 12}`);
        sum += weight;
        for (let k = 0; k < 3; k++) {
          moved[3 * vertex + k] +=
            weight *
            (joints[joint + k] * positions[3 * vertex] +
              joints[joint + 3 + k] * positions[3 * vertex + 1] +
              joints[joint + 6 + k] * positions[3 * vertex + 2] +
              joints[joint + 9 + k]);
        }
      }
    }
    // Weights that were rounded do not add up to 1.
    for (let k = 0; k < 3; k++) moved[3 * vertex + k] /= sum;
  }
  return moved;
}

/** The nodes of a skin's joints, and its accessor of inverse bind matrices. */
export interface SkinPlan {
  joints: number[];
  inverseBinds?: number;
}

export function planSkin(gltf: Gltf, skin: number, table: AccessorTable): SkinPlan {
  const { joints: list, inverseBindMatrices } = gltf.skins[skin];
  const path = `skins[${skin}]`;
  const joints = listOf(list, `${path}.joints`).map((value, i) =>
    checkIndex(value, `${path}.joints[${i}]`, gltf.nodes.length, 'node'),
  );
  if (joints.length === 0) invalidInput(`${path}.joints`, list, 'at least one node');
  if (inverseBindMatrices === undefined) return { joints };
  const needed = table.need(inverseBindMatrices, `${path}.inverseBindMatrices`, 'MAT4', 'numbers');
  if (needed.count < joints.length)
    refuse(`${path} has ${needed.count} inverse bind matrices for ${joints.length} joints`);
  return { joints, inverseBinds: needed.accessor };
}

/**
 * Per joint 12 numbers: the columns of the matrix from the vertices' frame to the scene's. `worldOf` is where a node is in the
 * scene, undefined if it is not in it.
 */
export function jointMatrices(
  { joints, inverseBinds }: SkinPlan,
  decoded: DecodedAccessors,
  worldOf: (node: number) => Transform | undefined,
): Float64Array {
  const binds = inverseBinds === undefined ? undefined : decoded.numbers(inverseBinds);
  const matrices = new Float64Array(12 * joints.length);
  joints.forEach((node, j) => {
    const world = worldOf(node);
    if (!world) refuse(`its skin has the joint ${node}, which is not in the scene`);
    const linear = matrixOf(world);
    for (let column = 0; column < 4; column++) {
      for (let k = 0; k < 3; k++) {
        let sum = column === 3 ? world.translation[k] : 0;
        for (let i = 0; i < 3; i++)
          sum += linear[3 * i + k] * (binds ? binds[16 * j + 4 * column + i] : Number(i === column));
        matrices[12 * j + 3 * column + k] = sum;
      }
    }
  });
  return matrices;
}
