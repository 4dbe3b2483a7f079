/** The dispatches that pack and inspect a query's input, on the buffers of a pool. */
import { PAIRS_PER_INVOCATION } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { rotationsOf, usesFixedPoint, type AnyBodies, type BodyMotion } from '../records/bodies.ts';
import { packRecord } from '../records/record.ts';
import type { Dimension } from '../request/dimension.ts';
import { givenBuffer, writeBuffer, type BufferPool } from './buffers.ts';
import type { Numbers } from '../util/arrays.ts';
import { gridWidth, workgroupsFor, type Dispatch, type Kernels, type KernelVariant } from './kernels.ts';
import { reportBytes } from './report.ts';

/** Whether the input is 2-D, and has 64-bit positions, scales, velocities, and angular velocities. */
export interface InputForm {
  isPlanar: boolean;
  hasFixedPoint: boolean;
  hasScales: boolean;
  isMoving: boolean;
  isRotating: boolean;
}

/** The kernels that pack bodies. */
export interface PackVariants {
  bodies: KernelVariant;
  velocities?: KernelVariant;
  fixedPoint?: KernelVariant;
}

export function formOf({ dimension }: Pick<Dimension, 'dimension'>, bodies: AnyBodies, motion?: BodyMotion): InputForm {
  return {
    isPlanar: dimension === 2,
    hasFixedPoint: usesFixedPoint(bodies),
    hasScales: bodies.scales !== undefined,
    isMoving: motion !== undefined,
    isRotating: motion?.angular !== undefined,
  };
}

/** The kernel that inspects pairs. */
export const INSPECT_PAIRS: KernelVariant = { kernel: 'inspect-pairs' };

/** The kernels that pack bodies of this form. `inspects`: they report what the host did not check. */
export function packVariants(
  { isPlanar, hasFixedPoint, hasScales, isMoving, isRotating }: InputForm,
  inspects: boolean,
): PackVariants {
  const checked: Record<string, number> = inspects ? {} : { INSPECTS: 0 };
  return {
    bodies: {
      kernel: isPlanar ? 'planar/pack-bodies' : 'pack-bodies',
      constants: { ...checked, ...(hasFixedPoint && { HAS_FIXED_POINT: 1 }), ...(hasScales && { HAS_SCALES: 1 }) },
    },
    ...(isMoving && {
      velocities: { kernel: 'pack-velocities', constants: { ...checked, ...(isRotating && { HAS_ANGULAR: 1 }) } },
    }),
    ...(hasFixedPoint && { fixedPoint: { kernel: 'pack-fixed-point' } }),
  };
}

/** The kernels that pack bodies of this form with and without scales, and with and without angular velocities. */
export function packVariantsOfAll(form: Omit<InputForm, 'hasScales'>, inspects: boolean): KernelVariant[] {
  return [false, true].flatMap((isGiven) =>
    Object.values(packVariants({ ...form, hasScales: isGiven, isRotating: isGiven && form.isRotating }, inspects)),
  );
}

/** Where bodies go: buffers for the caller's arrays and for what kernels make of them. */
export interface BodyHome {
  pool: BufferPool;
  /** Whether an array has to be uploaded to this buffer. If not, the buffer holds it. */
  needs(name: string, buffer: GPUBuffer): boolean;
}

/** A pool whose buffers hold nothing yet. */
export function wholePool(pool: BufferPool): BodyHome {
  return { pool, needs: () => true };
}

/** What the dispatches are bound to. */
export interface InputScope {
  device: GPUDevice;
  kernels: Kernels;
  pool: BufferPool;
  home: BodyHome;
  dimension: Dimension;
  /** Ids of shapes are below this. */
  idCount: number;
  /** Default: the buffer `shapes` of the pool. */
  shapeRecords?: GPUBuffer;
}

