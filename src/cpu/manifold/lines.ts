/** Mirror of shaders/manifold/lines.wgsl: corners of two contact faces that are lines side by side. */
import {
  MANIFOLD_INSIDE_ULPS,
  MANIFOLD_LEAST_COSINE,
  MANIFOLD_NAME_SHARE,
  MANIFOLD_SAME_ULPS,
  MANIFOLD_VERTEX,
} from '../../generated/constants.ts';
import type { ContactFace } from '../contact-face/face.ts';
import { CORNER_EPSILON, offerCorner } from '../corners.ts';
import { cross2 } from './clip.ts';

const INSIDE = MANIFOLD_INSIDE_ULPS * CORNER_EPSILON;
const SAME = MANIFOLD_SAME_ULPS * CORNER_EPSILON;

/** Adds the ends of the overlap of two lines. */
export function addLineCorners(faceA: ContactFace, faceB: ContactFace, maxDistance: number): void {
  const { p: halfA, middle: middleA } = faceA;
  const { p: halfB, middle: middleB } = faceB;
  const size = Math.sqrt(halfA.x * halfA.x + halfA.y * halfA.y);
  if (size < SAME) return;
  const axisU = halfA.x / size;
  const axisV = halfA.y / size;
  const centre = (middleB.x - middleA.x) * axisU + (middleB.y - middleA.y) * axisV;
  const spanB = halfB.x * axisU + halfB.y * axisV;
  const low = Math.max(-size, centre - Math.abs(spanB));
  const high = Math.min(size, centre + Math.abs(spanB));
  if (low > high) return;
  const bends = faceA.bend + faceB.bend;
  const share = bends > 0 ? faceA.bend / bends : 0.5;
  const band = 2 * MANIFOLD_NAME_SHARE * Math.min(size, Math.abs(spanB));
  for (const isHigh of [false, true]) {
    const at = isHigh ? high : low;
    const isEndOfA = (isHigh ? at : -at) >= size - band;
    const alongB = Math.abs(spanB) > 1e-300 ? Math.min(Math.max((at - centre) / spanB, -1), 1) : 0;
    const onAU = middleA.x + halfA.x * (at / size);
    const onAV = middleA.y + halfA.y * (at / size);
    const u = onAU + (middleB.x + halfB.x * alongB - onAU) * share;
    const v = onAV + (middleB.y + halfB.y * alongB - onAV) * share;
    const heightA = lineHeight(faceA, u, v);
    const heightB = lineHeight(faceB, u, v);
    const id = isEndOfA ? Number(isHigh) : MANIFOLD_VERTEX + Number(isHigh === spanB >= 0);
    // The heights are not numbers if there is no surface; the corner is not added then.
    offerCorner(u, v, heightA, heightB - heightA, id, id, maxDistance, SAME);
  }
}

/**
 * Height of the surface around a line at u, v: of a cylinder or, beyond the line's ends, of a ball. NaN if there is no
 * surface.
 */
function lineHeight(face: ContactFace, u: number, v: number): number {
  const { p: half, middle, bend, side, isCapped } = face;
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
  const round = Math.sqrt(Math.max((bend - aside) * (bend + aside), 0));
  const along = fromU * dU + fromV * dV + fromH * dH;
  const height = (side * round - (fromH - along * dH) / flatness) / flatness;
  const beyond = Math.abs(along + height * dH) - size;
  if (beyond <= 0 || (beyond <= INSIDE && !isCapped)) return Math.abs(aside) <= bend + INSIDE ? height : NaN;
  if (!isCapped) return NaN;
  const sign = along + height * dH > 0 ? 1 : -1;
  const outU = u - middle.x - sign * half.x;
  const outV = v - middle.y - sign * half.y;
  const out = Math.sqrt(outU * outU + outV * outV);
  if (out > bend + INSIDE) return NaN;
  return middle.z + sign * half.z + side * Math.sqrt(Math.max((bend - out) * (bend + out), 0));
}
