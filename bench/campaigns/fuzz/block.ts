/**
 * A block of calls on fresh testers, one for each backend, which get the same shapes and the same arguments. Every call
 * is judged: an outcome that is refused must be refused by name, and alike on both backends; a result must have the
 * documented form and agree between them. After whatever was refused or aborted a control query must give the bits that
 * it gave at the start, and a target of the call must be as it was.
 */

import { below, createRandom } from '../../../verification/families/random.ts';
import type { Tester, TesterOptions } from '../../../src/api/types.ts';
import { batchRound } from './batches.ts';
import { QUERIES, randomCall, type Call } from './calls.ts';
import {
  ABORTED,
  differences,
  DISPOSED,
  faultOfPairs,
  faultsOfError,
  faultsOfResult,
  REFUSED,
  type Outcome,
  type Result,
} from './check.ts';
import { descriptionMaker, randomScene, type Description } from './scene.ts';

export type BackendName = 'cpu' | 'webgpu';
export type CreateAnyTester = (options: TesterOptions) => Promise<Tester>;

export interface BlockOptions {
  createTester: CreateAnyTester;
  backends: readonly BackendName[];
  seed: number;
  calls: number;
  /** Told the index of each call before it is made: what a crash is to be put down to. */
  onCall?: (index: number) => void;
}

export interface BlockReport {
  answered: number;
  refused: number;
  aborted: number;
  controls: number;
  findings: string[];
}

/** One backend's tester and what its control query gave at the start. */
interface Side {
  name: BackendName;
  tester: Tester;
  control: unknown;
  /**
   * Results of earlier queries, whose arrays are offered as targets: the last of each method, and by what another query
   * must share to fit.
   */
  targets: Map<string, unknown>;
}

/** Milliseconds after which a call counts as hung. */
const HANG_MS = 120_000;

/** 1e11 times the size of the least bodies. */
const FARTHEST = 1e9;

/** Shapes that calls draw from at a time, and types of shape in a block. */
const PALETTE = 6;
const TYPES = 4;

export async function runBlock({ createTester, backends, seed, calls, onCall }: BlockOptions): Promise<BlockReport> {
  const random = createRandom(seed);
  const dimension = seed % 2 === 0 ? 3 : 2;
  const report: BlockReport = { answered: 0, refused: 0, aborted: 0, controls: 0, findings: [] };
  const sides: Side[] = [];
  for (const name of backends) {
    const tester = await createTester({ backend: name, dimension } as TesterOptions);
    controlShapes(dimension).forEach((description) => tester.addShape(description as never));
    sides.push({ name, tester, control: await askControl(tester), targets: new Map() });
  }
  const descriptions = new Map<number, Description>(
    controlShapes(dimension).map((description, id) => [id, description]),
  );
  const makeDescription = descriptionMaker(random, dimension, TYPES);
  const isHalfspace = (id: number): boolean => descriptions.get(id)!.type === 'halfspace';

  for (let index = 0; index < calls; index++) {
    onCall?.(index);
    if (index % 50 === 0) changeShapes(makeDescription, dimension, sides, descriptions);
    const gpu = sides.find(({ name }) => name === 'webgpu');
    if (gpu && index % 50 === 25) {
      const scene = randomScene(random, dimension, [...descriptions.keys()], isHalfspace);
      report[
        await batchRound(random, gpu.tester, scene, (fault) =>
          report.findings.push(`seed ${seed}, call ${index}, ${fault}`),
        )
      ]++;
      await checkControl(gpu, report, (fault) =>
        report.findings.push(`seed ${seed}, call ${index}, after a batch: ${fault}`),
      );
      continue;
    }
    const call = randomCall(random, randomScene(random, dimension, [...descriptions.keys()], isHalfspace));
    const note = (fault: string): void =>
      void report.findings.push(
        `seed ${seed}, call ${index}, ${call.method}${call.mutation ? ` (${call.mutation})` : ''}: ${fault}`,
      );
    const offersTarget = below(random, 3) === 0;
    const outcomes: Outcome[] = [];
    for (const side of sides) outcomes.push(await make(side, call, offersTarget, note));
    judge(call, outcomes, (id) => descriptions.get(id)!, dimension, report, note);
    if (index % 25 > 0 && outcomes.every(({ error }) => error === undefined)) continue;
    for (const side of sides) await checkControl(side, report, note);
  }
  for (const side of sides)
    await endWhileBusy(side, dimension, (fault) =>
      report.findings.push(`seed ${seed}, dispose on ${side.name}: ${fault}`),
    );
  return report;
}

