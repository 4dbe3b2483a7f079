/**
 * The generated layouts against WGSL's own rules (sections 14.4.1 of the specification: alignment and size), applied
 * here to the text of the shaders, and the numbers that WGSL and TypeScript share.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as constants from '../../src/generated/constants.ts';
import { kernels } from '../../src/generated/kernel-table.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { partLayouts } from '../../src/generated/part-layouts.ts';
import { packBodies } from '../../src/records/bodies.ts';
import { packRecord } from '../../src/records/record.ts';
import { packShapes } from '../../src/records/shapes.ts';
import { NO_ARC } from '../../src/shapes/arc-trails.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { Status } from '../../src/api/types.ts';
import {
  layouts as publicLayouts,
  planarResultsWgsl,
  planarShapesWgsl,
  raysWgsl,
  resultsWgsl,
  shapesWgsl,
} from '../../src/wgsl.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';

const shaders = fileURLToPath(new URL('../../shaders', import.meta.url));
const files = readdirSync(shaders, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.wgsl'));
const texts = files.map((file) => readFileSync(join(shaders, file), 'utf8').replace(/\/\/.*$/gm, ''));

/** Alignment, size and number of scalars. */
const TYPES: Record<string, { align: number; size: number; length: number }> = {
  f32: { align: 4, size: 4, length: 1 },
  u32: { align: 4, size: 4, length: 1 },
  i32: { align: 4, size: 4, length: 1 },
  ...Object.fromEntries(
    ['f', 'u', 'i'].flatMap((scalar) => [
      [`vec2${scalar}`, { align: 8, size: 8, length: 2 }],
      [`vec3${scalar}`, { align: 16, size: 12, length: 3 }],
      [`vec4${scalar}`, { align: 16, size: 16, length: 4 }],
    ]),
  ),
};

const SCALARS: Record<string, string> = { f: 'f32', u: 'u32', i: 'i32' };

function roundUp(multiple: number, value: number): number {
  return Math.ceil(value / multiple) * multiple;
}

interface Field {
  offset: number;
  type: string;
  length: number;
}

/** Layout of the one struct of that name in the shaders. */
function layoutOf(name: string): { size: number; fields: Record<string, Field> } {
  const bodies = texts.flatMap((text) =>
    [...text.matchAll(new RegExp(`\\bstruct ${name} \\{([^}]*)\\}`, 'g'))].map((match) => match[1]),
  );
  if (bodies.length !== 1) throw new Error(`${bodies.length} structs are called ${name}`);
  const fields: Record<string, Field> = {};
  let end = 0;
  let alignment = 1;
  for (const [, field, item, count = 1] of bodies[0].matchAll(
    /(\w+)\s*:\s*(?:array<|atomic<)?(\w+)(?:,\s*(\d+)>)?\s*,?/g,
  )) {
    const { align, size, length } = TYPES[item];
    const offset = roundUp(align, end);
    fields[field] = {
      offset,
      type: SCALARS[item.at(item.startsWith('vec') ? -1 : 0)!],
      length: length * Number(count),
    };
    end = offset + size * Number(count);
    alignment = Math.max(alignment, align);
  }
  return { size: roundUp(alignment, end), fields };
}

/** The word at which each field begins. */
function placesOf(fields: Record<string, { offset: number }>): [string, number][] {
  return Object.entries(fields).map(([name, { offset }]) => [name, offset / 4]);
}

