/**
 * Accessors: typed data in buffers. Everything is checked before anything is allocated: types, counts, and that each
 * element lies within its buffer view and that within its buffer. What is needed is registered first, so that all of it
 * is decoded at once and nothing else of the file is read.
 */

import { invalidInput } from '../../../../src/api/errors.ts';
import { checkIndex, checkObject, checkPresent, type JsonObject } from '../../../../src/util/json-fields.ts';
import { MODEL_LIMITS } from '../model.ts';
import { refuse, refuseAsTooLarge } from '../refusal.ts';
import { optionalIndex, refuseCompression, extensionNames, type Gltf } from './document.ts';

/** Coordinates and the like, or indices of vertices or joints. */
type Content = 'numbers' | 'indices';
export type AccessorType = 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4';

/** An accessor as the decoder takes it: checked, without defaults left out. */
export interface AccessorLayout {
  type: AccessorType;
  content: Content;
  componentType: number;
  normalized: boolean;
  count: number;
  /** The label of the mesh or node that needed it first. */
  owner: string;
  view?: ViewLayout;
  sparse?: { count: number; indices: ViewLayout & { componentType: number }; values: ViewLayout };
}

export interface ViewLayout {
  bufferView: number;
  byteOffset: number;
}

export interface AccessorTable {
  /** Checks the accessor, registers it and returns its index. `path` names it in errors. */
  need(value: unknown, path: string, type: AccessorType, content: Content): NeededAccessor;
  layouts: ReadonlyMap<number, AccessorLayout>;
  /** Needed buffers, with the label of the mesh or node that needed each first. */
  buffers: ReadonlyMap<number, string>;
}

export interface NeededAccessor {
  accessor: number;
  count: number;
}

const SIZES: Record<AccessorType, number> = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Bytes of a component: BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT, FLOAT, and of extensions DOUBLE. */
const COMPONENT_BYTES = new Map([
  [5120, 1],
  [5121, 1],
  [5122, 2],
  [5123, 2],
  [5125, 4],
  [5126, 4],
  [5130, 8],
]);
const UNSIGNED_INT = 5125;
const INDEX_TYPES = [5121, 5123, UNSIGNED_INT];

/** What the model needs of the file, and how much of it. */
interface Needs {
  gltf: Gltf;
  /** Names the mesh or node that is being read. */
  labelOfUser: () => string;
  layouts: Map<number, AccessorLayout>;
  buffers: Map<number, string>;
  /** Numbers that all accessors decode to, and elements without data. */
  components: number;
  emptyElements: number;
}

/** `labelOfUser` names the mesh or node that is being read. */
export function createAccessorTable(gltf: Gltf, labelOfUser: () => string): AccessorTable {
  const layouts = new Map<number, AccessorLayout>();
  const buffers = new Map<number, string>();
  const needs: Needs = { gltf, labelOfUser, layouts, buffers, components: 0, emptyElements: 0 };
  return {
    need(value, path, type, content) {
      const accessor = checkIndex(value, path, gltf.accessors.length, 'accessor');
      let layout = layouts.get(accessor);
      if (layout?.type !== type || layout.content !== content) {
        layout = layoutOf(needs, accessor, type, content);
        layouts.set(accessor, layout);
      }
      return { accessor, count: layout.count };
    },
    layouts,
    buffers,
  };
}

function layoutOf(needs: Needs, index: number, type: AccessorType, content: Content): AccessorLayout {
  const path = `accessors[${index}]`;
  const accessor = needs.gltf.accessors[index];
  if (accessor.type !== type) invalidInput(`${path}.type`, accessor.type, JSON.stringify(type));
  const componentType = checkComponentType(accessor.componentType, `${path}.componentType`, content);
  const count = wholeNumber(accessor.count, `${path}.count`, 1);
  const bytes = COMPONENT_BYTES.get(componentType)! * SIZES[type];
  const hasData = accessor.bufferView !== undefined;
  countElements(needs, path, count, SIZES[type], hasData);
  return {
    type,
    content,
    componentType,
    normalized: accessor.normalized === true,
    count,
    owner: needs.labelOfUser(),
    view: hasData ? denseView(needs, accessor, path, count, bytes) : undefined,
    sparse:
      accessor.sparse === undefined ? undefined : sparseOf(needs, accessor.sparse, `${path}.sparse`, count, bytes),
  };
}

function checkComponentType(value: unknown, path: string, content: Content): number {
  const isRight =
    content === 'indices'
      ? INDEX_TYPES.includes(value as number)
      : COMPONENT_BYTES.has(value as number) && value !== UNSIGNED_INT;
  if (!isRight) invalidInput(path, value, content === 'indices' ? '5121, 5123 or 5125' : '5126, or 5120 to 5123');
  return value as number;
}

