/** EXT_mesh_gpu_instancing: a node whose mesh is there many times, each with a transform of its own. */

import { checkObject } from '../../../../src/util/json-fields.ts';
import { refuse } from '../refusal.ts';
import { makeTransform, type Quaternion, type Transform, type Triple } from '../transform.ts';
import type { AccessorTable } from './accessors.ts';
import type { DecodedAccessors } from './decode.ts';
import { extensionOf, type Gltf } from './document.ts';

export interface InstancesPlan {
  count: number;
  /** Accessors of the attributes that are given. */
  accessors: Partial<Record<keyof typeof TYPES, number>>;
}

const TYPES = { TRANSLATION: 'VEC3', ROTATION: 'VEC4', SCALE: 'VEC3' } as const;

/** Undefined for a node that is there once. */
export function planInstances(gltf: Gltf, node: number, table: AccessorTable): InstancesPlan | undefined {
  const instancing = extensionOf(gltf.nodes[node], 'EXT_mesh_gpu_instancing');
  if (!instancing) return undefined;
  const attributes = checkObject(instancing.attributes, 'EXT_mesh_gpu_instancing.attributes');
  const accessors: InstancesPlan['accessors'] = {};
  let count: number | undefined;
  for (const [name, type] of Object.entries(TYPES) as [keyof typeof TYPES, 'VEC3' | 'VEC4'][]) {
    if (attributes[name] === undefined) continue;
    const needed = table.need(attributes[name], `EXT_mesh_gpu_instancing.attributes.${name}`, type, 'numbers');
    if (count !== undefined && needed.count !== count) {
      refuse(`has ${needed.count} instances by ${name}, but ${count} by another attribute`);
    }
    count = needed.count;
    accessors[name] = needed.accessor;
  }
  return count === undefined ? undefined : { count, accessors };
}

/** Transforms from each instance's frame to the node's. */
export function instanceTransforms({ count, accessors }: InstancesPlan, decoded: DecodedAccessors): Transform[] {
  const read = (name: keyof typeof TYPES): Float32Array | Float64Array | undefined => {
    const accessor = accessors[name];
    return accessor === undefined ? undefined : decoded.numbers(accessor);
  };
  const [translations, rotations, scales] = [read('TRANSLATION'), read('ROTATION'), read('SCALE')];
  return Array.from({ length: count }, (_, i) => {
    const triple = (values: ArrayLike<number> | undefined, otherwise: number): Triple =>
      values ? [values[3 * i], values[3 * i + 1], values[3 * i + 2]] : [otherwise, otherwise, otherwise];
    const rotation: Quaternion = rotations
      ? [rotations[4 * i], rotations[4 * i + 1], rotations[4 * i + 2], rotations[4 * i + 3]]
      : [0, 0, 0, 1];
    const [translation, scale] = [triple(translations, 0), triple(scales, 1)];
    if (![...translation, ...rotation, ...scale].every(Number.isFinite)) {
      refuse(`instance ${i} has a number that is not finite in its translation, rotation or scale`);
    }
    if (!(Math.hypot(...rotation) >= 1e-6))
      refuse(`instance ${i} has the rotation ${rotation.join(', ')}, expected length 1`);
    return makeTransform(translation, rotation, scale);
  });
}
