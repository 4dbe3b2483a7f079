/** One chunk of pairs: its buffers, its dispatches, and the records it gives. */
import type { QueryRequest } from '../backend.ts';
import { BLOCK_SIZE, INFO_HIT, RECORDS_PER_INVOCATION } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { recordWords } from '../pack/results.ts';
import { packRecord } from '../pack/record.ts';
import { USAGE, type BufferPool } from './buffers.ts';
import { gridWidth, workgroupsFor, type Kernels, type KernelVariant } from './kernels.ts';
import { listKernels, type Stage } from './stages.ts';

/** Statuses that `tally` counts. */
export const STATUS_COUNT = 5;

/** Infinity is no value that a shader can be relied on to have. */
const LARGEST_MARGIN = 3e38;

/** What the encoding of a chunk needs. `poses`, `bodies`, `shapes` and `geometry` are in the pool already. */
export interface ChunkContext {
  device: GPUDevice;
  pool: BufferPool;
  kernels: Kernels;
  request: QueryRequest;
  stages: readonly Stage[];
  cellSize: number;
}

/** Buffers that hold a chunk's answers once its commands ran. */
export interface ChunkOutput {
  /** All records, or with `hitsOnly` the hits' records one behind the other. */
  records: GPUBuffer;
  /** With `hitsOnly`: the number of hits, then their pairs counted from the chunk's first. */
  hits?: GPUBuffer;
  /** With `hitsOnly`: how many pairs have each status. */
  tallies?: GPUBuffer;
}

/** Uploads `count` pairs from `firstPair` on and records their stages. */
export function encodeChunk(context: ChunkContext, encoder: GPUCommandEncoder, timestamps: GPUComputePassTimestampWrites | undefined, firstPair: number, count: number): ChunkOutput {
  const { device, pool, kernels, request, stages, cellSize } = context;
  const { query, hitsOnly } = request;
  const { words, info } = recordWords[query];
  const bytes = 4 * words * count;
  const results = pool.get('results', bytes);
  const buffers: Record<string, GPUBuffer> = {
    shapes: pool.get('shapes', 0),
    geometry: pool.get('geometry', 0),
    poses: pool.get('poses', 0),
    bodies: pool.get('bodies', 0),
    pairs: pool.upload('pairs', request.pairs.subarray(2 * firstPair, 2 * (firstPair + count)) as Uint32Array<ArrayBuffer>),
    results,
    waiting: pool.get('waiting', 4 * (count + 1)),
    simplices: pool.get('simplices', query === 'contacts' ? 16 * count : 0),
    parameters: uniform(pool, 'parameters', packRecord(layouts.Parameters, {
      pairCount: count,
      bodyCount: request.bodies.shapes.length,
      shapeCount: request.shapes.shapes.length,
      gridWidth: gridWidth(device, workgroupsFor(stages[0].kernel, count)),
      margin: Math.min(request.margin, LARGEST_MARGIN),
      cellSize,
    })),
  };
  const pass = encoder.beginComputePass({ label: `chunk.${query}`, timestampWrites: timestamps });

  /** Dispatches kernels that read records, with parameters of their own under `role`. */
  const overRecords = (role: string, variants: readonly KernelVariant[], extra: Record<string, GPUBuffer>, invocations: number, mask: number): void => {
    const width = gridWidth(device, workgroupsFor(variants[0].kernel, invocations));
    const parameters = uniform(pool, `parameters.${role}`, packRecord(layouts.RecordParameters, {
      recordCount: count,
      wordCount: words,
      infoWord: info,
      mask,
      gridWidth: width,
      blockCount: Math.ceil(count / BLOCK_SIZE),
    }));
    for (const variant of variants) {
      const isScan = variant.kernel === 'list-scan';
      kernels.dispatch(pass, variant, { ...extra, parameters, records: results }, isScan ? 1 : invocations);
    }
  };
  const perRecord = Math.ceil(count / RECORDS_PER_INVOCATION);
  const list = (role: string, name: string, mask: number): GPUBuffer => {
    const indices = pool.get(name, 4 * (count + 1));
    const blockSums = pool.get('blockSums', 4 * Math.ceil(count / BLOCK_SIZE));
    overRecords(role, listKernels, { blockSums, list: indices }, perRecord, mask);
    return indices;
  };

  for (const stage of stages) {
    if (stage.waitsFor !== undefined) buffers.waiting = list(stage.kernel, 'waiting', stage.waitsFor);
    kernels.dispatch(pass, stage, buffers, count);
  }
  if (!hitsOnly) {
    pass.end();
    return { records: results };
  }
  const hits = list('hits', 'hits', INFO_HIT);
  const gathered = pool.get('gathered', bytes);
  const tallies = pool.upload('tallies', new Uint32Array(STATUS_COUNT));
  overRecords('gather', [{ kernel: 'gather' }], { list: hits, gathered }, count * words, 0);
  overRecords('tally', [{ kernel: 'tally' }], { tallies }, perRecord, 0);
  pass.end();
  return { records: gathered, hits, tallies };
}

function uniform(pool: BufferPool, name: string, data: ArrayBuffer): GPUBuffer {
  return pool.upload(name, data, USAGE.UNIFORM | USAGE.COPY_DST);
}
