/** The kernels that pack and inspect a query's input, run by themselves. */

import { PAIRS_PER_INVOCATION, REPORT_SHAPES } from '../../src/generated/constants.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { SOFTWARE } from '../../src/gpu/adapter-class.ts';
import { createKernels, record, workgroupsFor, gridWidth, type KernelVariant } from '../../src/gpu/kernels.ts';
import type { AnyBodies, BodyMotion } from '../../src/records/bodies.ts';
import { cellExponentFor } from '../../src/records/cells.ts';
import { packRecord } from '../../src/records/record.ts';
import type { Dimension } from '../../src/request/dimension.ts';
import type { ShapeTable } from '../../src/shapes/shape-table.ts';
import { readBuffer, storageBuffer } from './batch.ts';
import { openDefaultDevice, withoutErrors } from './gpu.ts';

export interface InputKernels {
  /** Poses of all bodies, and the report. */
  packBodies(
    bodies: AnyBodies,
    table: ShapeTable,
    dimension: Dimension,
  ): Promise<{ poses: Uint32Array; report: Uint32Array }>;
  /** Shape ids, followed by fixed-point positions. `greatest`: word `REPORT_GREATEST` of the report. */
  packFixedPoint(bodies: AnyBodies, dimension: Dimension, greatest: number): Promise<Uint32Array>;
  packVelocities(motion: BodyMotion, dimension: Dimension): Promise<{ velocities: Uint32Array; report: Uint32Array }>;
  inspectPairs(
    bodies: AnyBodies,
    pairs: Uint32Array,
    table: ShapeTable,
    dimension: Dimension,
    firstPair?: number,
  ): Promise<Uint32Array>;
  dispose(): void;
}

export async function createInputKernels(): Promise<InputKernels> {
  const device = await openDefaultDevice('input-kernels.device');
  const kernels = createKernels(device, SOFTWARE);

  async function run<Name extends string>(
    variant: KernelVariant,
    parameters: (gridWidth: number) => ArrayBuffer,
    inputs: Record<string, ArrayBufferView<ArrayBuffer>>,
    outputs: Record<Name, Uint32Array<ArrayBuffer>>,
    invocations: number,
  ): Promise<Record<Name, Uint32Array>> {
    return withoutErrors(device, async () => {
      await kernels.prepare([variant]);
      const uniform = device.createBuffer({ label: 'test.parameters', size: 64, usage: 64 | 8 });
      device.queue.writeBuffer(uniform, 0, parameters(gridWidth(device, workgroupsFor(variant.kernel, invocations))));
      const stored = Object.entries({ ...inputs, ...outputs } as Record<string, ArrayBufferView<ArrayBuffer>>);
      const buffers = stored.map(([name, data]) => [name, storageBuffer(device, `test.${name}`, data)] as const);
      const all: Record<string, GPUBuffer> = { ...Object.fromEntries(buffers), parameters: uniform };
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      record(pass, [kernels.bind(variant, all, invocations)]);
      pass.end();
      device.queue.submit([encoder.finish()]);
      const results = {} as Record<Name, Uint32Array>;
      for (const name of Object.keys(outputs) as Name[])
        results[name] = new Uint32Array(await readBuffer(device, all[name]));
      for (const buffer of Object.values(all)) buffer.destroy();
      return results;
    });
  }

  return {
    packBodies(bodies, { shapes }, dimension) {
      const { positions, scales } = bodies;
      const bodyCount = bodies.shapes.length;
      const constants = {
        ...(positions instanceof Float64Array && { HAS_FIXED_POINT: 1 }),
        ...(scales && { HAS_SCALES: 1 }),
      };
      return run(
        { kernel: dimension.dimension === 2 ? 'planar/pack-bodies' : 'pack-bodies', constants },
        (width) => packRecord(layouts.PackBodiesParameters, { bodyCount, shapeCount: shapes.length, gridWidth: width }),
        {
          shapeRecords: new Uint8Array(dimension.packShapes(shapes).shapes),
          bodyShapes: fixed(bodies.shapes),
          positions: fixed(positions),
          rotations: fixed('quaternions' in bodies ? bodies.quaternions : bodies.angles),
          scales: fixed(scales ?? new Float32Array(1)),
        },
        { poses: new Uint32Array(dimension.poseWords * bodyCount), report: emptyReport(shapes.length) },
        bodyCount,
      );
    },

    async packFixedPoint({ shapes, positions }, { dimension }, greatest) {
      const bodyCount = shapes.length;
      const bodyShapes = new Uint32Array((1 + 2 * dimension) * bodyCount);
      bodyShapes.set(shapes);
      const cellExponent = cellExponentFor(greatest);
      const packed = await run(
        { kernel: 'pack-fixed-point' },
        (width) =>
          packRecord(layouts.PackFixedPointParameters, { bodyCount, axes: dimension, gridWidth: width, cellExponent }),
        { positions: fixed(positions) },
        { bodyShapes },
        dimension * bodyCount,
      );
      return packed.bodyShapes;
    },

    packVelocities({ linear, angular }, { dimension, velocityWords, angularComponents, angularWord }) {
      const bodyCount = linear.length / dimension;
      const sizes = { bodyCount, axes: dimension, velocityWords, angularComponents, angularWord };
      return run(
        { kernel: 'pack-velocities', constants: angular && { HAS_ANGULAR: 1 } },
        (width) => packRecord(layouts.PackVelocitiesParameters, { ...sizes, gridWidth: width }),
        { linear: fixed(linear), angular: fixed(angular ?? new Float32Array(1)) },
        { velocities: new Uint32Array(velocityWords * bodyCount).fill(1), report: emptyReport(0) },
        bodyCount,
      );
    },

    async inspectPairs({ shapes }, pairs, table, { packShapes, shapeWords, kindWord }, firstPair = 0) {
      const pairCount = pairs.length / 2;
      const sizes = { firstPair, pairCount, bodyCount: shapes.length, shapeCount: table.shapes.length };
      const { report } = await run(
        { kernel: 'inspect-pairs' },
        (width) => packRecord(layouts.InspectPairsParameters, { ...sizes, gridWidth: width, shapeWords, kindWord }),
        {
          pairs: fixed(pairs),
          bodyShapes: fixed(shapes),
          shapeRecords: new Uint8Array(packShapes(table.shapes).shapes),
        },
        { report: emptyReport(table.shapes.length) },
        Math.ceil(pairCount / PAIRS_PER_INVOCATION),
      );
      return report;
    },

    dispose: () => device.destroy(),
  };
}

function emptyReport(shapeCount: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(REPORT_SHAPES + Math.ceil(shapeCount / 32) + 1);
}

function fixed<View extends ArrayBufferView>(view: View): View & ArrayBufferView<ArrayBuffer> {
  return view as View & ArrayBufferView<ArrayBuffer>;
}
