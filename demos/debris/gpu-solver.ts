/**
 * The contact solver on the GPU: its buffers and its passes. cpu-solver.ts explains the method. Here bodies of one
 * colour, which do not touch each other, move at the same time. The order of all sums is fixed, so that a run that is
 * repeated on the same device gives the same bits.
 */

import { resultsWgsl, shapesWgsl } from 'narrowphase/wgsl';
import type { BodyArrays, PressingPoint } from './bodies.ts';
import { COLOURING_ROUNDS, COLOURS, SWEEPS, wgslConstants } from './constants.ts';
import type { GpuContacts } from './contacts.ts';
import colourCode from './wgsl/colour.wgsl?raw';
import countCode from './wgsl/count.wgsl?raw';
import integrateCode from './wgsl/integrate.wgsl?raw';
import listCode from './wgsl/list.wgsl?raw';
import markCode from './wgsl/mark.wgsl?raw';
import multiplyCode from './wgsl/multiply.wgsl?raw';
import predictCode from './wgsl/predict.wgsl?raw';
import prepareCode from './wgsl/prepare.wgsl?raw';
import recordsCode from './wgsl/records.wgsl?raw';
import solveCode from './wgsl/solve.wgsl?raw';

/** GPUBufferUsage, which Node does not have as a global. */
const STORAGE = 0x80;
const COPY_SRC = 0x04;
const COPY_DST = 0x08;
const UNIFORM = 0x40;

const TOUCH_BYTES = 176;
const WORKGROUP = 64;
const NO_BODY = 0xffff_ffff;

/** What a contact is between: two bodies, or parts of two bodies. */
const BODY_PAIR = `
alias Pair = vec2u;
fn bodiesOf(pair: Pair) -> vec2u { return pair; }
fn partsOf(pair: Pair) -> vec2u { return vec2u(); }`;
const PART_PAIR = `
alias Pair = vec4u;
fn bodiesOf(pair: Pair) -> vec2u { return pair.xy; }
fn partsOf(pair: Pair) -> vec2u { return pair.zw & vec2u(0x0fffffffu); }`;

export interface SolverBuffers {
  poses: GPUBuffer;
  motions: GPUBuffer;
  masses: GPUBuffer;
}

export interface GpuSolver {
  /** Records the passes of one step. The manifolds of this step are recorded before. */
  encode(pass: GPUComputePassEncoder): void;
  /** Lists the contact points of the last step that press, up to four per contact. The draw's count is 0 before. */
  encodeMarks(pass: GPUComputePassEncoder, records: GPUBuffer, draw: GPUBuffer): void;
  /** The contacts of the last step, see `pressingPoints`. */
  readonly lastTouches: GPUBuffer;
  /** Forgets multipliers and colours. */
  reset(): void;
  /** The body that the user drags, and where to; -1 for none. */
  drag(body: number, goal: readonly [number, number, number]): void;
  dispose(): void;
}

type Dispatch = (pass: GPUComputePassEncoder) => void;

