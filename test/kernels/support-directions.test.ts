/**
 * Supports along directions that are none, zero or not a number, and in cells whose lists end too late: a number of a
 * vertex comes back all the same, after no more steps than there are vertices. Drivers differ in what integer they make
 * of what is not a number.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: scripts have no types
import { linkModules as linkUntyped } from '../../scripts/shaders/link.mjs';
import { layouts } from '../../src/generated/layouts.ts';
import { packPlanarShapes } from '../../src/records/planar-shapes.ts';
import { packShapes } from '../../src/records/shapes.ts';
import { makePlanarShapeData } from '../../src/shapes/planar-shape-data.ts';
import { makeShapeData, type ShapeData } from '../../src/shapes/shape-data.ts';
import { ball } from '../../verification/families/hulls.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { readBuffer, storageBuffer } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

const linkModules = linkUntyped as (folder: string, path: string) => Map<string, string>;

const SEED = 20_261_128;
const VERTICES = 40;
const CORNERS = 21;
/** How much higher a wrong answer of the device may be. */
const ROUNDING = 1e-6;

const hull = makeShapeData(ball(VERTICES), 'hull') as ShapeData;
const polygon = makePlanarShapeData(
  {
    type: 'polygon',
    points: Array.from({ length: CORNERS }, (_, i) =>
      [Math.cos, Math.sin].map((f) => f((2 * Math.PI * i) / CORNERS)),
    ).flat(),
  },
  'polygon',
);

const NO_DIRECTIONS = [
  [0, 0, 0],
  [-0, -0, -0],
  [NaN, NaN, NaN],
  [NaN, 1, 0],
  [1, NaN, NaN],
  [0, 1, NaN],
  [Infinity, Infinity, Infinity],
  [-Infinity, 1, NaN],
];
const random = createRandom(SEED);
const ORDINARY = Array.from({ length: 200 }, () => Array.from({ length: 3 }, () => uniform(random, -1, 1)));

let device: GPUDevice;
beforeAll(async () => void (device = await openDefaultDevice('support-directions.device')));
afterAll(() => device?.destroy());

/** Cells and supports along directions, by the kernel of a file in this folder. */
async function supports(
  file: string,
  { shapes, geometry }: { shapes: ArrayBuffer; geometry: ArrayBuffer },
  directions: readonly number[][],
  constants?: Record<string, number>,
): Promise<number[][]> {
  const code = [...linkModules(join(import.meta.dirname, '../../shaders'), `../test/kernels/${file}`).values()].join(
    '\n',
  );
  const results = await withoutErrors(device, async () => {
    const module = device.createShaderModule({ label: `test.${file}`, code });
    const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module, constants } });
    const output = storageBuffer(device, 'test.results', new Uint32Array(2 * directions.length));
    const input = Float32Array.from(directions.flatMap(([x, y, z]) => [x, y, z, 0]));
    const buffers = [input, new Uint32Array(shapes), new Uint32Array(geometry)];
    const bindGroup = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [...buffers.map((data, i) => storageBuffer(device, `test.${i}`, data)), output].map(
        (buffer, binding) => ({ binding, resource: { buffer } }),
      ),
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(Math.ceil(directions.length / 64));
    pass.end();
    device.queue.submit([encoder.finish()]);
    return new Uint32Array(await readBuffer(device, output));
  });
  return directions.map((_, i) => [results[2 * i], results[2 * i + 1]]);
}

function heightsOf({ vertices }: { vertices: ArrayLike<number> }, axes: number, direction: number[]): number[] {
  return Array.from({ length: vertices.length / axes }, (_, vertex) => {
    return direction.slice(0, axes).reduce((sum, x, axis) => sum + x * vertices[axes * vertex + axis], 0);
  });
}

describe.each([
  ['a hull', 'support-directions', packShapes([hull]), hull, 3, 6 * hull.supportCells.resolution ** 2, {}],
  [
    'a hull on a graphics card',
    'support-directions',
    packShapes([hull]),
    hull,
    3,
    6 * hull.supportCells.resolution ** 2,
    { PACKED_CELLS: 1 },
  ],
  [
    'a hull whose loads are unrolled',
    'support-directions',
    packShapes([hull]),
    hull,
    3,
    6 * hull.supportCells.resolution ** 2,
    { UNROLLS_LOADS: 1 },
  ],
  ['a polygon', 'support-directions-planar', packPlanarShapes([polygon]), polygon, 2, 4 * 6, {}],
] as const)('%s', (_, file, packed, shape, axes, cellCount, constants) => {
  test('a direction that is zero or not a number has a cell and a support', async () => {
    for (const [cell, number] of await supports(file, packed, NO_DIRECTIONS, constants)) {
      expect(cell).toBeLessThan(cellCount);
      expect(number).toBeLessThan(shape.vertices.length / axes);
    }
  });

  test('any other direction has the highest vertex', async () => {
    const found = await supports(file, packed, ORDINARY, constants);
    const misses = ORDINARY.map((direction, i) => {
      const heights = heightsOf(shape, axes, direction);
      return Math.max(...heights) - heights[found[i][1]];
    });
    expect(Math.max(...misses), `seed ${SEED}`).toBeLessThan(ROUNDING);
  });
});

test('a list of candidates that ends too late is not read beyond as many as there are vertices', async () => {
  const { shapes, geometry } = packShapes([hull]);
  // Of the cell of (1, -1, -1), the first of all. The row behind all others is a vertex beyond all of them.
  const { start } = hull.supportCells;
  const rows = new Uint32Array(geometry.byteLength / 4 + 4);
  rows.set(new Uint32Array(geometry));
  const decoy = rows.length / 4 - 1;
  new Float32Array(rows.buffer).set([1e6, -1e6, -1e6], 4 * decoy);
  rows[4 * decoy + 3] = VERTICES;
  const firstCellRow = new Uint32Array(shapes)[layouts.Shape.fields.firstCellRow.offset / 4];
  expect(rows[4 * firstCellRow + 1] - rows[4 * firstCellRow]).toBe(start[1] - start[0]);
  rows[4 * firstCellRow + 1] = decoy + 1 - firstCellRow;
  const direction = [1, -1, -1];
  const [[, number]] = await supports('support-directions', { shapes, geometry: rows.buffer }, [direction]);
  const heights = heightsOf(hull, 3, direction);
  expect(heights[number]).toBeCloseTo(Math.max(...heights), 6);
});