describe('layouts', () => {
  test.each(Object.entries({ ...layouts, ...partLayouts }))('%s is laid out as WGSL says', (name, layout) => {
    expect(layout).toEqual(layoutOf(name));
    expect(Object.keys(layout.fields).length).toBeGreaterThan(1);
  });

  test('records that callers read have the documented sizes and offsets', () => {
    expect([layouts.Shape.size, layouts.Pose.size]).toEqual([48, 32]);
    expect([layouts.Distance.size, layouts.Contact.size]).toEqual([48, 64]);
    const offsets = Object.fromEntries(
      Object.entries(layouts.Contact.fields).map(([field, { offset }]) => [field, offset]),
    );
    expect(offsets).toEqual({
      normal: 0,
      distance: 12,
      pointA: 16,
      info: 28,
      pointB: 32,
      lower: 44,
      upper: 48,
      featureA: 52,
      featureB: 56,
      reserved: 60,
    });
  });

  test('Shape and Pose have the rows that kernels/load-pair.wgsl reads', () => {
    expect(placesOf(layouts.Shape.fields)).toEqual([
      ['halfExtents', 0],
      ['radius', 3],
      ['boundingRadius', 4],
      ['kind', 5],
      ['firstRow', 6],
      ['vertexCount', 7],
      ['edgeCount', 8],
      ['faceCount', 9],
      ['firstCellRow', 10],
      ['cellResolution', 11],
    ]);
    expect(placesOf(layouts.Pose.fields)).toEqual([
      ['position', 0],
      ['scale', 3],
      ['quaternion', 4],
    ]);
  });

  test('Contact starts with the fields of Distance', () => {
    for (const [field, layout] of Object.entries(layouts.Distance.fields)) {
      expect(layouts.Contact.fields[field as keyof typeof layouts.Contact.fields], field).toEqual(layout);
    }
  });

  test('uniform blocks keep to 4-byte members, so that every backend agrees on their size', () => {
    for (const name of ['Parameters', 'RecordParameters', 'ArrayParameters'] as const) {
      const fields = Object.values(layouts[name].fields);
      expect(fields.every(({ length }) => length === 1)).toBe(true);
      expect(layouts[name].size).toBe(4 * fields.length);
    }
  });

  test('the table of classes is rows of 16 bytes, as uniform blocks want arrays', () => {
    const { classes } = layouts.CompactParameters.fields;
    expect(classes.length).toBe(constants.KIND_COUNT ** 2 / 4);
    expect([classes.offset % 16, layouts.CompactParameters.size - classes.offset]).toEqual([
      0,
      constants.KIND_COUNT ** 2,
    ]);
  });

  test('counts have their words', () => {
    const words = Object.fromEntries(
      Object.entries(layouts.Counts.fields).map(([name, { offset }]) => [name, offset / 4]),
    );
    const { COUNTS_PAIRS, COUNTS_PAIR_OVERFLOW, COUNTS_HITS, COUNTS_HIT_OVERFLOW, COUNTS_STATUSES } = constants;
    expect(words).toMatchObject({
      pairs: COUNTS_PAIRS,
      pairOverflow: COUNTS_PAIR_OVERFLOW,
      hits: COUNTS_HITS,
      hitOverflow: COUNTS_HIT_OVERFLOW,
    });
    const statuses = ['separated', 'overlapping', 'notConverged', 'invalidInput', 'capacityExceeded'];
    expect(statuses.map((name) => words[name])).toEqual([0, 1, 2, 3, 4].map((status) => COUNTS_STATUSES + status));
  });

  test('narrowphase/wgsl gives the layouts, and structs that stand alone', () => {
    expect(publicLayouts).toBe(layouts);
    for (const struct of ['Distance', 'Contact', 'Counts']) expect(resultsWgsl).toContain(`struct ${struct} {`);
    for (const struct of ['Shape', 'Pose', 'Core']) expect(shapesWgsl).toContain(`struct ${struct} {`);
    for (const struct of ['PlanarDistance', 'PlanarContact']) expect(planarResultsWgsl).toContain(`struct ${struct} {`);
    for (const struct of ['PlanarShape', 'PlanarPose']) expect(planarShapesWgsl).toContain(`struct ${struct} {`);
    for (const struct of ['RayCast', 'RayHit', 'PlanarRayCast', 'PlanarRayHit'])
      expect(raysWgsl).toContain(`struct ${struct} {`);
    for (const text of [resultsWgsl, shapesWgsl, planarResultsWgsl, planarShapesWgsl, raysWgsl]) {
      expect(text).not.toMatch(/\bimport\b|@group/);
      // Each starts with what it is.
      expect(text).toMatch(/^\/\/ Records of /);
    }
  });
});

