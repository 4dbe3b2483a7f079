/** Items of a result: its slots as objects. */
import type { QueryName } from '../api/queries.ts';
import type {
  ContactItem,
  Contacts,
  DistanceItem,
  Distances,
  ImpactItem,
  Impacts,
  IntersectionItem,
  Intersections,
  ManifoldItem,
  Manifolds,
  SpaceVector,
  Status,
} from '../api/types.ts';
import { MANIFOLD_POINTS } from './layout.ts';

const ITEMS = {
  intersects: intersectionItem,
  distances: distanceItem,
  contacts: contactItem,
  manifolds: manifoldItem,
  impacts: impactItem,
};

/** The item in a slot of a result of `query`. */
export function itemOf(query: QueryName, result: object, slot: number, axes: number): object {
  return ITEMS[query](result as never, slot, axes);
}

function intersectionItem(result: Intersections, slot: number): IntersectionItem {
  return { pair: result.pair[slot], status: result.status[slot] as Status, hit: result.hit[slot] === 1 };
}

function distanceItem(result: Distances, slot: number, axes: number): DistanceItem {
  return {
    pair: result.pair[slot],
    status: result.status[slot] as Status,
    distance: result.distance[slot],
    normal: vector(result.normal, slot, axes),
    pointA: vector(result.pointA, slot, axes),
    pointB: vector(result.pointB, slot, axes),
  };
}

function contactItem(result: Contacts, slot: number, axes: number): ContactItem {
  const item: ContactItem = {
    ...distanceItem(result, slot, axes),
    featureA: result.featureA[slot],
    featureB: result.featureB[slot],
    iterations: result.iterations[slot],
  };
  if (result.lower && result.upper) {
    item.lower = result.lower[slot];
    item.upper = result.upper[slot];
  }
  return item;
}

function manifoldItem(result: Manifolds, slot: number, axes: number): ManifoldItem {
  const { pair, status, normal, contactDistance, pointCount, position, distance, feature } = result;
  return {
    pair: pair[slot],
    status: status[slot] as Status,
    normal: vector(normal, slot, axes),
    contactDistance: contactDistance[slot],
    points: Array.from({ length: pointCount[slot] }, (_, point) => ({
      position: vector(position, MANIFOLD_POINTS * slot + point, axes),
      distance: distance[MANIFOLD_POINTS * slot + point],
      feature: feature[MANIFOLD_POINTS * slot + point],
    })),
  };
}

function impactItem(result: Impacts, slot: number, axes: number): ImpactItem {
  return {
    pair: result.pair[slot],
    status: result.status[slot] as Status,
    time: result.time[slot],
    unclampedTime: result.unclampedTime[slot],
    normal: vector(result.normal, slot, axes),
    point: vector(result.point, slot, axes),
    iterations: result.iterations[slot],
  };
}

/** A vector of an array. In 2-D it has two numbers, as the types of a 2-D tester say. */
export function vector(array: ArrayLike<number>, slot: number, axes: number): SpaceVector {
  const at = axes * slot;
  return (axes === 2 ? [array[at], array[at + 1]] : [array[at], array[at + 1], array[at + 2]]) as SpaceVector;
}
