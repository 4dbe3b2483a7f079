/**
 * Casts rays without a request to a backend: each ray goes from body to body in the order in which it enters their boxes,
 * until none that is left can be met earlier than the first impact so far.
 */
import type { CollisionFilters, Rays } from '../api/types.ts';
import type { BodyTree } from '../broad-phase/body-tree.ts';
import { createBoxRay, createRayWalk, setBoxRay, startRayWalk, walkAlongRay } from '../broad-phase/box-rays.ts';
import { ALL_GROUPS, groupsMeet } from '../broad-phase/filters.ts';
import { writeRecord } from '../cpu/write-record.ts';
import type { AnyBodies } from '../records/bodies.ts';
import type { Dimension } from '../request/dimension.ts';
import { keepEarlier, type FirstHits } from '../request/ray-hits.ts';
import type { ShapeTable } from '../shapes/shape-table.ts';
import type { Rest, Work } from '../util/turns.ts';
import { createBallSearch } from './ball-search.ts';
import type { RayImpactsOfBodies } from './ray-impacts.ts';

/** What rays are cast at. */
export interface RayTargets {
  bodies: AnyBodies;
  filters: CollisionFilters;
  /** Missing: the ball around each body is tested. */
  tree?: BodyTree;
}

export interface DirectCast {
  /** Casts rays: the first hit of each is written. */
  begin(targets: RayTargets, rays: Rays, hits: FirstHits): void;
  /** Does the work. */
  finish(): Work<void>;
  /** Forgets what was cast at what. */
  end(): void;
}

interface Cast {
  targets: RayTargets;
  rays: Rays;
  hits: FirstHits;
}

/** Impacts, or rays, after which others get their turns, if it is time. */
const AT_ONCE = 64;

/** A cast at a time. `shapes` is a snapshot. It allocates nothing per ray. */
export function createDirectCast(dimension: Dimension, shapes: ShapeTable, impacts: RayImpactsOfBodies): DirectCast {
  const { dimension: axes, records } = dimension;
  const integers = new Uint32Array(records.sizes.impacts.words);
  const floats = new Float32Array(integers.buffer);
  const boxRay = createBoxRay();
  const walk = createRayWalk();
  const balls = createBallSearch(dimension, shapes);
  const nothing: Cast = { targets: undefined!, rays: undefined!, hits: undefined! };
  let { targets, rays, hits } = nothing;
  let count = 0;
  /** The next ray to begin with, and whether the one before has ended. */
  let next = 0;
  let isBetween = true;
  let groups = ALL_GROUPS;
  let left = 0;
  /** What is left to do for the impact with a body. The bodies that are visited meanwhile wait, with when they are entered. */
  let rest: Rest;
  let restingBody = 0;
  const waiting: number[] = [];
  const entries: number[] = [];

  /** When the first impact so far is, or the ray's end. */
  function most(): number {
    return Math.min(hits.time[next - 1], boxRay.end);
  }

  /** Keeps the impact with a body if it is the first. */
  function keep(body: number): void {
    const { result } = impacts;
    if (!result.hit) return;
    writeRecord('impacts', records, result, floats, integers, 0);
    keepEarlier(dimension, hits, next - 1, boxRay.end, body, targets.bodies.positions, floats, integers, 0);
  }

  /** Finds the impact with a body, or begins to. */
  function visit(body: number, entry: number): number {
    const ofBodies = targets.filters.groups;
    if (entry > most() || (ofBodies && !groupsMeet(groups, ofBodies[body]))) return most();
    if (rest) {
      waiting.push(body);
      entries.push(entry);
      return most();
    }
    left--;
    rest = impacts.find(targets.bodies, body);
    if (rest) restingBody = body;
    else keep(body);
    return most();
  }

  /** Finds the impacts that were begun, and those with the bodies that wait. */
  function* visitWaiting(): Work<void> {
    yield* rest!;
    keep(restingBody);
    for (let i = 0; i < waiting.length; i++) {
      if (entries[i] > most()) continue;
      rest = impacts.find(targets.bodies, waiting[i]);
      if (rest) yield* rest;
      keep(waiting[i]);
    }
    rest = undefined;
    waiting.length = entries.length = 0;
    walk.most = most();
  }

  function beginRay(ray: number): void {
    const { tree } = targets;
    groups = rays.groups ? rays.groups[ray] : ALL_GROUPS;
    setBoxRay(axes, rays, ray, boxRay);
    impacts.setRay(rays, ray);
    if (!tree) {
      balls.begin(targets.bodies, boxRay);
      return;
    }
    startRayWalk(tree.tree, boxRay, walk);
    // Half-spaces have no boxes.
    for (const { body } of tree.halfspaces) walk.most = visit(body, 0);
  }

  /** Goes on for a fraction of a millisecond. Returns whether all rays have their hits. */
  function advance(): boolean {
    left = AT_ONCE;
    while (left > 0) {
      if (rest) return false;
      if (isBetween) {
        if (next === count) return true;
        beginRay(next++);
        left--;
      }
      const { tree } = targets;
      isBetween = tree ? walkAlongRay(tree.tree, boxRay, groups, visit, walk) : balls.advance(boxRay, visit);
      if (!isBetween) break;
    }
    return false;
  }

  return {
    begin(given, ofRays, to) {
      targets = given;
      rays = ofRays;
      hits = to;
      count = rays.origins.length / axes;
      next = 0;
      isBetween = true;
    },
    *finish() {
      while (!advance()) {
        if (rest) yield* visitWaiting();
        else yield;
      }
    },
    end() {
      ({ targets, rays, hits } = nothing);
      balls.end();
      impacts.end();
    },
  };
}
