/** Mirror of shaders/manifold/lines.wgsl: corners of two contact faces that are lines side by side. */
import {
  MANIFOLD_FLANK,
  MANIFOLD_LEAST_COSINE,
  MANIFOLD_NAME_SHARE,
  MANIFOLD_SAME_ULPS,
  MANIFOLD_VERTEX,
} from '../../generated/constants.ts';
import type { ContactFace } from '../contact-face/face.ts';
import { CORNER_EPSILON, offerCorner, type Place } from '../corners.ts';
import { copy, vec3, type Vec3 } from '../math.ts';
import { cross2 } from './clip.ts';

const SAME = MANIFOLD_SAME_ULPS * CORNER_EPSILON;
/** In place of MANIFOLD_LINE_ULPS: a quarter of the reference's tolerance. */
export const ASIDE = 2 ** -32;
/** More than in kernels, for double precision. */
const CONE_ROUNDS = 24;

/** A contact face that is a line: see `ContactFace`. */
export interface Line {
  side: number;
  middle: Vec3;
  /**
   * u and v of the middle of what corners are on: of the axis if the ends are balls, otherwise of the line itself.
   */
  overU: number;
  overV: number;
  /** From the middle to the last end. */
  half: Vec3;
  bend: number;
  slantX: number;
  slantY: number;
  isRound: boolean;
  isCapped: boolean;
  flanks: readonly [Vec3, Vec3];
  firstEnd: number;
  lastEnd: number;
}

export function createLine(): Line {
  return {
    side: 1,
    middle: vec3(),
    overU: 0,
    overV: 0,
    half: vec3(),
    bend: 0,
    slantX: 1,
    slantY: 0,
    isRound: false,
    isCapped: false,
    flanks: [vec3(), vec3()],
    firstEnd: 0,
    lastEnd: 0,
  };
}

export function lineOf(face: ContactFace, line: Line): Line {
  const { x, y } = face.isCapped ? face.middle : face.origin;
  line.overU = x;
  line.overV = y;
  copy(face.middle, line.middle);
  copy(face.p, line.half);
  copy(face.flanks[0], line.flanks[0]);
  copy(face.flanks[1], line.flanks[1]);
  line.side = face.side;
  line.bend = face.bend;
  line.slantX = face.slantX;
  line.slantY = face.slantY;
  line.isRound = face.isRound;
  line.isCapped = face.isCapped;
  line.firstEnd = face.firstEnd;
  line.lastEnd = face.lastEnd;
  return line;
}

const place: Place = { u: 0, v: 0, h: 0, distance: 0 };

/** Adds the ends of the overlap of two lines, no farther aside than where a surface has dropped by `mostDrop`. */
export function addLineCorners(lineA: Line, lineB: Line, maxDistance: number, mostDrop: number): void {
  const { half: halfA } = lineA;
  const { half: halfB } = lineB;
  const size = Math.sqrt(halfA.x * halfA.x + halfA.y * halfA.y);
  if (size < SAME) return;
  const axisU = halfA.x / size;
  const axisV = halfA.y / size;
  const centre = (lineB.overU - lineA.overU) * axisU + (lineB.overV - lineA.overV) * axisV;
  const spanB = halfB.x * axisU + halfB.y * axisV;
  const low = Math.max(-size, centre - Math.abs(spanB));
  const high = Math.min(size, centre + Math.abs(spanB));
  if (low > high) return;
  const band = 2 * MANIFOLD_NAME_SHARE * Math.min(size, Math.abs(spanB));
  for (const isHigh of [false, true]) {
    const at = isHigh ? high : low;
    const isEndOfA = (isHigh ? at : -at) >= size - band;
    const alongB = Math.abs(spanB) > 1e-300 ? Math.min(Math.max((at - centre) / spanB, -1), 1) : 0;
    const onAU = lineA.overU + halfA.x * (at / size);
    const onAV = lineA.overV + halfA.y * (at / size);
    const bendA = radiusAt(lineA, at / size);
    const bends = bendA + radiusAt(lineB, alongB);
    const toBU = lineB.overU + halfB.x * alongB - onAU;
    const toBV = lineB.overV + halfB.y * alongB - onAV;
    // Beside a round line on the edge itself, whose faces may be narrow. Of two edges or segments, on that which falls off
    // more steeply: there the other one is under or over it.
    const areAlike = lineA.isRound === lineB.isRound;
    const isSteeper = areAlike ? steepness(lineA, toBU, toBV) <= steepness(lineB, -toBU, -toBV) : lineB.isRound;
    const share = areAlike && bends > 0 ? bendA / bends : isSteeper ? 0 : 1;
    // Perpendicular to A's line, and so hardly past the end of B's.
    const ofB = Math.sqrt(halfB.x * halfB.x + halfB.y * halfB.y);
    const past = Math.min(Math.abs(toBU * halfB.x + toBV * halfB.y) / Math.max(ofB, 1e-300), 0.5 * (high - low));
    const inward = isHigh ? -past : past;
    const u = onAU + toBU * share + axisU * inward;
    const v = onAV + toBV * share + axisV * inward;
    place.u = u;
    place.v = v;
    place.h = lineHeight(lineA, u, v, mostDrop);
    place.distance = lineHeight(lineB, u, v, mostDrop) - place.h;
    const id = isEndOfA ? Number(isHigh) : MANIFOLD_VERTEX + Number(isHigh === spanB >= 0);
    // The heights are not numbers if there is no surface; the corner is not added then.
    offerCorner(place, id, id, maxDistance, SAME);
  }
}

