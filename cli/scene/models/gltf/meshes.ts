/**
 * Triangles of meshes. A mesh is planned first, which registers the accessors that it needs, and built when these are
 * decoded. Lists, strips and fans of triangles are read; points and lines are left out.
 */

import { invalidInput } from '../../../../src/api/errors.ts';
import { allocate } from '../../../../src/util/arrays.ts';
import { checkObject, type JsonObject } from '../../../../src/util/json-fields.ts';
import type { Notes } from '../notes.ts';
import { refuse, within } from '../refusal.ts';
import { joined, withUsedVertices, type Triangles, type VertexNumbers } from '../triangles.ts';
import { refuseCompressedPrimitive, type AccessorTable, type NeededAccessor } from './accessors.ts';
import type { DecodedAccessors } from './decode.ts';
import { deform, planDeformation, type DeformationPlan, type RestPose } from './deform.ts';
import { listOf, meshLabel, type Gltf } from './document.ts';

const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;
const MODES = [0, 1, 2, 3, TRIANGLES, STRIP, FAN];

interface PrimitivePlan {
  /** Names it in errors. */
  path: string;
  mode: number;
  positions: NeededAccessor;
  indices?: NeededAccessor;
  deformation: DeformationPlan;
}

export interface MeshPlan {
  label: string;
  /** Those with triangles. */
  primitives: PrimitivePlan[];
}

export function planMesh(gltf: Gltf, mesh: number, rest: RestPose, table: AccessorTable, notes: Notes): MeshPlan {
  const label = meshLabel(gltf, mesh);
  return within(label, () => {
    const primitives = listOf(gltf.meshes[mesh].primitives, 'primitives');
    if (primitives.length === 0) refuse('has no primitive, expected at least one');
    const plans = primitives.flatMap((value, i) => {
      const path = `primitives[${i}]`;
      const primitive = checkObject(value, path);
      const { mode = TRIANGLES } = primitive;
      if (!MODES.includes(mode as number)) invalidInput(`${path}.mode`, mode, 'a number from 0 to 6');
      if ((mode as number) >= TRIANGLES) {
        return within(path, () => [{ path, mode: mode as number, ...planPrimitive(gltf, primitive, rest, table) }]);
      }
      notes.add('points and lines are left out', label);
      return [];
    });
    return { label, primitives: plans };
  });
}

function planPrimitive(
  gltf: Gltf,
  primitive: JsonObject,
  rest: RestPose,
  table: AccessorTable,
): Pick<PrimitivePlan, 'positions' | 'indices' | 'deformation'> {
  const attributes = checkObject(primitive.attributes ?? {}, 'attributes');
  if (attributes.POSITION === undefined) refuse('has no POSITION, expected vertices');
  refuseCompressedPrimitive(gltf, primitive, attributes.POSITION);
  const positions = table.need(attributes.POSITION, 'POSITION', 'VEC3', 'numbers');
  const indices =
    primitive.indices === undefined ? undefined : table.need(primitive.indices, 'indices', 'SCALAR', 'indices');
  return { positions, indices, deformation: planDeformation(primitive, attributes, positions.count, rest, table) };
}

/** The triangles of all primitives; undefined if there are none. `joints`: the matrices of the skin, if there is one. */
export function buildMesh(
  plan: MeshPlan,
  decoded: DecodedAccessors,
  numbersOf: VertexNumbers,
  joints?: Float64Array,
): Triangles | undefined {
  if (plan.primitives.length === 0) return undefined;
  return within(plan.label, () => {
    /** Primitives with the same vertices are put together first, so that their vertices stay shared. */
    const byVertices = new Map<string, { positions: Float32Array | Float64Array; indices: Uint32Array[] }>();
    for (const primitive of plan.primitives) {
      within(primitive.path, () => {
        const key = JSON.stringify([primitive.positions.accessor, primitive.deformation]);
        const positions =
          byVertices.get(key)?.positions ??
          deform(decoded.numbers(primitive.positions.accessor), primitive.deformation, decoded, joints);
        const indices = trianglesOf(primitive, decoded);
        expectVertices(positions, indices);
        const same = byVertices.get(key);
        if (same) same.indices.push(indices);
        else byVertices.set(key, { positions, indices: [indices] });
      });
    }
    const parts = [...byVertices.values()].map(({ positions, indices }) =>
      withUsedVertices({ positions, indices: concatenated(indices) }, numbersOf),
    );
    return joined(parts);
  });
}

/** Three vertices per triangle. */
function trianglesOf({ mode, positions, indices: needed }: PrimitivePlan, decoded: DecodedAccessors): Uint32Array {
  const indices = needed
    ? decoded.indices(needed.accessor)
    : Uint32Array.from({ length: positions.count }, (_, i) => i);
  const noun = needed ? 'indices' : 'vertices';
  if (indices.length < 3) refuse(`has ${indices.length} ${noun} and no triangle, expected at least three`);
  if (mode === TRIANGLES) {
    if (indices.length % 3 !== 0) refuse(`has ${indices.length} ${noun}, expected a multiple of three`);
    return indices;
  }
  const triangles = allocate('the triangles', Uint32Array, 3 * (indices.length - 2));
  let count = 0;
  for (let i = 0; i + 2 < indices.length; i++) {
    const isOdd = i % 2 === 1;
    const [a, b, c] = mode === FAN ? [i + 1, i + 2, 0] : [i, isOdd ? i + 2 : i + 1, isOdd ? i + 1 : i + 2];
    const [u, v, w] = [indices[a], indices[b], indices[c]];
    // Strips repeat vertices to go on elsewhere. The triangles in between are not meant.
    if (mode === STRIP && (u === v || v === w || w === u)) continue;
    triangles.set([u, v, w], count);
    count += 3;
  }
  if (count === 0) refuse('has no triangle, expected at least one');
  return triangles.subarray(0, count);
}

/** Throws unless all vertices exist and are finite. */
function expectVertices(positions: ArrayLike<number>, indices: Uint32Array): void {
  const count = positions.length / 3;
  for (let i = 0; i < indices.length; i++) {
    const vertex = indices[i];
    if (vertex >= count) refuse(`has the index ${vertex}, but only ${count} vertices`);
    const [x, y, z] = [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
    if (!Number.isFinite(x + y + z)) refuse(`vertex ${vertex} is (${x}, ${y}, ${z}), expected finite numbers`);
  }
}

function concatenated(parts: Uint32Array[]): Uint32Array {
  if (parts.length === 1) return parts[0];
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
