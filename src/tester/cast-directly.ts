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
import type { Work } from '../util/turns.ts';
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
  /** Goes on for a fraction of a millisecond. Returns whether all rays have their hits, or something has to be prepared. */
  advance(): boolean;
  /** Does the rest of the work, if there is any. */
  finish(): Work<void>;
}

/** Impacts, or rays, after which `advance` returns. */
const AT_ONCE = 64;

/** A cast at a time. `shapes` is a snapshot. It allocates nothing per ray. */
export function createDirectCast(dimension: Dimension, shapes: ShapeTable, impacts: RayImpactsOfBodies): DirectCast {
  const { dimension: axes, records } = dimension;
  const integers = new Uint32Array(records.sizes.impacts.words);
  const floats = new Float32Array(integers.buffer);
  const boxRay = createBoxRay();
  const walk = createRayWalk();
  const balls = createBallSearch(dimension, shapes);
  let targets: RayTargets;
  let rays: Rays;
  let hits: FirstHits;
  let count = 0;
  /** The next ray to begin with, and whether the one before has ended. */
  let next = 0;
  let isBetween = true;
  let groups = ALL_GROUPS;
  let isLacking = false;
  let left = 0;

  /** Keeps the impact with a body if it is the first. Returns when that is, or the ray's end. */
  function visit(body: number): number {
    const ray = next - 1;
    const ofBodies = targets.filters.groups;
    if (!ofBodies || groupsMeet(groups, ofBodies[body])) {
      const impact = impacts.with(targets.bodies, body);
      left--;
      if (!impact) {
        isLacking = true;
        return -1;
      }
      if (impact.hit) {
        writeRecord('impacts', records, impact, floats, integers, 0);
        keepEarlier(dimension, hits, ray, boxRay.end, body, targets.bodies.positions, floats, integers, 0);
      }
    }
    return Math.min(hits.time[ray], boxRay.end);
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
    for (const { body } of tree.halfspaces) walk.most = Math.min(visit(body), walk.most);
  }

  return {
    begin(given, ofRays, to) {
      targets = given;
      rays = ofRays;
      hits = to;
      count = rays.origins.length / axes;
      next = 0;
      isBetween = true;
      isLacking = false;
    },
    advance() {
      left = AT_ONCE;
      while (left > 0) {
        if (isBetween) {
          if (isLacking || next === count) return true;
          beginRay(next++);
          left--;
        }
        const { tree } = targets;
        isBetween = tree ? walkAlongRay(tree.tree, boxRay, groups, visit, walk) : balls.advance(boxRay, visit);
        if (!isBetween) break;
      }
      return isLacking;
    },
    *finish() {
      for (;;) {
        while (!this.advance()) yield;
        if (!isLacking) return;
        yield* impacts.prepare();
        // The ray begins again.
        isLacking = false;
        isBetween = true;
        next--;
      }
    },
  };
}
