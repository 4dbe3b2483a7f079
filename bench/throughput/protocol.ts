/**
 * What the benchmark and its child processes say to each other. Each child is one subject: an engine of narrowphase,
 * one call of a peer, or the reference that judges both.
 */

import type { VulkanDriver } from '../../src/node/vulkan.ts';
import type { Answers, Moments, Truth } from '../../verification/judges/compare-answers.ts';
import type { Query } from '../../verification/workloads/query.ts';
import type { AdapterDescription } from '../../src/api/types.ts';

/**
 * Where the clock finds the input, and leaves the result: in buffers of the GPU or objects of the library, made
 * beforehand; or in the caller's arrays, so that a run is the whole query.
 */
export type Arrays = 'prepared' | 'host';

export const ENGINES = ['dawn', 'dawn-lavapipe', 'dawn-swiftshader', 'chrome', 'firefox', 'cpu'] as const;
export type EngineName = (typeof ENGINES)[number];

export interface EngineSpec {
  name: EngineName;
  /** For Dawn: the driver. */
  driver?: VulkanDriver;
  /** For browsers: the kind of adapter. */
  adapter?: 'hardware' | 'software';
  /** Threads of the CPU backend. Default: the tester's default. */
  threads?: number;
  /**
   * For 2-D workloads: whether the tester is a 2-D one or a 3-D one. For 3-D testers, verification/workloads/thin.ts
   * makes thin shapes.
   */
  plane?: 'flat' | 'thin';
  /** Default: `auto`. In Node only. */
  algorithm?: 'gjk';
  /** Folder of another build of the package: by default it is `dist`. */
  dist?: string;
}

/** What a report calls an engine; the same engine in another dimension or by another algorithm is another subject. */
export function engineId({ name, plane, algorithm }: EngineSpec): string {
  if (algorithm) return `${name}, by ${algorithm}`;
  return plane === 'thin' ? thinId(name) : name;
}

export function thinId(name: string): string {
  return `${name}, thin in space`;
}

export type SubjectSpec =
  { kind: 'engine'; engine: EngineSpec } | { kind: 'peer'; call: string } | { kind: 'reference' } | { kind: 'finder' };

/** Runtime and adapter of a subject that is open. */
export interface SubjectInfo {
  /** Package, browser or driver, with its version. */
  runtime: string;
  adapter?: AdapterDescription;
  /** From the start of opening: a tester with its device, a module with its WebAssembly. */
  openMs: number;
}

/** A loaded workload. Only engines of narrowphase report these numbers. */
export interface LoadedWorkload {
  /** First call of the query in this process, for one pair: compiling and starting. */
  firstCallMs?: number;
  /** Bytes per pair: its two indices and its record, read and written once. */
  bytesPerPair?: number;
  /** Bytes per body: its pose, its shape's index and, if it moves, its velocities. */
  bytesPerBody?: number;
}

/** One timed run over a number of pairs. */
export interface Sample {
  /**
   * For peers and the CPU backend, the whole loop. On a GPU, from submission until the work is done, with resident
   * inputs.
   */
  ms: number;
  /** The same and the results on the host. */
  readBackMs?: number;
  /** By timestamps of the GPU. */
  kernelMs?: number;
  /** For whole queries: times without and with `target`. `ms` is the time without. */
  whole?: Record<TargetUse, WholeQuery>;
}

/** Whether a query makes its result arrays, or writes to those of `target`. */
export const TARGET_USES = ['fresh', 'target'] as const;
export type TargetUse = (typeof TARGET_USES)[number];

/** The parts of a query that `tester.timings` names; a build may not have all of them. */
export const PARTS = ['compile', 'validate', 'upload', 'kernels', 'readBack', 'decode'] as const;
export type Part = (typeof PARTS)[number];

/** Milliseconds of a query from the caller's arrays to result arrays: means over the calls of a run. */
export interface WholeQuery {
  ms: number;
  /** Calls of the run. */
  calls: number;
  /** In which the thread that called was busy; undefined: not measured. */
  mainThreadMs?: number;
  parts: Partial<Record<Part, number>>;
}

/** What a child does. Pairs are the first `count` of the workload. */
export interface Subject {
  open(): Promise<SubjectInfo>;
  load(file: string, query: Query, arrays: Arrays): Promise<LoadedWorkload>;
  /** Makes objects for the first `count` pairs, so that runs need not. */
  reserve(count: number): Promise<void>;
  run(count: number): Promise<Sample>;
  /** Answers of the last run. */
  answers(indices: Uint32Array): Promise<Answers>;
  close(): Promise<void>;
}

/** What the child `reference` does in place of `run` and `answers`. */
export interface ReferenceSubject {
  judge(file: string, indices: Uint32Array): Promise<Truth>;
  /** At `times`, one a pair. */
  judgeTimes(file: string, indices: Uint32Array, times: Float64Array): Promise<Moments>;
}

/** An engine of this machine, or why it is none. */
export type FoundEngine = { engine: EngineSpec } | { name: EngineName; reason: string };

/** What the child `finder` does. */
export interface FinderSubject {
  find(): Promise<FoundEngine[]>;
}

export interface Request {
  id: number;
  method: string;
  args: unknown[];
}
export type Reply = { id: number; value: unknown } | { id: number; error: string };
