/** Queries on the CPU in double precision: the reference where there is no WebGPU. It writes the kernels' records. */
import type { Backend, QueryRequest, QuerySink } from '../backend.ts';
import { NarrowphaseError } from '../errors.ts';
import { CORE_POINT, CURVED_MOTION_SLACK_ULPS, INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT, INFO_POINTS_SHIFT, MOTION_SLACK_ULPS } from '../generated/constants.ts';
import type { Records } from '../pack/records.ts';
import type { QueryName } from '../pack/results.ts';
import { throwIfAborted } from '../abort.ts';
import { isCurved } from '../shapes/kinds.ts';
import { MAX_HULL_VERTICES, type ShapeData } from '../shapes/shape-data.ts';
import type { BodyMotion } from '../space/space.ts';
import type { PosedBodies, QueryTimings } from '../types.ts';
import { ensureOpen } from '../warm-start.ts';
import { GUESS_LENGTH, NO_ID } from './gjk.ts';
import { type Vec3, set } from './math.ts';
import { createPair, makePair } from './pair.ts';
import { answerPlanarPair } from './planar/backend.ts';
import { contact } from './queries/contacts.ts';
import { distance } from './queries/distances.ts';
import { impactOfBodies } from './queries/impacts.ts';
import { intersects } from './queries/intersects.ts';
import { manifold } from './queries/manifolds.ts';
import { createMotion } from './queries/motion.ts';
import { type PairResult, createPairResult } from './queries/result.ts';

/** Pairs between two looks at the clock; their records stay in a cache. */
const CHUNK_PAIRS = 1024;

/** Milliseconds of work after which the event loop gets a turn, and the caller's signal is looked at. */
const TURN_MS = 8;

/** Settles when the event loop has had a turn; timers would not for another 1 to 4 ms. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const settle = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener('message', settle, { once: true });
    port1.start();
    port2.postMessage(null);
  });
}

const algorithms = { intersects, distances: distance, contacts: contact, manifolds: manifold };

export function createCpuBackend(): Backend {
  const timings: QueryTimings = { compile: 0, kernels: 0, readBack: 0 };
  let isDisposed = false;
  /** Since the event loop last had its turn, in this query and in those before it. */
  let busy = 0;
  return {
    name: 'cpu',
    adapter: { vendor: '', architecture: '', description: 'CPU reference, double precision', isSoftware: true },
    limits: { maxBodies: 2 ** 31, maxShapes: 2 ** 31, maxHullVertices: MAX_HULL_VERTICES, maxPairsPerChunk: CHUNK_PAIRS },
    timings,
    async run(request, sink) {
      Object.assign(timings, { compile: 0, kernels: 0, readBack: 0 });
      const pairCount = request.pairs.length / 2;
      const records = new ArrayBuffer(4 * request.space.records.sizes[request.query].words * Math.min(CHUNK_PAIRS, pairCount));
      for (let first = 0; first < pairCount; first += CHUNK_PAIRS) {
        throwIfAborted(request.signal);
        if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran');
        const start = performance.now();
        runChunk(request, first, Math.min(CHUNK_PAIRS, pairCount - first), records, sink);
        const spent = performance.now() - start;
        timings.kernels += spent;
        busy += spent;
        if (busy < TURN_MS) continue;
        await nextTurn();
        busy = 0;
      }
    },
    dispose() {
      isDisposed = true;
    },
  };
}

/** What GJK starts from, and where it leaves what it ended with. */
const lastIds = new Float64Array(GUESS_LENGTH);
const NO_IDS = new Float64Array(0);

const pair = createPair();
const motion = createMotion();
const { offset } = motion;
const result = createPairResult();

/** The answer for one pair of a query. GJK starts from `guess`, if given, and leaves there what it ended with. */
export function answerPair(request: QueryRequest, index: number, to: PairResult, guess?: Float64Array): void {
  if (request.space.dimension === 2) return answerPlanarPair(request, index, to);
  const { query, pairs, first, mprDepth, margin } = request;
  const bodies = request.bodies as PosedBodies;
  const { positions } = bodies;
  const shapes = request.shapes.shapes as unknown as readonly ShapeData[];
  const a = pairs[2 * index];
  const b = pairs[2 * index + 1];
  const shapeA = shapes[bodies.shapes[a]];
  const shapeB = shapes[bodies.shapes[b]];
  set(positions[3 * b] - positions[3 * a], positions[3 * b + 1] - positions[3 * a + 1], positions[3 * b + 2] - positions[3 * a + 2], offset);
  if (query === 'impacts') {
    setMotion(request.motion!, a, b, shapeA.kind, shapeB.kind);
    motion.margin = margin;
    motion.slack = isCurved(shapeA.kind) || isCurved(shapeB.kind) ? CURVED_MOTION_SLACK_ULPS * F32_EPSILON : MOTION_SLACK_ULPS * F32_EPSILON;
    impactOfBodies(pair, shapeA, poseOf(bodies, a, poseA), shapeB, poseOf(bodies, b, poseB), motion, first, to);
    return;
  }
  makePair(shapeA, poseOf(bodies, a, poseA), shapeB, poseOf(bodies, b, poseB), offset, pair);
  algorithms[query](pair, shapeA, shapeB, margin, first, to, guess, mprDepth);
}

/** Machine epsilon of f32: what callers' positions and the times they get are rounded to. */
const F32_EPSILON = 2 ** -23;

