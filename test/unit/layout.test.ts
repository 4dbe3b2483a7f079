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
import { searchKernels } from '../../src/generated/search-kernels.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { Status } from '../../src/api/types.ts';
import {
  layouts as publicLayouts,
  planarResultsWgsl,
  planarShapesWgsl,
  raysWgsl,
  resultsWgsl,
  shapesWgsl,
} from '../../src/wgsl.ts';
import { MAX_DEPTH } from '../../src/bvh/part-tree.ts';
import { MOST_LEVELS } from '../../src/generated/constants.ts';

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
  test.each(Object.entries(layouts))('%s is laid out as WGSL says', (name, layout) => {
    expect(layout).toEqual(layoutOf(name));
    expect(Object.keys(layout.fields).length).toBeGreaterThan(1);
  });

  test('records that callers read have the documented sizes and offsets', () => {
    expect([layouts.Shape.size, layouts.Pose.size]).toEqual([64, 32]);
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
      ['middle', 12],
      ['middleRadius', 15],
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
    for (const [name, layout] of Object.entries(publicLayouts)) expect(layout).toBe(layouts[name as 'Pose']);
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
  /** `const NAME: f32 or u32 = EXPRESSION;` of the shaders. */
  const declared = new Map<string, string>();
  for (const text of texts) {
    for (const [, name, value] of text.matchAll(/^const (\w+)\s*:\s*(?:f32|u32) = ([^;]+);/gm)) {
      declared.set(name, value.replaceAll(/\b(0x[\da-f]+|\d+)u\b/gi, '$1').replaceAll(/\s/g, ''));
    }
  }
  /** A number, the name of a constant, a shift, or a product with EPSILON. */
  const worth = (expression: string): number => {
    const shift = /^(\d+)<<(\d+)$/.exec(expression);
    if (shift) return Number(shift[1]) * 2 ** Number(shift[2]);
    const ulps = /^(.+)\*EPSILON$/.exec(expression);
    if (ulps) return worth(ulps[1]) * EPSILON;
    const named = declared.get(expression);
    return named === undefined ? Number(expression) : worth(named);
  };

  test.each(Object.entries(constants))('%s is %d in the shaders too', (name, value) => {
    expect(worth(declared.get(name) ?? 'undeclared')).toBe(value);
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
      INFO_TOUCHING,
      INFO_LEAVING,
      INFO_HAS_POINTS,
      INFO_ITERATIONS_SHIFT,
    } = constants;
    const ofAll = [INFO_STATUS_MASK, INFO_HIT, INFO_HAS_POINTS];
    for (const masks of [
      [...ofAll, INFO_PENDING_GJK, INFO_PENDING_EPA, INFO_PENDING_ARCS, INFO_PENDING_REFINE],
      [...ofAll, INFO_TOUCHING, INFO_LEAVING],
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
  const entries = Object.entries({ ...kernels, ...searchKernels });
  test.each(entries)('%s binds each number once and at most 8 storage buffers', (_, { bindings }) => {
    const all = Object.values(bindings) as { binding: number; type: string }[];
    expect(new Set(all.map(({ binding }) => binding)).size).toBe(all.length);
    expect(all.filter(({ type }) => type !== 'uniform').length).toBeLessThanOrEqual(8);
  });
});

test('kernels have room for the levels of two trees', () => {
  expect(MOST_LEVELS).toBe(2 * MAX_DEPTH);
});
