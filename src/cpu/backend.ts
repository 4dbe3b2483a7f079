/** Queries on the CPU in double precision: the reference where there is no WebGPU. It writes the kernels' records. */
import type { Backend, QueryRequest, QuerySink } from '../backend.ts';
import { NarrowphaseError } from '../errors.ts';
import { INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { recordWords, type QueryName } from '../pack/results.ts';
import { throwIfAborted } from '../abort.ts';
import { MAX_HULL_VERTICES, type ShapeData } from '../shapes/shape-data.ts';
import type { Bodies, QueryTimings } from '../types.ts';
import { type Vec3, set, vec3 } from './math.ts';
import { createPair, makePair } from './pair.ts';
import { contact } from './queries/contacts.ts';
import { distance } from './queries/distances.ts';
import { intersects } from './queries/intersects.ts';
import { type PairResult, createPairResult } from './queries/result.ts';

/** Pairs between two looks at the caller's signal; the event loop runs there too. */
const CHUNK_PAIRS = 16_384;

const algorithms = { intersects, distances: distance, contacts: contact };

export function createCpuBackend(): Backend {
  const timings: QueryTimings = { compile: 0, kernels: 0, readBack: 0 };
  let isDisposed = false;
  return {
    name: 'cpu',
    adapter: { vendor: '', architecture: '', description: 'CPU reference, double precision', isSoftware: true },
    limits: { maxBodies: 2 ** 31, maxShapes: 2 ** 31, maxHullVertices: MAX_HULL_VERTICES, maxPairsPerChunk: CHUNK_PAIRS },
    timings,
    async run(request, sink) {
      Object.assign(timings, { compile: 0, kernels: 0, readBack: 0 });
      const pairCount = request.pairs.length / 2;
      for (let first = 0; first < pairCount; first += CHUNK_PAIRS) {
        throwIfAborted(request.signal);
        if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran');
        const start = performance.now();
        runChunk(request, first, Math.min(CHUNK_PAIRS, pairCount - first), sink);
        timings.kernels += performance.now() - start;
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    dispose() {
      isDisposed = true;
    },
  };
}

const pair = createPair();
const offset = vec3();
const result = createPairResult();

function runChunk(request: QueryRequest, firstPair: number, count: number, sink: QuerySink): void {
  const { query, bodies, pairs, shapes, useSat, margin, hitsOnly } = request;
  const { words } = recordWords[query];
  const run = algorithms[query];
  const records = new ArrayBuffer(4 * words * count);
  const listed: number[] = [];
  const statusCounts = [0, 0, 0, 0, 0];
  const writer = recordWriter(query, records);
  let slot = 0;
  for (let i = 0; i < count; i++) {
    const a = pairs[2 * (firstPair + i)];
    const b = pairs[2 * (firstPair + i) + 1];
    const shapeA = shapes.shapes[bodies.shapes[a]] as ShapeData;
    const shapeB = shapes.shapes[bodies.shapes[b]] as ShapeData;
    const { positions } = bodies;
    set(positions[3 * b] - positions[3 * a], positions[3 * b + 1] - positions[3 * a + 1], positions[3 * b + 2] - positions[3 * a + 2], offset);
    makePair(shapeA, poseOf(bodies, a, poseA), shapeB, poseOf(bodies, b, poseB), offset, pair);
    run(pair, shapeA, shapeB, margin, useSat, result);
    statusCounts[result.status]++;
    if (hitsOnly) {
      if (!result.hit) continue;
      listed.push(i);
    }
    writer(slot++, result);
  }
  if (hitsOnly) sink.count(statusCounts);
  sink.write(
    hitsOnly
      ? { firstPair, recordCount: slot, records: records.slice(0, 4 * words * slot), listed: Uint32Array.from(listed) }
      : { firstPair, recordCount: slot, records },
  );
}

const poseA = { scale: 1, quaternion: new Float64Array(4) };
const poseB = { scale: 1, quaternion: new Float64Array(4) };

function poseOf({ quaternions, scales }: Bodies, body: number, to: typeof poseA): typeof poseA {
  for (let i = 0; i < 4; i++) to.quaternion[i] = quaternions[4 * body + i];
  to.scale = scales ? scales[body] : 1;
  return to;
}

/** More than rounding to f32 can change a number by: bounds stay bounds. */
const ROUNDING = 2 ** -23;

/** Writes results as the records of `query`. */
function recordWriter(query: QueryName, records: ArrayBuffer): (slot: number, from: PairResult) => void {
  const floats = new Float32Array(records);
  const integers = new Uint32Array(records);
  const { words, info } = recordWords[query];
  const { normal, distance: distanceField, pointA, pointB, lower } = layouts.Distance.fields;
  const { upper, featureA, featureB } = layouts.Contact.fields;
  const vector = (v: Vec3, word: number): void => {
    floats[word] = v.x;
    floats[word + 1] = v.y;
    floats[word + 2] = v.z;
  };
  return (slot, from) => {
    const at = slot * words;
    integers[at + info] = from.status | (from.hit ? INFO_HIT : 0) | (from.hasPoints ? INFO_HAS_POINTS : 0) | (from.iterations << INFO_ITERATIONS_SHIFT);
    if (query === 'intersects') return;
    vector(from.normal, at + normal.offset / 4);
    floats[at + distanceField.offset / 4] = from.distance;
    vector(from.pointA, at + pointA.offset / 4);
    vector(from.pointB, at + pointB.offset / 4);
    floats[at + lower.offset / 4] = from.lower - Math.abs(from.lower) * ROUNDING;
    if (query === 'distances') return;
    floats[at + upper.offset / 4] = from.upper + Math.abs(from.upper) * ROUNDING;
    integers[at + featureA.offset / 4] = from.featureA;
    integers[at + featureB.offset / 4] = from.featureB;
  };
}