/** Spheres look the same however they turn. */
function setMotion({ linear, angular, duration }: BodyMotion, a: number, b: number, kindA: number, kindB: number): void {
  set(linear[3 * b] - linear[3 * a], linear[3 * b + 1] - linear[3 * a + 1], linear[3 * b + 2] - linear[3 * a + 2], motion.velocity);
  motion.duration = duration;
  setSpin(angular, a, kindA, motion.spinA);
  setSpin(angular, b, kindB, motion.spinB);
}

function setSpin(angular: Float32Array | undefined, body: number, kind: number, to: Vec3): void {
  if (angular && kind !== CORE_POINT) set(angular[3 * body], angular[3 * body + 1], angular[3 * body + 2], to);
  else set(0, 0, 0, to);
}

/** Writes the records of `count` pairs to `records` and hands them on. */
function runChunk(request: QueryRequest, firstPair: number, count: number, records: ArrayBuffer, sink: QuerySink): void {
  const { query, space: { records: layout }, hitsOnly, warmStart } = request;
  if (warmStart) ensureOpen(warmStart);
  const ids = warmStart ? (warmStart.ids ??= new Float64Array(GUESS_LENGTH * warmStart.maxPairs).fill(NO_ID)) : NO_IDS;
  const floats = new Float32Array(records);
  const integers = new Uint32Array(records);
  const listed: number[] = [];
  const statusCounts = [0, 0, 0, 0, 0];
  let slot = 0;
  for (let i = 0; i < count; i++) {
    if (warmStart) {
      const at = GUESS_LENGTH * (firstPair + i);
      for (let k = 0; k < GUESS_LENGTH; k++) lastIds[k] = ids[at + k];
      answerPair(request, firstPair + i, result, lastIds);
      ids.set(lastIds, at);
    } else {
      answerPair(request, firstPair + i, result);
    }
    statusCounts[result.status]++;
    if (hitsOnly) {
      if (!result.hit) continue;
      listed.push(i);
    }
    writeRecord(query, layout, result, floats, integers, slot++);
  }
  if (hitsOnly) sink.count(statusCounts);
  sink.write(
    hitsOnly
      ? { firstPair, recordCount: slot, records: records.slice(0, 4 * layout.sizes[query].words * slot), listed: Uint32Array.from(listed) }
      : { firstPair, recordCount: slot, records },
  );
}

const poseA = { scale: 1, quaternion: new Float64Array(4) };
const poseB = { scale: 1, quaternion: new Float64Array(4) };

function poseOf({ quaternions, scales }: PosedBodies, body: number, to: typeof poseA): typeof poseA {
  const { quaternion } = to;
  quaternion[0] = quaternions[4 * body];
  quaternion[1] = quaternions[4 * body + 1];
  quaternion[2] = quaternions[4 * body + 2];
  quaternion[3] = quaternions[4 * body + 3];
  to.scale = scales ? scales[body] : 1;
  return to;
}

/** More than rounding to f32 can change a number by: bounds stay bounds. */
const ROUNDING = 2 ** -23;

/** Writes a result as the record number `slot` of `query`. */
export function writeRecord(query: QueryName, layout: Records, from: PairResult, floats: Float32Array, integers: Uint32Array, slot: number): void {
  const { axes, sizes, fields, impact } = layout;
  const { words, info } = sizes[query];
  const at = slot * words;
  integers[at + info] = from.status | (from.hit ? INFO_HIT : 0) | (from.hasPoints ? INFO_HAS_POINTS : 0) | (from.iterations << INFO_ITERATIONS_SHIFT);
  if (query === 'intersects') return;
  if (query === 'manifolds') return writeManifold(layout, from, floats, integers, at);
  if (query === 'impacts') {
    writeVector(axes, from.normal, floats, at + impact.normal);
    writeVector(axes, from.pointA, floats, at + impact.point);
    floats[at + impact.unclampedTime] = from.unclampedTime;
    return;
  }
  const { normal, distance: distanceWord, pointA, pointB, lower, upper, featureA, featureB } = fields;
  writeVector(axes, from.normal, floats, at + normal);
  floats[at + distanceWord] = from.distance;
  writeVector(axes, from.pointA, floats, at + pointA);
  writeVector(axes, from.pointB, floats, at + pointB);
  if (query === 'contacts' || layout.distancesHaveLower) floats[at + lower] = from.lower - Math.abs(from.lower) * ROUNDING;
  if (query === 'distances') return;
  floats[at + upper] = from.upper + Math.abs(from.upper) * ROUNDING;
  integers[at + featureA] = from.featureA;
  integers[at + featureB] = from.featureB;
}

function writeManifold({ axes, sizes, manifold: { normal, positions, distances, features } }: Records, from: PairResult, floats: Float32Array, integers: Uint32Array, at: number): void {
  integers[at + sizes.manifolds.info] |= from.pointCount << INFO_POINTS_SHIFT;
  writeVector(axes, from.normal, floats, at + normal);
  for (let i = 0; i < positions.length; i++) {
    for (let k = 0; k < axes; k++) floats[at + positions[i] + k] = from.positions[3 * i + k];
    floats[at + distances[i]] = from.distances[i];
    integers[at + features[i]] = from.features[i];
  }
}

function writeVector(axes: number, v: Vec3, floats: Float32Array, word: number): void {
  floats[word] = v.x;
  floats[word + 1] = v.y;
  if (axes === 3) floats[word + 2] = v.z;
}
