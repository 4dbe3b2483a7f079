/** The arrays of a result as kernels write them (shaders/kernels/arrays.wgsl): one after the other in a buffer. */
import {
  ARRAYS_OF_CONTACTS,
  ARRAYS_OF_IMPACTS,
  ARRAYS_OF_INTERSECTIONS,
  ARRAYS_OF_MANIFOLDS,
  NO_ARRAY,
  SLOTS_PER_INVOCATION,
} from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import type { QueryName } from '../api/queries.ts';
import { elementTypes } from '../records/create-result.ts';
import type { FieldShape } from '../records/result-fields.ts';
import type { ArrayType, Numbers } from '../util/arrays.ts';
import type { Records } from '../records/layout.ts';
import { packRecord } from '../records/record.ts';
import type { Dimension } from '../request/dimension.ts';
import { gridWidth, workgroupsFor, type Dispatch, type KernelVariant } from './kernels.ts';
import type { PassBuffers, PassContext } from './query-buffers.ts';
import { alignedSize } from './read-back.ts';

/** What the kernel that writes the arrays depends on besides the query. */
export interface ArrayMode {
  /** A slot per hit, in the order of the list; otherwise per pair. */
  isListed: boolean;
  /** Records are in the order of the slots; otherwise in that of the pairs. */
  isGathered: boolean;
  /** Positions and points are f64; otherwise f32. */
  hasDoubles: boolean;
  /** Pairs are pairs of parts. */
  hasParts?: boolean;
}

/** The slots to write. */
export interface ArraySlots {
  /** The most slots to write. With a list, the number of hits is a limit as well. */
  slotCount: number;
  bodyCount: number;
  /** The number of the first pair. */
  firstPair: number;
}

/** Where each array begins. */
export interface ArrayLayout {
  /** Bytes before an array, by name. */
  offsets: Readonly<Record<string, number>>;
  /** Bytes of an array, by name. */
  sizes: Readonly<Record<string, number>>;
  /** Bytes of all arrays. */
  bytes: number;
}

/** The arrays that a kernel writes, by name. */
export type WrittenFields = Readonly<Record<string, WrittenField>>;

interface WrittenField {
  Type: ArrayType<Numbers>;
  /** Elements per slot. */
  width: number;
}

/** What the kernel writes for these arrays of a result: all of them, except for pair numbers that count up. */
export function writtenFields(
  fields: Readonly<Record<string, FieldShape>>,
  names: readonly string[],
  { isListed, hasDoubles }: ArrayMode,
): WrittenFields {
  const types = elementTypes(hasDoubles);
  const written = names.filter((name) => name !== 'pair' || isListed);
  return Object.fromEntries(
    written.map((name) => [name, { Type: types[fields[name].type], width: fields[name].width }]),
  );
}

/**
 * Places the arrays of `slotCount` slots, each at a multiple of eight bytes. Each has room for a multiple of the slots
 * that an invocation writes.
 */
export function layOutArrays(fields: WrittenFields, slotCount: number): ArrayLayout {
  const offsets: Record<string, number> = {};
  const sizes: Record<string, number> = {};
  const room = SLOTS_PER_INVOCATION * Math.ceil(slotCount / SLOTS_PER_INVOCATION);
  let bytes = 0;
  for (const [name, { Type, width }] of Object.entries(fields)) {
    offsets[name] = bytes;
    sizes[name] = Type.BYTES_PER_ELEMENT * width * room;
    bytes += alignedSize(sizes[name]);
  }
  return { offsets, sizes, bytes };
}

/** The arrays in the bytes that `layOutArrays` places. */
export function arraysIn(
  bytes: Uint8Array<ArrayBuffer>,
  fields: WrittenFields,
  slotCount: number,
): Record<string, Numbers> {
  const { offsets } = layOutArrays(fields, slotCount);
  return Object.fromEntries(
    Object.entries(fields).map(([name, { Type, width }]) => [
      name,
      new Type(bytes.buffer, bytes.byteOffset + offsets[name], width * slotCount),
    ]),
  );
}

