/** WGSL that counts how often each of its segments runs, invocation by invocation. */

import { segmentsOf, type Kernel } from './segments.ts';

export interface Instrumented extends Kernel {
  code: string;
}

/** In the bind group 1: a number of each segment, invocation after invocation of a single row of workgroups. */
export function instrument(code: string): Instrumented {
  const kernel = segmentsOf(code);
  const { segments, main } = kernel;
  const given = main.builtins.get('global_invocation_id');
  const insertions = segments.map(({ at }, i) => ({ at, text: ` countRun(${i}u); ` }));
  insertions.push({ at: main.bodyAt, text: ` firstRun = ${given ?? 'countedId'}.x * ${segments.length}u; ` });
  if (!given) insertions.push({ at: main.parametersAt, text: '@builtin(global_invocation_id) countedId: vec3u, ' });
  // At the start of `main` the last one inserted stands first.
  const ordered = insertions.map((insertion, i) => ({ ...insertion, i })).sort((a, b) => b.at - a.at || a.i - b.i);
  const counting = ordered.reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), code);
  return { ...kernel, code: counting + RUNS };
}

const RUNS = /* wgsl */ `
@group(1) @binding(0) var<storage, read_write> runs: array<u32>;
var<private> firstRun: u32;
fn countRun(segment: u32) {
  runs[firstRun + segment] += 1u;
}
`;