/** Uploads bodies and packs them into `poses`; their shapes go to the front of `bodies`, or to the buffers of `into`. */
export function bindBodies(
  scope: InputScope,
  variant: KernelVariant,
  bodies: AnyBodies,
  into?: { poses: GPUBuffer; bodyShapes: GPUBuffer },
): Dispatch {
  const { device, pool, home, dimension, idCount } = scope;
  const { shapes, positions, scales } = bodies;
  const bodyCount = shapes.length;
  const fixedPointWords = usesFixedPoint(bodies) ? 2 * dimension.dimension : 0;
  // The largest buffer comes first, so that it is the one that the device has no room for.
  const poses = into?.poses ?? home.pool.get('poses', 4 * dimension.poseWords * bodyCount);
  const bodyShapes = into?.bodyShapes ?? home.pool.get('bodies', 4 * (1 + fixedPointWords) * bodyCount);
  if (home.needs('shapes', bodyShapes)) writeBuffer(device.queue, bodyShapes, 0, shapes);
  const given = upload(home, 'positions', positions);
  return bind(scope, variant, layouts.PackBodiesParameters, { bodyCount, shapeCount: idCount }, bodyCount, {
    shapeRecords: scope.shapeRecords ?? pool.get('shapes', 0),
    bodyShapes,
    positions: given,
    rotations: upload(home, 'quaternions' in bodies ? 'quaternions' : 'angles', rotationsOf(bodies)),
    scales: scales ? upload(home, 'scales', scales) : given,
    poses,
  });
}

/** Uploads velocities and packs them into `velocities`. */
export function bindVelocities(
  scope: InputScope,
  variant: KernelVariant,
  { linear, angular }: BodyMotion,
  into?: GPUBuffer,
): Dispatch {
  const { home, dimension } = scope;
  const { dimension: axes, velocityWords, angularComponents, angularWord } = dimension;
  const bodyCount = linear.length / axes;
  const given = upload(home, 'linearVelocities', linear);
  const values = { bodyCount, axes, velocityWords, angularComponents, angularWord };
  return bind(scope, variant, layouts.PackVelocitiesParameters, values, bodyCount, {
    linear: given,
    angular: angular ? upload(home, 'angularVelocities', angular) : given,
    velocities: into ?? home.pool.get('velocities', 4 * velocityWords * bodyCount),
  });
}

function upload({ pool, needs }: BodyHome, name: string, array: Numbers): GPUBuffer {
  const buffer = pool.get(givenBuffer(name), array.byteLength);
  if (needs(name, buffer)) pool.upload(givenBuffer(name), array);
  return buffer;
}

/** Uploads pairs to `pairs` and inspects them. The first of them is the caller's pair `firstPair`. */
export function bindPairs(scope: InputScope, pairs: Uint32Array, firstPair: number, bodyCount: number): Dispatch {
  const { pool, home, dimension, idCount } = scope;
  const { shapeWords, kindWord } = dimension;
  const pairCount = pairs.length / 2;
  const values = { firstPair, pairCount, bodyCount, shapeCount: idCount, shapeWords, kindWord };
  const invocations = Math.ceil(pairCount / PAIRS_PER_INVOCATION);
  return bind(scope, INSPECT_PAIRS, layouts.InspectPairsParameters, values, invocations, {
    pairs: pool.upload('pairs', pairs),
    bodyShapes: home.pool.get('bodies', 0),
    shapeRecords: pool.get('shapes', 0),
  });
}

/** Writes the 64-bit positions that `bindBodies` uploaded as fixed-point numbers after the shapes of `bodies`. */
export function bindFixedPoint(
  scope: InputScope,
  variant: KernelVariant,
  bodyCount: number,
  cellExponent: number,
): Dispatch {
  const { pool } = scope.home;
  const axes = scope.dimension.dimension;
  const values = { bodyCount, axes, cellExponent };
  return bind(scope, variant, layouts.PackFixedPointParameters, values, axes * bodyCount, {
    positions: pool.get(givenBuffer('positions'), 0),
    bodyShapes: pool.get('bodies', 0),
  });
}

type ParametersLayout = Parameters<typeof packRecord>[0];

function bind<Layout extends ParametersLayout>(
  { device, kernels, pool, idCount }: InputScope,
  variant: KernelVariant,
  layout: Layout,
  values: Record<string, number>,
  invocations: number,
  buffers: Record<string, GPUBuffer>,
): Dispatch {
  const { kernel } = variant;
  const record = packRecord(layout, {
    ...values,
    gridWidth: gridWidth(device, workgroupsFor(kernel, invocations)),
  } as never);
  const parameters = pool.uniform(`parameters.${kernel}`, record);
  const report = pool.get('report', reportBytes(idCount));
  return kernels.bind(variant, { ...buffers, parameters, report }, invocations, pool);
}
