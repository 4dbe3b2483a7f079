/**
 * A tester on WebGPU whose queries go either way: the device checks their input and writes their arrays, or the host checks
 * it, and decodes records.
 */

import { dim2 } from '../../src/dimension/dim2.ts';
import { dim3 } from '../../src/dimension/dim3.ts';
import type { AnswerForm, Backend } from '../../src/request/backend.ts';
import type { Tester, TesterOptions } from '../../src/api/types.ts';
import { openGpuBackend } from '../../src/tester/create-tester.ts';
import { openCpu } from '../../src/tester/open-cpu.ts';
import { makeTester } from '../../src/tester/tester.ts';
import type { Numbers } from './memory.ts';

export type Path = 'device' | 'host';

export interface BothPaths {
  tester: Tester;
  /** The path of the queries that run from now on. */
  take(path: Path): void;
  /** Queries so far that came unchecked to the device's path. */
  unchecked(): number;
}

export async function testerOfBothPaths(axes: 2 | 3, options: TesterOptions): Promise<BothPaths> {
  const parts = axes === 2 ? dim2 : dim3;
  const backend = await openGpuBackend(undefined, options, parts);
  let path: Path = 'device';
  let unchecked = 0;
  const either: Backend = {
    ...backend,
    async run(request, sink) {
      if (path === 'device') {
        if (request.over.check) unchecked++;
        return backend.run(request, sink);
      }
      const { check, ...over } = request.over;
      check?.();
      const { slots } = request.form;
      const form: AnswerForm = slots === 'earliest' ? request.form : { type: 'records', slots };
      return backend.run({ ...request, over, form }, sink);
    },
  };
  return {
    tester: makeTester(either, parts.dimension, parts.loadReference, () => openCpu(parts.loadReference, 1)),
    take: (next) => void (path = next),
    unchecked: () => unchecked,
  };
}

/** Names of the arrays and counts that differ in a bit, for `toEqual([])`. */
export function differingFields(found: object, expected: object): string[] {
  const [a, b] = [found, expected] as Record<string, unknown>[];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => !isSame(a[name], b[name]));
}

function isSame(a: unknown, b: unknown): boolean {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return JSON.stringify(a) === JSON.stringify(b);
  return a.constructor === b.constructor && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Whether all elements of all arrays are the number. */
export function areAll(arrays: object, value: number): boolean {
  return Object.values(arrays).every(
    (array) => !ArrayBuffer.isView(array) || (array as Numbers).every((element) => element === value),
  );
}