/** The radius at a share of the half length from the middle: a cone's goes from twice that of the middle to 0. */
function radiusAt({ bend, slantY }: Line, share: number): number {
  return slantY > 0 ? bend * (1 - Math.min(Math.max(share, -1), 1)) : bend;
}

/** The cosine of a sharp line's slope on the side of a direction: 0 if there is nothing beside the line. */
function steepness({ flanks: [first, last], side }: Line, u: number, v: number): number {
  return side * ((first.x - last.x) * u + (first.y - last.y) * v >= 0 ? first.z : last.z);
}

/**
 * Whether a point is on a cone's side, between its base and its apex: at a place along the line, and away from it by the drop
 * and aside. Far aside, the rounds do not converge, and the side ends at the base before the line does.
 */
function isOnCone({ bend, slantX, slantY }: Line, along: number, drop: number, aside: number, size: number): boolean {
  // Along the axis from the line's middle, and away from the axis.
  const height = slantX * along - slantY * drop;
  const outward = bend - slantY * along - slantX * drop;
  const away = Math.sqrt(outward * outward + aside * aside);
  return (
    Math.abs(slantX * (away - bend) + slantY * height) <= ASIDE &&
    away <= 2 * bend + ASIDE &&
    height >= -slantX * size - ASIDE
  );
}

/**
 * Height of the surface around a line at u, v: of a cylinder or cone, beyond the line's ends of a ball, and beside an
 * edge of one of the edge's faces. NaN if there is no surface.
 */
function lineHeight(line: Line, u: number, v: number, mostDrop: number): number {
  const { half, middle, bend, side, slantX, slantY, isCapped } = line;
  const size = Math.sqrt(half.x * half.x + half.y * half.y + half.z * half.z);
  const dU = half.x / Math.max(size, 1e-300);
  const dV = half.y / Math.max(size, 1e-300);
  const dH = half.z / Math.max(size, 1e-300);
  const flatness = Math.sqrt(dU * dU + dV * dV);
  if (flatness < MANIFOLD_LEAST_COSINE) return NaN;
  const fromU = u - middle.x;
  const fromV = v - middle.y;
  const fromH = -middle.z;
  const aside = cross2(dU, dV, fromU, fromV) / flatness;
  const level = fromU * dU + fromV * dV + fromH * dH;
  const rise = slantY > 0 ? 0 : bend;
  const top = (side * rise - (fromH - level * dH) / flatness) / flatness;
  const narrowing = (slantX - slantY) * (slantX + slantY);
  let height = top;
  let radius = bend;
  // The height decides where along the line the surface is met, and the radius there the height.
  for (let round = slantY > 0 ? CONE_ROUNDS : 1; round > 0; round--) {
    radius = radiusAt(line, (level + height * dH) / Math.max(size, 1e-300));
    const out = Math.min(Math.abs(aside), radius);
    const rest = Math.sqrt(Math.max(radius * radius - narrowing * out * out, 0));
    height = top - (side * slantX * out * out) / (Math.max(radius + rest, 1e-300) * flatness);
  }
  let isThere = Math.abs(aside) <= radius + ASIDE;
  if (!line.isRound) {
    // The face on this side of the edge.
    const [first, last] = line.flanks;
    const asideFirst = cross2(dU, dV, first.x, first.y) / flatness;
    const asideLast = cross2(dU, dV, last.x, last.y) / flatness;
    const isFirst = asideFirst > asideLast === aside > 0;
    const flank = isFirst ? first : last;
    const border = (aside > 0 ? 1 : -1) * (isFirst ? asideFirst : asideLast) * radius;
    if (Math.abs(aside) > border) {
      const isSteep = side * flank.z < MANIFOLD_LEAST_COSINE;
      isThere = Math.abs(aside) <= Math.max(border, 0) + (isSteep ? ASIDE : MANIFOLD_FLANK);
      if (!isSteep) height = middle.z + (radius - flank.x * fromU - flank.y * fromV) / flank.z;
    }
  }
  isThere &&= Math.abs(height - top) <= mostDrop;
  const along = level + height * dH;
  if (slantY > 0) isThere &&= isOnCone(line, along, side * (top - height) * flatness, aside, size);
  const beyond = Math.abs(along) - size;
  if (beyond <= 0 || (beyond <= ASIDE && !isCapped)) return isThere ? height : NaN;
  if (!isCapped) return NaN;
  const sign = along > 0 ? 1 : -1;
  const outU = u - middle.x - sign * half.x;
  const outV = v - middle.y - sign * half.y;
  const away = Math.sqrt(outU * outU + outV * outV);
  if (away > bend + ASIDE) return NaN;
  return middle.z + sign * half.z + side * Math.sqrt(Math.max((bend - away) * (bend + away), 0));
}