export async function createGpuSolver(
  device: GPUDevice,
  { count }: BodyArrays,
  { poses, motions, masses }: SolverBuffers,
  { pairs, manifolds }: GpuContacts,
  maxTouches: number,
): Promise<GpuSolver> {
  const made: GPUBuffer[] = [];
  const buffer = (label: string, size: number, usage = STORAGE | COPY_DST): GPUBuffer => {
    const created = device.createBuffer({ label: `GpuSolver.${label}`, size, usage });
    made.push(created);
    return created;
  };
  const perBody = (label: string, bytes: number): GPUBuffer => buffer(label, bytes * count);

  const displacements = perBody('displacements', 32);
  const free = perBody('free', 32);
  const aside = perBody('aside', 32);
  const inertias = perBody('inertias', 32);
  const ranges = perBody('ranges', 8);
  // A solid has at least one piece.
  const counters = buffer('counters', 4 * (2 * count + 1));
  const entries = buffer('entries', 8 * maxTouches);
  const touches = [0, 1].map((i) => buffer(`touches ${i}`, TOUCH_BYTES * (maxTouches + 1), SOLVER_USAGE));
  const colours = [perBody('colours 0', 4), perBody('colours 1', 4)];
  const dragged = buffer('drag', 32, UNIFORM | COPY_DST);
  const { records, hits, dispatch, partPairs } = manifolds.output;
  const foundPairs = partPairs ?? pairs.output.pairs!;

  const pairCode = partPairs ? PART_PAIR : BODY_PAIR;
  const limits = `const TOUCHES: u32 = ${maxTouches}u;`;
  const header = [resultsWgsl, shapesWgsl, wgslConstants(), limits, pairCode, recordsCode];
  const modules = new Map<string, GPUShaderModule>();
  async function pipeline(code: string, entryPoint: string): Promise<GPUComputePipeline> {
    const module = modules.get(code) ?? device.createShaderModule({ code: [...header, code].join('\n') });
    modules.set(code, module);
    return device.createComputePipelineAsync({
      label: `GpuSolver.${entryPoint}`,
      layout: 'auto',
      compute: { module, entryPoint },
    });
  }

  /** Bindings by number. */
  function bind(created: GPUComputePipeline, buffers: Record<number, GPUBuffer>): GPUBindGroup {
    return device.createBindGroup({
      layout: created.getBindGroupLayout(0),
      entries: Object.entries(buffers).map(([binding, bound]) => ({
        binding: Number(binding),
        resource: { buffer: bound },
      })),
    });
  }
  const workgroups = Math.ceil(count / WORKGROUP);
  const perBodyDispatch =
    (created: GPUComputePipeline, group: GPUBindGroup): Dispatch =>
    (pass) => {
      pass.setPipeline(created);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(workgroups);
    };
  const perTouchDispatch =
    (created: GPUComputePipeline, group: GPUBindGroup): Dispatch =>
    (pass) => {
      pass.setPipeline(created);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroupsIndirect(dispatch, 0);
    };
  function constantBuffer(label: string, ...words: number[]): GPUBuffer {
    const created = buffer(label, 16, UNIFORM | COPY_DST);
    device.queue.writeBuffer(created, 0, Uint32Array.from(words));
    return created;
  }

  const [
    predict,
    countTouches,
    prepare,
    allocate,
    fill,
    sort,
    colour,
    solve,
    solveAside,
    apply,
    multiply,
    integrate,
    mark,
  ] = await Promise.all([
    pipeline(predictCode, 'main'),
    pipeline(countCode, 'main'),
    pipeline(prepareCode, 'main'),
    pipeline(listCode, 'allocate'),
    pipeline(listCode, 'fill'),
    pipeline(listCode, 'sort'),
    pipeline(colourCode, 'main'),
    pipeline(solveCode, 'solve'),
    pipeline(solveCode, 'solveAside'),
    pipeline(solveCode, 'apply'),
    pipeline(multiplyCode, 'main'),
    pipeline(integrateCode, 'main'),
    pipeline(markCode, 'main'),
  ]);

  const rounds = Array.from({ length: COLOURING_ROUNDS }, (_, round) =>
    constantBuffer(`round ${round}`, round, Number(round === COLOURING_ROUNDS - 1)),
  );
  const colourNumbers = Array.from({ length: COLOURS }, (_, number) => constantBuffer(`colour ${number}`, number));
  const ends = [poses, masses, motions, displacements, free, inertias, counters];
  /** The buffer of colours after all rounds. */
  const colouring = colours[COLOURING_ROUNDS % 2];

  /** The passes of even and odd steps, which exchange the contacts of this step and of the one before. */
  const passes = [0, 1].map((parity): Dispatch[] => {
    const [now, former] = [touches[parity], touches[1 - parity]];
    const found = { 0: records, 1: hits!, 2: foundPairs, 3: poses, 4: masses };
    const lists = { 0: ranges, 1: entries, 2: now };
    const solving = { 0: colouring, 1: ranges, 2: entries, 3: now, 4: free, 5: inertias };
    const sweep = colourNumbers.map((number) =>
      perBodyDispatch(solve, bind(solve, { ...solving, 6: displacements, 8: number })),
    );
    const rest = [
      perBodyDispatch(solveAside, bind(solveAside, { ...solving, 6: displacements, 7: aside })),
      perBodyDispatch(apply, bind(apply, { 0: colouring, 5: inertias, 6: displacements, 7: aside })),
    ];
    const update = perTouchDispatch(multiply, bind(multiply, { 0: hits!, 1: displacements, 2: now }));
    return [
      perBodyDispatch(predict, bind(predict, { ...ends, 7: now, 8: dragged })),
      perTouchDispatch(countTouches, bind(countTouches, { 0: hits!, 1: foundPairs, 2: masses, 3: counters })),
      perTouchDispatch(prepare, bind(prepare, { ...found, 5: former, 6: now })),
      perBodyDispatch(allocate, bind(allocate, { 0: counters, 1: ranges })),
      perTouchDispatch(fill, bind(fill, { 0: counters, 1: ranges, 2: entries, 3: now, 4: masses, 5: hits! })),
      perBodyDispatch(sort, bind(sort, { 1: ranges, 2: entries })),
      ...rounds.map((round, i) =>
        perBodyDispatch(
          colour,
          bind(colour, { ...lists, 3: masses, 4: colours[i % 2], 5: colours[(i + 1) % 2], 6: round }),
        ),
      ),
      // Forwards and backwards in turn.
      ...Array.from({ length: SWEEPS }, (_, i) => [
        ...(i % 2 === 0 ? sweep : [...sweep].reverse()),
        ...rest,
        update,
      ]).flat(),
      perBodyDispatch(integrate, bind(integrate, { 0: masses, 1: displacements, 2: motions, 3: poses, 4: counters })),
    ];
  });

  let step = 0;
  const solver: GpuSolver = {
    encode(pass) {
      for (const encodeOne of passes[step % 2]) encodeOne(pass);
      step++;
    },
    encodeMarks(pass, marks, draw) {
      if (step === 0) return;
      perTouchDispatch(mark, bind(mark, { 0: hits!, 1: solver.lastTouches, 2: poses, 3: marks, 4: draw }))(pass);
    },
    get lastTouches() {
      return touches[(step + 1) % 2];
    },
    reset() {
      step = 0;
      const queue = device.queue;
      queue.writeBuffer(touches[1], TOUCH_BYTES * maxTouches, new Uint32Array(TOUCH_BYTES / 4));
      queue.writeBuffer(counters, 0, new Uint32Array(2 * count + 1));
      queue.writeBuffer(
        colours[0],
        0,
        Uint32Array.from({ length: count }, (_, i) => i % COLOURS),
      );
      solver.drag(-1, [0, 0, 0]);
    },
    drag(body, goal) {
      const words = new Uint32Array(8);
      words[0] = body < 0 ? NO_BODY : body;
      new Float32Array(words.buffer).set(goal, 4);
      device.queue.writeBuffer(dragged, 0, words);
    },
    dispose() {
      for (const created of made) created.destroy();
    },
  };
  solver.reset();
  return solver;
}

export const SOLVER_USAGE = STORAGE | COPY_SRC | COPY_DST;

/** The points of a copy of the solver's contacts that press. The structs are those of records.wgsl. */
export function pressingPoints(floats: Float32Array): PressingPoint[] {
  const words = new Uint32Array(floats.buffer);
  const length = TOUCH_BYTES / 4;
  const count = words[words.length - length + 8];
  const points: PressingPoint[] = [];
  for (let at = 0; at < length * count; at += length) {
    const [a, b, ...parts] = words.subarray(at + 8, at + 12);
    for (let point = at + 12; point < at + 12 + 8 * words[at + 7]; point += 8) {
      if (Math.hypot(...floats.subarray(point + 4, point + 7)) > 0)
        points.push({ a, b, id: [a, b, ...parts, words[point + 7]].join() });
    }
  }
  return points;
}

/** Bytes of the solver's buffers for each body and for each contact. */
export const SOLVER_BYTES = { perBody: 4 * 32 + 8 + 2 * 4 + 2 * 4, perTouch: 2 * TOUCH_BYTES + 8 };
