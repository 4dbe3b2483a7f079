/** The counts of instructions: of a text, and of what its segments' runs come to. */

import { describe, expect, it } from 'vitest';
import { kernels, type KernelName } from '../../../src/generated/kernel-table.ts';
import { searchKernels } from '../../../src/generated/search-kernels.ts';
import { kernelCode } from '../../../src/gpu/kernel-code.ts';
import { countOf } from './counts.ts';
import { instrument } from './instrument.ts';
import { segmentsOf } from './segments.ts';

const all = { ...kernels, ...searchKernels };
const names = Object.keys(all) as KernelName[];

const kernelOf = (statements: string, declarations = ''): string => `
${declarations}
@group(0) @binding(0) var<storage, read_write> data: array<vec4f>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let v = vec3f(f32(id.x));
  var x = v.x;
  ${statements}
}`;

/** Operations of the statements, segment by segment; the first has the conversion before them. */
const operationsOf = (statements: string, declarations?: string): number[] => {
  const [first, ...rest] = segmentsOf(kernelOf(statements, declarations)).segments.map(({ operations }) => operations);
  return [first - 1, ...rest];
};

describe('every kernel', () => {
  it.each(names)('%s has a count', async (name) => {
    const { segments, workgroupSize, main } = segmentsOf(await kernelCode(name));
    expect(workgroupSize).toBe(all[name].workgroupSize);
    expect(main.bodyAt).toBeGreaterThan(main.parametersAt);
    // Kernels that size dispatches are hardly more than a division, and some only move numbers.
    const least = /^(broad-phase\/size-|rays\/join-)/.test(name) ? 0 : 5;
    expect(segments.filter(({ operations }) => operations > 0).length).toBeGreaterThan(least);
    expect(segments.some(({ bytes }) => bytes > 0)).toBe(true);
  });
});

describe('instructions', () => {
  it.each([
    ['x = dot(v, v);', 3],
    ['x = (cross(v, v) + v).x;', 9],
    ['x = v.x * v.y + v.z;', 1],
    ['x = v.x * v.y + v.y * v.z + v.z * v.x;', 3],
    ['x = v.x - v.y;', 1],
    ['x = sqrt(v.x) / v.y;', 4],
    ['x = -abs(v.x);', 0],
    ['x = select(v, v * 2.0, v.x > 0.0).x;', 7],
    ['let m = mat3x3f(v, v, v); x = (m * v + v).x;', 9],
    ['x = unpack2x16snorm(id.x).x + unpack2x16float(id.x).y;', 7],
    ['x = f32(1u << 3u) + 2.0 * 3.0;', 0],
    ['x = KIND_A == 2u && x > 0.0;', 2],
    ['var a: array<f32, 4>; a[2] = x; x = a[id.x];', 2],
  ])('of %s are %i', (statements, operations) => {
    expect(operationsOf(statements, 'override KIND_A: u32 = 1u;')).toEqual([operations]);
  });

  it('include loads and stores of 16 bytes, with their bytes', () => {
    const [{ operations, bytes }] = segmentsOf(kernelOf('data[id.x] += data[id.y];')).segments;
    expect(operations - 1).toBe(2 + 3 + 4);
    expect(bytes).toBe(48);
  });

  it('throw where the text calls what has no known cost', () => {
    expect(() => segmentsOf(kernelOf('x = erf(x);'))).toThrow('no cost of erf is known');
  });
});

describe('segments', () => {
  it('begin with blocks, and behind statements that may leave the block', () => {
    expect(operationsOf('if (x > 1.0) { x *= 2.0; } x += 1.0;')).toEqual([2, 1]);
    expect(operationsOf('if (x > 1.0) { x *= 2.0; return; } x += 1.0;')).toEqual([1, 1, 1]);
    expect(operationsOf('if (x > 1.0) { x = sqrt(x); } else if (x > 0.5) { x *= 2.0; }')).toEqual([2, 2, 1]);
    expect(operationsOf('switch id.x { case 1u: { x += 1.0; } default: { x = x / 3.0; } } x *= 2.0;')).toEqual([
      2, 1, 2,
    ]);
  });

  it('of loops have their condition and their step, and break ends the loop alone', () => {
    const loop = 'for (var i = 0u; i < id.x; i++) { if (x > 9.0) { break; } x += 1.0; } x *= 2.0;';
    expect(operationsOf(loop)).toEqual([1, 3, 1]);
    expect(operationsOf(loop.replace('break', 'return'))).toEqual([0, 3, 1, 1]);
    expect(operationsOf('loop { x += 1.0; if (x > 9.0) { break; } x += x; continuing { x *= 2.0; } }')).toEqual([
      0, 2, 1, 1,
    ]);
  });

  it('count themselves where they begin', () => {
    const { code, segments } = instrument(kernelOf('if (x > 1.0) { x *= 2.0; return; } x += 1.0;'));
    expect(segments).toHaveLength(3);
    expect(code).toMatch(/\{ firstRun = id\.x \* 3u; +countRun\(0u\);\s+let v/);
    expect(code).toMatch(/\{ countRun\(1u\); +x \*= 2\.0; return; \} +countRun\(2u\); x \+= 1\.0;/);
  });

  it('begin behind a conditional jump, whatever the name of what follows', () => {
    for (const name of ['c', 't', 'in']) {
      const declared = `var ${name} = x;`;
      const { segments } = instrument(kernelOf(`${declared} if (x > 1.0) { return; } ${name} += 1.0;`));
      expect(segments.map(({ operations }) => operations)).toEqual([2, 1]);
    }
  });

  it('in lockstep run as often as in the invocation of 32 that runs them most', () => {
    const segments = [
      { at: 0, operations: 10, bytes: 4 },
      { at: 9, operations: 1, bytes: 0 },
    ];
    const runs = new Uint32Array(2 * 64);
    for (let i = 0; i < 40; i++) runs.set([1, i === 3 ? 8 : 0], 2 * i);
    expect(countOf(runs, segments, 40)).toEqual({ alone: (400 + 8) / 40, lockstep: (640 + 256) / 40, bytes: 4 });
  });
});
