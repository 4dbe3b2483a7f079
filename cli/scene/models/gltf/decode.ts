/**
 * Decodes accessors with glTF Transform, which knows component types, strides, normalised integers and sparse values.
 * It gets a document of checked accessors and nothing else: no nodes, images or URIs.
 */

import type { Accessor, GLTF } from '@gltf-transform/core';
import { NarrowphaseError } from '../../../../src/api/errors.ts';
import { refuse } from '../refusal.ts';
import type { AccessorLayout, AccessorTable, ViewLayout } from './accessors.ts';
import type { Gltf } from './document.ts';

export interface DecodedAccessors {
  /** Numbers of an accessor, 3 per element of a VEC3. */
  numbers(accessor: number): Float32Array | Float64Array;
  /** Indices of an accessor. */
  indices(accessor: number): Uint32Array;
}

export async function decodeAccessors(
  gltf: Gltf,
  { layouts }: AccessorTable,
  buffers: ReadonlyMap<number, Uint8Array>,
): Promise<DecodedAccessors> {
  // Loaded here, so that commands without a glTF file do not load it.
  const { Logger, WebIO } = await import('@gltf-transform/core');
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT));
  const document = await io.readJSON(documentOf(gltf, layouts, buffers)).catch((error: unknown) => {
    throw new NarrowphaseError('INVALID_INPUT', `its accessors cannot be decoded: ${String(error)}`, { cause: error });
  });
  const accessors = document.getRoot().listAccessors();
  const positionOf = new Map([...layouts.keys()].map((accessor, i) => [accessor, i]));
  const sparseIndices = [...layouts].filter(([, { sparse }]) => sparse);
  sparseIndices.forEach(([index, { count, owner }], i) => {
    const [greatest] = accessors[layouts.size + i].getMax([]);
    if (greatest >= count)
      refuse(`${owner}: accessors[${index}].sparse has the index ${greatest}, expected less than ${count}`);
  });
  const decoded = (accessor: number): Accessor => accessors[positionOf.get(accessor)!];
  const known = new Map<number, Float32Array | Float64Array>();
  return {
    numbers(accessor) {
      const numbers = known.get(accessor) ?? numbersOf(decoded(accessor));
      known.set(accessor, numbers);
      return numbers;
    },
    indices: (accessor) => Uint32Array.from(decoded(accessor).getArray()!),
  };
}

function numbersOf(accessor: Accessor): Float32Array | Float64Array {
  const array = accessor.getArray()!;
  if (array instanceof Float32Array || array instanceof Float64Array) return array;
  const size = accessor.getElementSize();
  const numbers = new Float64Array(array.length);
  const element: number[] = [];
  for (let i = 0; i < accessor.getCount(); i++) numbers.set(accessor.getElement(i, element), size * i);
  return numbers;
}

/** A document of the accessors in the order of `layouts`, followed by the indices of the sparse ones. */
function documentOf(
  gltf: Gltf,
  layouts: ReadonlyMap<number, AccessorLayout>,
  bytes: ReadonlyMap<number, Uint8Array>,
): { json: GLTF.IGLTF; resources: Record<string, Uint8Array<ArrayBuffer>> } {
  const buffers: GLTF.IBuffer[] = [];
  const resources: Record<string, Uint8Array<ArrayBuffer>> = {};
  const bufferOf = new Map<number, number>();
  for (const [buffer, content] of bytes) {
    const uri = `buffer-${buffer}`;
    bufferOf.set(buffer, buffers.push({ uri, byteLength: content.length }) - 1);
    resources[uri] = content as Uint8Array<ArrayBuffer>;
  }
  const bufferViews: GLTF.IBufferView[] = [];
  const addView = ({ bufferView }: ViewLayout, isPacked: boolean): number => {
    const { buffer, byteOffset = 0, byteLength, byteStride } = gltf.bufferViews[bufferView];
    const view = {
      buffer: bufferOf.get(buffer as number)!,
      byteOffset: byteOffset as number,
      byteLength: byteLength as number,
    };
    return bufferViews.push(isPacked ? view : { ...view, byteStride: byteStride as number | undefined }) - 1;
  };
  const accessors = [...layouts.values()].map(({ type, componentType, normalized, count, view, sparse }) => ({
    type,
    componentType,
    normalized,
    count,
    bufferView: view && addView(view, false),
    byteOffset: view?.byteOffset ?? 0,
    sparse: sparse && {
      count: sparse.count,
      indices: {
        bufferView: addView(sparse.indices, true),
        byteOffset: sparse.indices.byteOffset,
        componentType: sparse.indices.componentType,
      },
      values: { bufferView: addView(sparse.values, true), byteOffset: sparse.values.byteOffset },
    },
  })) as GLTF.IAccessor[];
  const indices = accessors.flatMap(({ sparse }) =>
    sparse ? [{ ...sparse.indices, type: 'SCALAR', count: sparse.count } as GLTF.IAccessor] : [],
  );
  const json: GLTF.IGLTF = { asset: { version: '2.0' }, buffers, bufferViews, accessors: [...accessors, ...indices] };
  return { json, resources };
}
