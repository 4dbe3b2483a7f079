/**
 * Casts rays without a request to a backend: each ray goes from body to body in the order in which it enters their boxes,
 * until the result needs none that are left.
 */
import type { CollisionFilters, Rays } from '../api/types.ts';
import type { BodyTree } from '../broad-phase/body-tree.ts';
import {
  createBoxRay,
  createRayWalk,
  setBoxRay,
  startRayWalk,
  walkAlongRay,
  type BoxRay,
  type RayWalk,
  type VisitBody,
} from '../broad-phase/box-rays.ts';
import { ALL_GROUPS, groupsMeet } from '../broad-phase/filters.ts';
import { writeRecord } from '../cpu/write-record.ts';
import type { AnyBodies } from '../records/bodies.ts';
import type { Dimension } from '../request/dimension.ts';
import { timeOf, type ImpactRecord, type RaySink } from '../request/ray-hits.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Rest, Work } from '../util/turns.ts';
import { createBallSearch, type BallSearch } from './ball-search.ts';
import type { RayImpactsOfBodies } from './ray-impacts.ts';

/** What rays are cast at. */
export interface RayTargets {
  bodies: AnyBodies;
  filters: CollisionFilters;
  /** Missing: the ball around each body is tested. */
  tree?: BodyTree;
}

export interface DirectCast {
  /** Casts rays: `sink` gets their impacts. */
  begin(targets: RayTargets, rays: Rays, sink: RaySink): void;
  /** Does the work. */
  finish(): Work<void>;
  /** Forgets what was cast at what. */
  end(): void;
}

/** Impacts, or rays, after which others get their turns, if it is time. */
const AT_ONCE = 64;

interface Cast {
  readonly dimension: Dimension;
  readonly impacts: RayImpactsOfBodies;
  readonly balls: BallSearch;
  readonly boxRay: BoxRay;
  readonly walk: RayWalk;
  /** Memory for an impact. */
  readonly record: ImpactRecord;
  targets: RayTargets;
  rays: Rays;
  sink: RaySink;
  count: number;
  /** The next ray to begin with, and whether the one before has ended. */
  next: number;
  isBetween: boolean;
  /** The groups of the current ray. */
  groups: number;
  /** Impacts, or rays, until others get their turns. */
  left: number;
  /** What is left to do for the impact with a body. The bodies that are visited meanwhile wait, with when they are entered. */
  rest: Rest;
  restingBody: number;
  readonly waiting: number[];
  readonly entries: number[];
}

/** The time after which no impact of the ray matters. */
function mostOf({ sink, next, boxRay }: Cast): number {
  return Math.min(sink.latestTime(next - 1), boxRay.end);
}

/** Passes on the impact with a body, if there is one before the ray's end. */
function keep(cast: Cast, body: number): void {
  const { dimension, impacts, sink, next, boxRay, record } = cast;
  const { result } = impacts;
  if (!result.hit) return;
  writeRecord('impacts', dimension.records, result, record.floats, record.integers, 0);
  if (timeOf(dimension, record) > boxRay.end) return;
  sink.keep(next - 1, body, record);
}

/** Finds the impact with a body, or begins to. */
function visit(cast: Cast, body: number, entry: number): number {
  const { targets, groups, impacts } = cast;
  const ofBodies = targets.filters.groups;
  if (entry > mostOf(cast) || (ofBodies && !groupsMeet(groups, ofBodies[body]))) return mostOf(cast);
  if (cast.rest) {
    cast.waiting.push(body);
    cast.entries.push(entry);
    return mostOf(cast);
  }
  cast.left--;
  cast.rest = impacts.find(targets.bodies, body);
  if (cast.rest) cast.restingBody = body;
  else keep(cast, body);
  return mostOf(cast);
}

/** Finds the impacts that were begun, and those with the bodies that wait. */
function* visitWaiting(cast: Cast): Work<void> {
  const { waiting, entries, impacts, targets, walk } = cast;
  yield* cast.rest!;
  keep(cast, cast.restingBody);
  for (let i = 0; i < waiting.length; i++) {
    if (entries[i] > mostOf(cast)) continue;
    cast.rest = impacts.find(targets.bodies, waiting[i]);
    if (cast.rest) yield* cast.rest;
    keep(cast, waiting[i]);
  }
  cast.rest = undefined;
  waiting.length = entries.length = 0;
  walk.most = mostOf(cast);
}

function beginRay(cast: Cast, ray: number): void {
  const { dimension, impacts, balls, boxRay, walk, targets, rays } = cast;
  const { tree } = targets;
  cast.groups = rays.groups ? rays.groups[ray] : ALL_GROUPS;
  setBoxRay(dimension.dimension, rays, ray, boxRay);
  impacts.setRay(rays, ray);
  if (!tree) {
    balls.begin(targets.bodies, boxRay);
    return;
  }
  startRayWalk(tree.tree, boxRay, walk);
  // Half-spaces have no boxes.
  for (const { body } of tree.halfspaces) walk.most = visit(cast, body, 0);
}

/** Goes on for a fraction of a millisecond. Returns whether all rays have their impacts. */
function advance(cast: Cast, visitBody: VisitBody): boolean {
  const { targets, boxRay, walk, balls } = cast;
  const { tree } = targets;
  cast.left = AT_ONCE;
  while (cast.left > 0) {
    if (cast.rest) return false;
    if (cast.isBetween) {
      if (cast.next === cast.count) return true;
      beginRay(cast, cast.next++);
      cast.left--;
    }
    cast.isBetween = tree
      ? walkAlongRay(tree.tree, boxRay, cast.groups, visitBody, walk)
      : balls.advance(boxRay, visitBody);
    if (!cast.isBetween) break;
  }
  return false;
}

/** A cast at a time. `shapes` is a snapshot. It allocates nothing per ray. */
export function createDirectCast(dimension: Dimension, shapes: ShapeTable, impacts: RayImpactsOfBodies): DirectCast {
  const integers = new Uint32Array(dimension.records.sizes.impacts.words);
  const nothing = { targets: undefined!, rays: undefined!, sink: undefined! };
  const cast: Cast = {
    dimension,
    impacts,
    balls: createBallSearch(dimension, shapes),
    boxRay: createBoxRay(),
    walk: createRayWalk(),
    record: { integers, floats: new Float32Array(integers.buffer), at: 0 },
    ...nothing,
    count: 0,
    next: 0,
    isBetween: true,
    groups: ALL_GROUPS,
    left: 0,
    rest: undefined,
    restingBody: 0,
    waiting: [],
    entries: [],
  };
  const visitBody: VisitBody = (body, entry) => visit(cast, body, entry);
  return {
    begin(targets, rays, sink) {
      const count = rays.origins.length / dimension.dimension;
      Object.assign(cast, { targets, rays, sink, count, next: 0, isBetween: true });
    },
    *finish() {
      while (!advance(cast, visitBody)) {
        if (cast.rest) yield* visitWaiting(cast);
        else yield;
      }
    },
    end() {
      Object.assign(cast, nothing);
      cast.balls.end();
      impacts.end();
    },
  };
}