/** Accessors may share bytes, so that the size of the file does not limit how much they decode to. */
function countElements(needs: Needs, path: string, count: number, size: number, hasData: boolean): void {
  needs.components += count * size;
  if (needs.components > MODEL_LIMITS.components) {
    refuseAsTooLarge(
      `${path}.count is ${count}, which makes more than ${MODEL_LIMITS.components} numbers in the model`,
    );
  }
  if (hasData) return;
  needs.emptyElements += count;
  if (needs.emptyElements > MODEL_LIMITS.emptyElements) {
    refuseAsTooLarge(
      `${path}.count is ${count} without data, expected at most ${MODEL_LIMITS.emptyElements} such elements`,
    );
  }
}

/** The data of `count` elements, as far apart as the buffer view says. */
function denseView(needs: Needs, accessor: JsonObject, path: string, count: number, bytes: number): ViewLayout {
  return viewOf(needs, accessor, path, (stride = bytes) => {
    if (stride < bytes) refuse(`${path} has elements of ${bytes} bytes, but its buffer view a stride of ${stride}`);
    return { elements: count, bytes, step: stride };
  });
}

/** Elements that replace some of the others. */
function sparseOf(needs: Needs, value: unknown, path: string, most: number, bytes: number): AccessorLayout['sparse'] {
  const sparse = checkObject(value, path);
  const count = wholeNumber(sparse.count, `${path}.count`, 1);
  if (count > most) invalidInput(`${path}.count`, count, `at most ${most}, the count of the accessor`);
  const [indices, values] = [
    checkObject(sparse.indices, `${path}.indices`),
    checkObject(sparse.values, `${path}.values`),
  ];
  const componentType = checkComponentType(indices.componentType, `${path}.indices.componentType`, 'indices');
  const indexBytes = COMPONENT_BYTES.get(componentType)!;
  const packed = (size: number) => (): Span => ({ elements: count, bytes: size, step: size });
  return {
    count,
    indices: { componentType, ...viewOf(needs, indices, `${path}.indices`, packed(indexBytes)) },
    values: viewOf(needs, values, `${path}.values`, packed(bytes)),
  };
}

/** Elements of a number of bytes, `step` bytes apart. */
interface Span {
  elements: number;
  bytes: number;
  step: number;
}

/** Where `place.bufferView` and `place.byteOffset` say that the elements are. Registers the buffer. */
function viewOf(needs: Needs, place: JsonObject, path: string, span: (stride?: number) => Span): ViewLayout {
  const { gltf, buffers, labelOfUser } = needs;
  const bufferView = checkIndex(place.bufferView, `${path}.bufferView`, gltf.bufferViews.length, 'buffer view');
  const byteOffset = wholeNumber(place.byteOffset ?? 0, `${path}.byteOffset`);
  const { buffer, length, stride } = readView(gltf, bufferView);
  const { elements, bytes, step } = span(stride);
  const end = byteOffset + step * (elements - 1) + bytes;
  if (end > length) {
    refuse(`${path} ends at byte ${end} of bufferViews[${bufferView}], which has ${length} bytes`);
  }
  if (!buffers.has(buffer)) buffers.set(buffer, labelOfUser());
  return { bufferView, byteOffset };
}

interface View {
  buffer: number;
  length: number;
  stride?: number;
}

function readView(gltf: Gltf, index: number): View {
  const path = `bufferViews[${index}]`;
  const view = gltf.bufferViews[index];
  const buffer = checkIndex(view.buffer, `${path}.buffer`, gltf.buffers.length, 'buffer');
  const offset = wholeNumber(view.byteOffset ?? 0, `${path}.byteOffset`);
  const length = wholeNumber(view.byteLength, `${path}.byteLength`, 1);
  const size = wholeNumber(gltf.buffers[buffer].byteLength, `buffers[${buffer}].byteLength`, 1);
  if (offset + length > size) {
    refuse(`${path} ends at byte ${offset + length} of buffers[${buffer}], which has ${size} bytes`);
  }
  const stride = view.byteStride === undefined ? undefined : wholeNumber(view.byteStride, `${path}.byteStride`, 1);
  return { buffer, length, stride };
}

/** Throws if the data of a mesh primitive are only there in compressed form. */
export function refuseCompressedPrimitive(gltf: Gltf, primitive: JsonObject, positions: unknown): void {
  const accessor =
    gltf.accessors[optionalIndex(positions, 'attributes.POSITION', gltf.accessors.length, 'accessor') ?? -1];
  if (accessor?.bufferView !== undefined) return;
  extensionNames(primitive).forEach(refuseCompression);
}

function wholeNumber(value: unknown, path: string, least = 0): number {
  checkPresent(value, path, `a whole number of at least ${least}`);
  if (!Number.isSafeInteger(value) || (value as number) < least) {
    invalidInput(path, value, `a whole number of at least ${least}`);
  }
  return value as number;
}