function controlShapes(dimension: 2 | 3): Description[] {
  if (dimension === 2)
    return [
      { type: 'circle', radius: 0.5 },
      { type: 'rectangle', halfExtents: [0.5, 0.25] },
    ];
  return [
    { type: 'sphere', radius: 0.5 },
    { type: 'box', halfExtents: [0.5, 0.25, 0.75] },
  ];
}

/** A disc or ball and a box that overlap, and two of the same that are apart. */
async function askControl(tester: Tester): Promise<unknown> {
  const dimension = tester.dimension as 2 | 3;
  const count = 3;
  const positions = new Float32Array(dimension * count);
  positions[dimension] = 0.75;
  positions[2 * dimension + 1] = 3;
  const rotations =
    dimension === 2
      ? { angles: Float32Array.of(0, 0.5, 0) }
      : { quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, 0, 1) };
  const result = await tester.contacts(
    { shapes: Uint32Array.of(0, 1, 0), positions, ...rotations } as never,
    Uint32Array.of(0, 1, 0, 2),
    { margin: Infinity },
  );
  return [...result];
}

async function checkControl(
  { name, tester, control }: Side,
  report: BlockReport,
  note: (fault: string) => void,
): Promise<void> {
  report.controls++;
  const { value, error } = await outcomeOf(() => askControl(tester));
  if (error !== undefined) note(`the control query on ${name} fails afterwards: ${String(error)}`);
  else if (JSON.stringify(value) !== JSON.stringify(control))
    note(`the control query on ${name} gives ${JSON.stringify(value)} afterwards, before ${JSON.stringify(control)}`);
}

/** Replaces the shapes but those of the control query; every description is one that a tester takes. */
function changeShapes(
  makeDescription: () => Description,
  dimension: 2 | 3,
  sides: Side[],
  descriptions: Map<number, Description>,
): void {
  const kept = controlShapes(dimension).length;
  for (const id of descriptions.keys()) {
    if (id < kept) continue;
    for (const { tester } of sides) tester.removeShape(id);
    descriptions.delete(id);
  }
  for (let i = 0; i < PALETTE; i++) {
    const description = makeDescription();
    const ids = sides.map(({ tester }) => tester.addShape(description as never));
    descriptions.set(ids[0], description);
  }
}

/** Makes the call on one backend. Notes a target that was written although the call was refused. */
async function make(
  { name, tester, targets }: Side,
  call: Call,
  offersTarget: boolean,
  note: (fault: string) => void,
): Promise<Outcome> {
  const { method, abortAfter } = call;
  const args = [...call.args];
  const options = args.at(-1);
  // A call that is going to be refused may have one that does not fit.
  const key = call.mutation === undefined && abortAfter === undefined ? targetKey(call) : method;
  const target = offersTarget && isPlain(options) && options.results === undefined ? targets.get(key) : undefined;
  const controller = new AbortController();
  if (abortAfter !== undefined && isPlain(options)) {
    args[args.length - 1] = { ...options, signal: controller.signal, ...(target !== undefined && { target }) };
    if (abortAfter === 0) controller.abort();
    else void turns(abortAfter).then(() => controller.abort());
  } else if (target !== undefined) args[args.length - 1] = { ...(options as object), target };
  const before = target === undefined ? undefined : bitsOf(target);
  const outcome = await outcomeOf(() => (tester[method] as (...given: unknown[]) => Promise<unknown>)(...args));
  if (target !== undefined && outcome.error !== undefined) {
    const atOnce = bitsOf(target);
    await turns(3);
    if (abortAfter === undefined && atOnce !== before)
      note(`the target was written on ${name} though the query was refused`);
    if (bitsOf(target) !== atOnce) note(`the target was written on ${name} after the query was refused`);
  }
  const isWhole = isPlain(options) && options.results === undefined;
  if (
    outcome.error === undefined &&
    call.mutation === undefined &&
    abortAfter === undefined &&
    isWhole &&
    method !== 'findPairs'
  ) {
    targets.set(targetKey(call), outcome.value);
    targets.set(method, outcome.value);
  }
  return outcome;
}

/**
 * What a result must share with another to be written again by it: the longer array of an earlier call will do for
 * rays.
 */
