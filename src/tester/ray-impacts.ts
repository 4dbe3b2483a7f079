/**
 * The reference's impacts of one body and one ray at a time. A few of them take less time than a request to a backend,
 * which for a device is a round trip.
 */
import type { AnyBodies, BodyMotion } from '../records/bodies.ts';
import { rotationsOf } from '../records/bodies.ts';
import type { Rays } from '../api/types.ts';
import type { AnswerPair } from '../cpu/asked-pairs.ts';
import { createPairResult, type PairResult } from '../cpu/queries/result.ts';
import type { CreatePartImpacts } from '../parts/ray-impacts.ts';
import type { AskedQuery, LeadStage } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { ballOf, type ShapeTable } from '../shapes/shape-table.ts';
import type { Rest, Work } from '../util/turns.ts';

/** Scale of the sphere of a ray without a radius. It is as small as a point, and a scale of 0 is invalid. */
export const LEAST_RADIUS = 1e-30;

export interface RayImpactsOfBodies {
  /** The impact that was found last. */
  readonly result: PairResult;
  setRay(rays: Rays, ray: number): void;
  /** Finds the impact of a body and the ray. Until the rest is done, nothing else may be asked. */
  find(bodies: AnyBodies, body: number): Rest;
  /** Forgets the bodies. */
  end(): void;
}

/** `shapes` is a snapshot. `createPartImpacts`: missing if no shape has parts. */
export function createRayImpacts(
  dimension: Dimension,
  shapes: ShapeTable,
  leadStage: LeadStage,
  answerPair: AnswerPair,
  createPartImpacts: CreatePartImpacts | undefined,
): RayImpactsOfBodies {
  const { dimension: axes } = dimension;
  const ids = Uint32Array.of(0, ballOf(shapes));
  const positions = new Float64Array(2 * axes);
  const scales = new Float32Array(2);
  const upright = dimension.withUpright(
    {
      shapes: ids.subarray(0, 0),
      positions,
      quaternions: new Float32Array(0),
      angles: new Float32Array(0),
    } as AnyBodies,
    ids,
    positions,
    scales,
  );
  const rotations = rotationsOf(upright);
  const width = rotations.length / 2;
  const motion: BodyMotion = { linear: new Float32Array(2 * axes), duration: Infinity };
  const asked: AskedQuery = {
    what: { query: 'impacts', leadStage, margin: 0 },
    over: { dimension, shapes, bodies: upright, pairs: Uint32Array.of(0, 1), motion },
  };
  const parts = createPartImpacts?.(asked);
  const ball = shapes.shapes[ids[1]] as ShapeData;
  const ofTwo = createPairResult();
  let result = ofTwo;
  /** Of the last call of `find`. */
  let lastBodies: AnyBodies | undefined;
  let lastBody = -1;

  function* prepareAndFind(shape: ShapeData): Work<void> {
    for (const each of [shape, ball]) if (!parts!.isReady(each)) yield* parts!.prepare(each);
    const rest = parts!.find(false);
    if (rest) yield* rest;
  }

  return {
    get result() {
      return result;
    },
    setRay({ origins, directions, radii }, ray) {
      for (let k = 0; k < axes; k++) {
        positions[axes + k] = origins[axes * ray + k];
        motion.linear[axes + k] = directions[axes * ray + k];
      }
      scales[1] = radii ? Math.max(radii[ray], LEAST_RADIUS) : LEAST_RADIUS;
    },
    find(bodies, body) {
      const isSame = bodies === lastBodies && body === lastBody;
      const shape = shapes.shapes[bodies.shapes[body]] as ShapeData;
      if (isSame && parts && shape.parts) return parts.find(true);
      lastBodies = bodies;
      lastBody = body;
      ids[0] = bodies.shapes[body];
      scales[0] = bodies.scales ? bodies.scales[body] : 1;
      for (let k = 0; k < axes; k++) positions[k] = bodies.positions[axes * body + k];
      const given = rotationsOf(bodies);
      for (let k = 0; k < width; k++) rotations[k] = given[width * body + k];
      if (!parts || !shape.parts) {
        answerPair(asked, 0, ofTwo);
        result = ofTwo;
        return undefined;
      }
      ({ result } = parts);
      return parts.isReady(shape) && parts.isReady(ball) ? parts.find(false) : prepareAndFind(shape);
    },
    end() {
      lastBodies = undefined;
    },
  };
}
