/** Options of `createTester`, and what a tester says of itself: its adapter, its limits and its timings. */
/** What a tester runs on. */
export interface AdapterDescription {
  /** Vendor, such as `nvidia`; may be empty. */
  vendor: string;
  /** Family of GPUs, such as `ampere`; may be empty. */
  architecture: string;
  /** Human-readable description, such as the driver's name; may be empty. */
  description: string;
  /** True for a software rasteriser such as SwiftShader or lavapipe, and for the CPU backend. */
  isSoftware: boolean;
}

/** Largest sizes that a tester accepts. Longer pair lists are cut into chunks by the tester itself. */
export interface TesterLimits {
  /** Most bodies of a query. */
  maxBodies: number;
  /** Most shapes at a time. */
  maxShapes: number;
  /** Most vertices of a hull. */
  maxHullVertices: number;
  /** Most pairs in one dispatch of `contacts`. */
  maxPairsPerChunk: number;
}

/** Milliseconds of a query, and counts of its tests in trees. */
export interface QueryTimings {
  /** Planning the query, and compiling kernels that were not compiled before. */
  compile: number;
  /** Looking for the kinds of the pairs, which decide which kernels run, before the first query of a form; 0 later. */
  validate: number;
  /** Copying bodies and shapes to the device. */
  upload: number;
  /**
   * In kernels, by GPU timestamps; 0 if the device has none. On the CPU backend: wall-clock time in the algorithms on
   * all threads, including the workers' check of the input. Of queries over compounds and meshes on WebGPU: the sum of both.
   */
  kernels: number;
  /**
   * Waiting for results after submission, without the time in which kernels ran or the host copied other results. It
   * includes the check of the input; without GPU timestamps, all kernels.
   */
  readBack: number;
  /** Copying results into their arrays. 0 on the CPU backend. */
  decode: number;
  /** Work in the trees of compounds and meshes; zeros for queries without. */
  tree: TreeTests;
}

/** Tests in trees of parts: what a query over compounds and meshes costs before parts are answered. */
export interface TreeTests {
  /** Pairs of boxes that were tested. */
  boxTests: number;
  /** Pairs of parts, such as triangles, that were tested. */
  partTests: number;
}

/** Options of `createTester`. */
export interface TesterOptions {
  /**
   * - `'auto'` (default): WebGPU on a hardware adapter, otherwise the CPU; `tester.fallback` says why. A software adapter
   *   may compile for many seconds before its first answer. With a `device` of your own: that device if it can be used,
   *   software included.
   * - `'webgpu'`: WebGPU, on a software adapter too. `createTester` rejects with `WEBGPU_UNAVAILABLE` if no adapter can be
   *   used; `cause` is the error behind it, if any.
   * - `'cpu'`: the CPU.
   *
   * An adapter can be used if its limits are at least the minimum that WebGPU guarantees, it provides a device, and a small
   * kernel runs on that device and returns the right answer.
   */
  backend?: 'auto' | 'webgpu' | 'cpu';
  /**
   * Number of workers that answer large queries on the CPU, off the caller's thread: all queries of the CPU backend, and on
   * WebGPU those over compounds, meshes and chains. Small queries stay on the caller's thread. Default: the number of
   * processors. More than 8 count as 8; 1 creates no worker. Answers have the same bits for any number.
   *
   * The first large query starts the workers. If none can be created, or all of them fail, the caller's thread answers and
   * `tester.fallback` says why. In Node, idle workers do not keep the process alive.
   */
  threads?: number;
  /**
   * Address of the workers' script, the bundled `narrowphase/cpu-worker`. Needed with bundlers that do not
   * bundle `new Worker(new URL(…, import.meta.url))`, such as esbuild and Rollup. A string may be relative to the page or
   * the worker that creates the tester; without either, as in Node, it is an absolute URL. Default: the file of the
   * package.
   */
  workerUrl?: string | URL;
  /** 3 (default): a `Tester`. 2: a `PlanarTester`. */
  dimension?: 2 | 3;
  /** Your own device, hardware or software. The tester never destroys and never replaces it. */
  device?: GPUDevice;
  /** Used in place of `navigator.gpu`. */
  gpu?: GPU;
  /** Passed to `requestAdapter`. */
  powerPreference?: GPUPowerPreference;
  /**
   * Called once for each device that is lost, except by `dispose`. Running queries and batches reject with `DEVICE_LOST`.
   * The next query or `createBatch` replaces a device that the tester created. If no other device can be opened:
   *
   * - with `'auto'`, the CPU answers that query and all later ones;
   * - with `'webgpu'`, that query rejects with `WEBGPU_UNAVAILABLE`, and the next one tries again.
   *
   * If a device of your own is lost, all queries reject with `DEVICE_LOST`.
   *
   * An error that the callback throws, or rejects with, ends neither a query nor the process. It is passed to
   * `reportError` where that exists (browsers), otherwise to `console.error` (Node).
   */
  onDeviceLost?: (info: { reason: string; message: string }) => void;
}