const KERNEL_QUERIES = {
  intersects: ARRAYS_OF_INTERSECTIONS,
  distances: ARRAYS_OF_CONTACTS,
  contacts: ARRAYS_OF_CONTACTS,
  manifolds: ARRAYS_OF_MANIFOLDS,
  impacts: ARRAYS_OF_IMPACTS,
} as const satisfies Record<QueryName, number>;

/** The kernel that writes the arrays of a query. */
export function arraysVariant(query: QueryName, dimension: Dimension, mode: ArrayMode): KernelVariant {
  const { records, poseWords, velocityWords } = dimension;
  const { words, info } = records.sizes[query];
  return {
    kernel: 'arrays',
    constants: {
      QUERY: KERNEL_QUERIES[query],
      AXES: records.axes,
      POSE_WORDS: poseWords,
      VELOCITY_WORDS: velocityWords,
      RECORD_WORDS: words,
      INFO_WORD: info,
      ...wordsOf(query, records),
      ...(mode.isListed && { IS_LISTED: 1 }),
      ...(mode.isGathered && { IS_GATHERED: 1 }),
      ...(mode.hasDoubles && { HAS_DOUBLES: 1 }),
      ...(mode.hasParts && { HAS_PARTS: 1 }),
    },
  };
}

/** Where records of a query have their fields, as constants of the kernel. */
function wordsOf(query: QueryName, { fields, manifold, impact }: Records): Record<string, number> {
  if (query === 'intersects') return {};
  if (query === 'impacts')
    return { NORMAL_WORD: impact.normal, TIME_WORD: impact.unclampedTime, POINT_A_WORD: impact.point };
  if (query === 'manifolds') {
    const { normal, contactDistance, positions, distances, features } = manifold;
    return {
      NORMAL_WORD: normal,
      DISTANCE_WORD: contactDistance,
      RECORD_POINTS: positions.length,
      POSITION_WORD: positions[0],
      POINT_DISTANCE_WORD: distances[0],
      FEATURE_WORD: features[0],
      POINT_STRIDE: positions[1] - positions[0],
      FEATURE_STRIDE: features[1] - features[0],
    };
  }
  return {
    NORMAL_WORD: fields.normal,
    DISTANCE_WORD: fields.distance,
    POINT_A_WORD: fields.pointA,
    POINT_B_WORD: fields.pointB,
    FEATURE_A_WORD: fields.featureA,
    FEATURE_B_WORD: fields.featureB,
    LOWER_WORD: fields.lower,
    UPPER_WORD: fields.upper,
  };
}

/** Where arrays are written, and the name of the uniform buffer that says so. */
export interface ArrayTarget extends Pick<ArrayLayout, 'offsets'> {
  buffer: GPUBuffer;
  name?: string;
}

/** The dispatch that writes the arrays of a result. */
export function bindArrays(
  { device, kernels, uniform, pool }: Pick<PassContext, 'device' | 'kernels' | 'uniform' | 'pool'>,
  variant: KernelVariant,
  { slotCount, bodyCount, firstPair }: ArraySlots,
  { offsets, buffer, name = 'parameters.arrays' }: ArrayTarget,
  {
    poses,
    velocities = poses,
    positions = poses,
    pairs,
    list,
    records,
    pairOfParts = list,
  }: Pick<PassBuffers, 'poses' | 'velocities' | 'positions' | 'pairs' | 'list' | 'records'> & {
    pairOfParts?: GPUBuffer;
  },
): Dispatch {
  const invocations = Math.ceil(slotCount / SLOTS_PER_INVOCATION);
  const starts = Object.fromEntries(
    Object.keys(layouts.ArrayParameters.fields).map((field) => [
      field,
      offsets[field] === undefined ? NO_ARRAY : offsets[field] / 4,
    ]),
  ) as Record<keyof typeof layouts.ArrayParameters.fields, number>;
  const parameters = uniform(
    name,
    packRecord(layouts.ArrayParameters, {
      ...starts,
      slotCount,
      bodyCount,
      firstPair,
      gridWidth: gridWidth(device, workgroupsFor(variant.kernel, invocations)),
    }),
  );
  const named = { parameters, poses, velocities, positions, pairs, list, records, pairOfParts, arrays: buffer };
  return kernels.bind(variant, named, invocations, pool);
}
