/** Records and shapes as the buffers of kernels hold them. */

import { expect, test } from 'vitest';
import * as constants from '../../src/generated/constants.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { packRecord } from '../../src/records/record.ts';
import { packShapes } from '../../src/records/shapes.ts';
import { NO_ARC } from '../../src/shapes/arc-trails.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';

test('a record has its values at its offsets, floats as f32', () => {
  const view = new DataView(
    packRecord(layouts.Parameters, {
      pairCount: 7,
      pairCapacity: 10,
      bodyCount: 8,
      shapeCount: 0xffff_ffff,
      gridWidth: 9,
      margin: 0.1,
      duration: 0.3,
      cellSize: 2,
      firstClass: 3,
      endClass: 4,
      firstEntry: 32,
      countWord0: 17,
      countWord1: 18,
      countWord2: 0,
      firstEntry0: 42,
      firstEntry1: 52,
      firstEntry2: 0,
    }),
  );
  expect(view.byteLength).toBe(layouts.Parameters.size);
  const first = layouts.Parameters.fields.firstEntry0.offset;
  expect([0, 4, 8].map((offset) => view.getUint32(first + offset, true))).toEqual([42, 52, 0]);
  expect([0, 4, 8, 12, 16].map((offset) => view.getUint32(offset, true))).toEqual([7, 10, 8, 0xffff_ffff, 9]);
  expect([20, 24, 28].map((offset) => view.getFloat32(offset, true))).toEqual([Math.fround(0.1), Math.fround(0.3), 2]);
});

test('shape records point at their rows: vertices, edges, faces, support cells, Gauss map', () => {
  const shapes = [
    makeShapeData({ type: 'box', halfExtents: [1, 2, 3], radius: 0.5 }),
    makeShapeData({ type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0] }),
    undefined,
    makeShapeData({ type: 'hull', points: [9, 9, 9, 0, 0, 0, 0, 0, 1] }),
  ];
  const packed = packShapes(shapes);
  const floats = new Float32Array(packed.shapes);
  const words = new Uint32Array(packed.shapes);
  const stride = layouts.Shape.size / 4;
  const field = (shape: number, name: keyof typeof layouts.Shape.fields): number =>
    words[shape * stride + layouts.Shape.fields[name].offset / 4];
  expect(Array.from(floats.subarray(0, 5))).toEqual([1, 2, 3, 0.5, Math.fround(Math.sqrt(14) + 0.5)]);
  expect([0, 1, 3].map((shape) => field(shape, 'kind'))).toEqual([
    constants.CORE_BOX,
    constants.CORE_TRIANGLE,
    constants.CORE_TRIANGLE,
  ]);
  expect(field(2, 'kind')).toBeGreaterThan(constants.CORE_HULL);
  expect([1, 3].map((shape) => field(shape, 'vertexCount'))).toEqual([3, 3]);
  expect([1, 3].map((shape) => field(shape, 'edgeCount'))).toEqual([3, 3]);
  expect([1, 3].map((shape) => field(shape, 'faceCount'))).toEqual([2, 2]);
  expect([1, 3].map((shape) => field(shape, 'cellResolution'))).toEqual([2, 2]);
  // Eight rows up to the loops, two of them; six rows of packed cells; 25 starts of the 24 cells take seven rows.
  // The Gauss map is behind the candidates: a row of counts; two normals, and as many in the plane as there are edges;
  // three rows of their coarse planes; eight steps along the trails of six arcs, four rows of coarse planes and two
  // rows of numbers.
  const cells = shapes.map((shape) => shape?.supportCells);
  const map = 16 + 7 + cells[1]!.candidates.length;
  const second = map + 1 + 5 + 3 + 4 + 2;
  expect([1, 3].map((shape) => field(shape, 'firstRow'))).toEqual([0, second]);
  expect([1, 3].map((shape) => field(shape, 'firstCellRow'))).toEqual([16, second + 16]);
  const rows = new Float32Array(packed.geometry);
  const integers = new Uint32Array(packed.geometry);
  expect(packed.geometry.byteLength).toBe(16 * (second + 16 + 7 + cells[3]!.candidates.length + 15));
  const [start, end] = [integers[4 * 16 + 5], integers[4 * 16 + 6]];
  expect([start, end]).toEqual([7 + cells[1]!.start[5], 7 + cells[1]!.start[6]]);
  const [x, y, z] = cells[1]!.candidates.subarray(cells[1]!.start[5], cells[1]!.start[6]);
  expect(Array.from({ length: end - start }, (_, i) => integers[4 * (16 + start + i) + 3])).toEqual(
    [x, y, z].filter((vertex) => vertex !== undefined),
  );
  // The same in bytes, the first one repeated.
  const bytes = new Uint8Array(packed.geometry, 16 * 10 + 4 * 5, 4);
  expect([...bytes]).toEqual([x, y ?? x, z ?? x, x]);
  expect(
    Array.from({ length: 3 }, (_, v) => [rows[4 * v], rows[4 * v + 1], rows[4 * v + 2], integers[4 * v + 3]]),
  ).toEqual([
    [0, 0, 0, 0],
    [1, 0, 0, 1],
    [0, 1, 0, 2],
  ]);
  expect(Array.from(integers.subarray(12, 24))).toEqual([0, 1, 0, 0, 0, 2, 0, 0, 1, 2, 0, 0]);
  expect([6, 7].map((row) => Math.abs(rows[4 * row + 2]))).toEqual([1, 1]);
  // Where each face's loop starts, and the loops: a length, then vertices, the back's the other way around.
  expect([6, 7].map((row) => integers[4 * row + 3])).toEqual([0, 4]);
  const loops = Array.from(integers.subarray(32, 40));
  expect([loops[0], loops[4]]).toEqual([3, 3]);
  expect(loops.slice(5).reverse()).toEqual(loops.slice(1, 4));
  expect(Array.from(integers.subarray(4 * map, 4 * map + 2))).toEqual([5, 8]);
  expect(rows[4 * map + 2]).toBe(1);
  expect(Array.from({ length: 5 }, (_, i) => rows[4 * (map + 1 + i) + 2] + 0)).toEqual([1, -1, 0, 0, 0]);
  expect(Array.from({ length: 5 }, (_, i) => rows[4 * (map + 1 + i) + 3] + 0)).toEqual(
    [0, 0, 0, Math.SQRT1_2, 0].map(Math.fround),
  );
  const { normals, offsets, trails } = shapes[1]!.gaussMap;
  const halves = new Int16Array(packed.geometry);
  const coarse = [...offsets.keys(), -1, ...trails.normals];
  coarse.forEach((normal, i) => {
    const plane = Array.from(halves.subarray(8 * (map + 6) + 4 * i, 8 * (map + 6) + 4 * i + 4));
    // What is not a face, or has no arc to it, is marked.
    expect(plane[3] & 1).toBe(normal < 0 || (i > 5 && trails.arcs[i - 6] === NO_ARC) ? 1 : 0);
    if (normal < 0) return;
    const exact = [...normals.subarray(3 * normal, 3 * normal + 3), offsets[normal]].map(
      (value) => constants.COARSE_ONE * value,
    );
    for (let k = 0; k < 3; k++) expect(Math.abs(plane[k] - exact[k])).toBeLessThanOrEqual(0.5);
    expect(Math.abs(plane[3] - exact[3])).toBeLessThanOrEqual(2);
  });
  const numbers = 4 * (map + 13);
  expect(Array.from(integers.subarray(numbers, 4 * second))).toEqual([...trails.normals]);
});