describe('constants', () => {
  /** The machine epsilon of f32, as in shared/math.wgsl. */
  const EPSILON = 1.1920929e-7;
  /** `const NAME: f32 or u32 = EXPRESSION;` of the shaders, worked out. */
  const declared = new Map<string, number>();
  for (const text of texts) {
    for (const [, name, value] of text.matchAll(/^const (\w+)\s*:\s*(?:f32|u32) = ([^;]+);/gm)) {
      const plain = value.replaceAll(/\b(0x[\da-f]+|\d+)u\b/gi, '$1').replaceAll(/\s/g, '');
      const shift = /^(\d+)<<(\d+)$/.exec(plain);
      const ulps = /^([\d.]+)\*EPSILON$/.exec(plain);
      if (shift) declared.set(name, Number(shift[1]) * 2 ** Number(shift[2]));
      else declared.set(name, ulps ? Number(ulps[1]) * EPSILON : Number(plain));
    }
  }

  test.each(Object.entries(constants))('%s is %d in the shaders too', (name, value) => {
    expect(declared.get(name)).toBe(value);
  });

  test('statuses of the public interface are those of the kernels', () => {
    expect(Status).toEqual({
      Separated: constants.STATUS_SEPARATED,
      Overlapping: constants.STATUS_OVERLAPPING,
      NotConverged: constants.STATUS_NOT_CONVERGED,
      InvalidInput: constants.STATUS_INVALID_INPUT,
      CapacityExceeded: constants.STATUS_CAPACITY_EXCEEDED,
    });
  });

  test('bits of info do not overlap', () => {
    const {
      INFO_STATUS_MASK,
      INFO_HIT,
      INFO_PENDING_GJK,
      INFO_PENDING_EPA,
      INFO_PENDING_ARCS,
      INFO_PENDING_REFINE,
      INFO_PENDING_MOTION,
      INFO_PENDING_PARTING,
      INFO_TOUCHING,
      INFO_LEAVING,
      INFO_HAS_POINTS,
      INFO_ITERATIONS_SHIFT,
    } = constants;
    const ofAll = [INFO_STATUS_MASK, INFO_HIT, INFO_HAS_POINTS];
    for (const masks of [
      [...ofAll, INFO_PENDING_GJK, INFO_PENDING_EPA, INFO_PENDING_ARCS, INFO_PENDING_REFINE],
      [...ofAll, INFO_PENDING_MOTION, INFO_PENDING_PARTING, INFO_TOUCHING, INFO_LEAVING],
    ]) {
      expect(masks.reduce((all, mask) => all | mask)).toBe(masks.reduce((sum, mask) => sum + mask));
      expect(Math.max(...masks)).toBeLessThan(2 ** INFO_ITERATIONS_SHIFT);
    }
  });

  test("EPA's polytopes fit the memory that WGSL grants and what their packing can number", () => {
    const { EPA_SMALL_VERTICES, EPA_SMALL_FACES } = constants;
    expect(EPA_SMALL_FACES).toBe(2 * EPA_SMALL_VERTICES - 4);
    // Sets of faces have 128 bits; vertices take four words, faces three, an edge of the horizon one.
    expect(EPA_SMALL_FACES).toBeLessThanOrEqual(128);
    expect(16 * EPA_SMALL_VERTICES + 12 * EPA_SMALL_FACES + 4 * EPA_SMALL_VERTICES).toBeLessThanOrEqual(8192);
  });
});

describe('kernels', () => {
  test.each(Object.entries(kernels))('%s binds each number once and at most 8 storage buffers', (_, { bindings }) => {
    const all = Object.values(bindings) as { binding: number; type: string }[];
    expect(new Set(all.map(({ binding }) => binding)).size).toBe(all.length);
    expect(all.filter(({ type }) => type !== 'uniform').length).toBeLessThanOrEqual(8);
  });
});

describe('packing', () => {
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
    expect([20, 24, 28].map((offset) => view.getFloat32(offset, true))).toEqual([
      Math.fround(0.1),
      Math.fround(0.3),
      2,
    ]);
  });

  test('poses are normalised, have scale 1 by default, and shapes beside them', () => {
    const { poses, bodyShapes } = packBodies(
      {
        shapes: Uint32Array.of(5, 6),
        positions: Float32Array.of(1, 2, 3, 4, 5, 6),
        quaternions: Float32Array.of(0, 3, 0, 4, 0, 0, 0, 1e-6),
      },
      dimension3,
    );
    expect(Array.from(poses)).toEqual([1, 2, 3, 1, 0, Math.fround(0.6), 0, Math.fround(0.8), 4, 5, 6, 1, 0, 0, 0, 1]);
    expect(Array.from(bodyShapes)).toEqual([5, 6]);
  });

  test('64-bit positions are a cell and a fraction of one, whose differences are exact for neighbours', () => {
    const positions = Float64Array.of(1e8 + 0.0625, -3e8, 5, 1e8 + 1.0625, -3e8 - 0.5, 5.25);
    const { bodyShapes, cellSize } = packBodies(
      { shapes: Uint32Array.of(0, 0), positions, quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1) },
      dimension3,
    );
    // Two shapes, then three cells and three fractions a body.
    expect(bodyShapes.length).toBe(14);
    const words = new Int32Array(bodyShapes.buffer);
    const between = (word: number): number => words[8 + word] - words[2 + word];
    for (let axis = 0; axis < 3; axis++) {
      const offset = (between(axis) + between(3 + axis) / 2 ** constants.FRACTION_BITS) * cellSize;
      expect(offset).toBe(positions[3 + axis] - positions[axis]);
    }
    expect(Math.log2(cellSize) % 1).toBe(0);
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
});
