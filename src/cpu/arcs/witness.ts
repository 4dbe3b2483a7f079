/** Witness points of a depth by Gauss maps: a vertex over a face, or two edges that cross. */
import { ARC_MISS_ULPS, ARC_TIE_ULPS } from '../../generated/constants.ts';
import type { GaussMap } from '../../shapes/gauss-map.ts';
import { EPSILON, type Vec3, addScaled, copy, cross, dot, subtract, transformBack, vec3 } from '../math.ts';
import type { Pair } from '../pair.ts';
import { vertexA, vertexB } from '../support.ts';

/** The normal in A's frame and the height along it, and the points to fill. */
interface Witness {
  readonly normal: Vec3;
  readonly lower: number;
  onA: Vec3;
  onB: Vec3;
}

/** A face or an arc, and vertices of the other body. */
interface Found {
  readonly index: number;
  readonly isOfB: boolean;
  readonly vertex: number;
  readonly otherVertex: number;
}

const TIE = ARC_TIE_ULPS * EPSILON;
const inBody = vec3();

/**
 * The vertex and its foot on the plane of the other polytope, whose map is `map`. False if the foot is outside: several
 * vertices are equally high then, and this one is no witness.
 */
export function faceWitness(pair: Pair, map: GaussMap, found: Found, to: Witness): boolean {
  const { normal, lower } = to;
  const core = found.isOfB ? pair.coreB : pair.coreA;
  if (found.isOfB) {
    addScaled(vertexA(pair, found.vertex, to.onA), normal, lower, to.onB);
    transformBack(pair.rotation, subtract(to.onB, pair.translation, inBody), inBody);
  } else {
    copy(addScaled(vertexB(pair, found.vertex, to.onB), normal, -lower, to.onA), inBody);
  }
  const { normals, offsets } = map;
  const { x, y, z } = inBody;
  for (let i = 0; i < offsets.length; i++) {
    const height = normals[3 * i] * x + normals[3 * i + 1] * y + normals[3 * i + 2] * z;
    if (height > offsets[i] * core.scale + TIE) return false;
  }
  return true;
}

const startOfE = vec3();
const alongE = vec3();
const startOfH = vec3();
const alongH = vec3();
const between = vec3();
const crossing = vec3();

/** The points of two edges that are opposite each other. False if the edges are parallel or miss each other. */
export function edgeWitness(pair: Pair, map: GaussMap, found: Found, to: Witness): boolean {
  const { normal, lower } = to;
  const [vertexE, vertexH, onE, onH] = found.isOfB
    ? [vertexB, vertexA, to.onB, to.onA]
    : [vertexA, vertexB, to.onA, to.onB];
  vertexE(pair, map.edges[2 * found.index], startOfE);
  subtract(vertexE(pair, map.edges[2 * found.index + 1], alongE), startOfE, alongE);
  vertexH(pair, found.vertex, startOfH);
  subtract(vertexH(pair, found.otherVertex, alongH), startOfH, alongH);
  // As seen along the normal.
  subtract(startOfH, startOfE, between);
  const turn = dot(normal, cross(alongE, alongH, crossing));
  const s = dot(normal, cross(between, alongH, crossing)) / turn;
  const t = dot(normal, cross(between, alongE, crossing)) / turn;
  // Not `<`: parallel edges have no numbers here.
  if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) return false;
  addScaled(startOfE, alongE, s, onE);
  addScaled(startOfH, alongH, t, onH);
  const miss = subtract(to.onB, to.onA, between);
  addScaled(miss, normal, -lower, miss);
  return Math.sqrt(dot(miss, miss)) <= ARC_MISS_ULPS * EPSILON;
}
