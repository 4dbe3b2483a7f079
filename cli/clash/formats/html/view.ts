/**
 * The direction from which a picture shows a clash: across the normal, so that the depth has its full length. Of these,
 * the one that makes both outlines smallest, which looks along beams, pipes and walls and shows their sections.
 */

import { cross, length, perpendicular, scale, vec3, type Vec3 } from '../../../../src/cpu/math.ts';
import type { Clash } from '../../clash-report.ts';
import type { Body } from '../../solids/body.ts';
import { hullSeen } from './drawing.ts';
import type { View } from './outline.ts';
import { areaOf } from './polygon.ts';

/** Directions besides those that the bodies' axes suggest. */
const TURNS = 6;
const LEAST_SINE = 0.1;

/** `up` points up in the world, and as far as possible in the picture. */
export function bestView(clash: Clash, bodies: readonly [Body, Body], up: Vec3): View {
  const normal = vec3(...clash.normal);
  const centre = vec3(...clash.point);
  let best: View | undefined;
  let least = Infinity;
  for (const direction of directionsAcross(normal, bodies)) {
    const view = viewAlong(direction, normal, centre, up);
    const area = bodies.reduce((product, body) => product * areaSeen(body, view, clash.size), 1);
    // The first of nearly equal ones is kept.
    if (area < 0.999 * least) {
      best = view;
      least = area;
    }
  }
  return best!;
}

/** A flat body seen from its edge has some area too, so that the other body still counts. */
function areaSeen(body: Body, view: View, size: number): number {
  return Math.abs(areaOf(hullSeen(body, view, size))) + 1e-3 * size * size;
}

function directionsAcross(normal: Vec3, bodies: readonly Body[]): Vec3[] {
  const found: Vec3[] = [];
  for (const {
    whole: { rotation },
  } of bodies) {
    for (const c of [0, 3, 6]) {
      const axis = vec3(rotation[c], rotation[c + 1], rotation[c + 2]);
      const flat = across(axis, normal);
      if (flat) found.push(flat);
    }
  }
  const first = perpendicular(normal, vec3());
  const second = cross(normal, first, vec3());
  for (let i = 0; i < TURNS; i++) {
    const [cos, sin] = [Math.cos((Math.PI * i) / TURNS), Math.sin((Math.PI * i) / TURNS)];
    found.push(vec3(cos * first.x + sin * second.x, cos * first.y + sin * second.y, cos * first.z + sin * second.z));
  }
  return found;
}

/** The unit vector across `normal` nearest to `v`; undefined if they are nearly parallel. */
function across(v: Vec3, normal: Vec3): Vec3 | undefined {
  const along = v.x * normal.x + v.y * normal.y + v.z * normal.z;
  const flat = vec3(v.x - along * normal.x, v.y - along * normal.y, v.z - along * normal.z);
  const size = length(flat);
  return size < LEAST_SINE ? undefined : scale(flat, 1 / size, flat);
}

/** Where the view is along `up`, the normal points to the right. */
function viewAlong(direction: Vec3, normal: Vec3, centre: Vec3, up: Vec3): View {
  const upward = across(up, direction) ?? cross(direction, normal, vec3());
  return { centre, up: upward, right: cross(upward, direction, vec3()) };
}