function targetKey({ method, args, scene }: Call): string {
  const { bounds, bodies } = args.at(-1) as { bounds?: boolean; bodies?: boolean };
  const count = method === 'rayCasts' ? (args[1] as { origins: unknown[] }).origins.length : scene.pairs.length;
  return [method, count, bounds, bodies, scene.bodies.positions instanceof Float64Array].join();
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function judge(
  call: Call,
  outcomes: Outcome[],
  descriptionOf: (id: number) => Description,
  dimension: 2 | 3,
  report: BlockReport,
  note: (fault: string) => void,
): void {
  const { method, mutation, abortAfter, scene, args } = call;
  const refusals = outcomes.filter(({ error }) => error !== undefined);
  for (const { error } of refusals)
    for (const fault of faultsOfError(error, abortAfter === undefined ? REFUSED : ABORTED)) note(fault);
  if (abortAfter !== undefined) {
    report.aborted++;
    return;
  }
  if (refusals.length > 0) {
    report.refused++;
    if (mutation === undefined) note(`a valid call is refused: ${String(refusals[0].error)}`);
    const [first, ...others] = outcomes.map(({ error }) =>
      error === undefined ? 'an answer' : (error as Error).message,
    );
    for (const other of others) if (other !== first) note(`one backend gives: ${first}; another: ${other}`);
    return;
  }
  report.answered++;
  if (method === 'findPairs') {
    for (const { value } of outcomes) {
      const fault = faultOfPairs(value as Uint32Array, args[0] as typeof scene.bodies);
      if (fault) note(fault);
    }
    const [first, ...others] = outcomes.map(({ value }) => String(value));
    if (others.some((other) => other !== first)) note('backends find different pairs');
    return;
  }
  const options = (args.at(-1) ?? {}) as { results?: string; margin?: number; algorithm?: string };
  const isAll = (options.results ?? 'all') === 'all';
  const asked =
    method === 'rayCasts'
      ? (args[1] as { origins: Float32Array }).origins.length / dimension
      : (args[1] as Uint32Array).length / 2;
  for (const { value } of outcomes)
    for (const fault of faultsOfResult(method, value as Result, dimension, asked, isAll)) note(fault);
  const [first, second] = outcomes.map(({ value }) => value as Result);
  // Depths of MPR are upper bounds, and times of what grazes may be either's.
  if (second === undefined || options.algorithm === 'mpr' || method === 'rayCasts' || method === 'impacts') return;
  if (isTooFar(args[0] as typeof scene.bodies)) return;
  const margin = options.margin ?? (method === 'distances' ? Infinity : 0);
  const asGiven = { ...scene, bodies: args[0] as typeof scene.bodies, pairs: args[1] as Uint32Array };
  for (const fault of [
    ...differences(method, first, second, asGiven, descriptionOf, margin),
    ...differences(method, second, first, asGiven, descriptionOf, margin),
  ])
    note(fault);
}

/** Whether 64-bit positions are so far apart that the GPU's fixed point is too coarse for the bodies, as documented. */
function isTooFar({ positions, matrices }: Record<string, unknown>): boolean {
  const values = positions ?? matrices;
  return values instanceof Float64Array && values.some((x) => Math.abs(x) > FARTHEST);
}

/**
 * Disposes of a tester while a query runs: that one ends with an answer or `DISPOSED`, and whatever comes later with
 * `DISPOSED`.
 */
async function endWhileBusy({ tester }: Side, dimension: 2 | 3, note: (fault: string) => void): Promise<void> {
  const running = outcomeOf(() => askControl(tester));
  tester.dispose();
  const { error } = await running;
  if (error !== undefined) faultsOfError(error, DISPOSED).forEach(note);
  for (const query of QUERIES) {
    const later = await outcomeOf(() =>
      (tester[query] as (...given: unknown[]) => Promise<unknown>)(
        {
          shapes: new Uint32Array(0),
          positions: new Float32Array(0),
          [dimension === 2 ? 'angles' : 'quaternions']: new Float32Array(0),
        },
        new Uint32Array(0),
        {},
      ),
    );
    if ((later.error as { code?: string } | undefined)?.code !== 'DISPOSED')
      note(`${query} after dispose ends with ${String(later.error ?? 'an answer')}`);
  }
}

async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came back within ${HANG_MS / 1000} s`)), HANG_MS);
  });
  try {
    return { value: await Promise.race([(async () => call())(), hang]) };
  } catch (error) {
    return { error: error ?? new Error('rejected with nothing') };
  } finally {
    clearTimeout(timer);
  }
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

function bitsOf(result: unknown): string {
  return Object.values(result as object)
    .filter((field) => ArrayBuffer.isView(field))
    .map((field: ArrayBufferView) => Buffer.from(field.buffer, field.byteOffset, field.byteLength).toString('base64'))
    .join();
}
