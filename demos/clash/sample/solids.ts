/** Closed meshes of the sample model: extruded profiles, solids of revolution and pipe bends. Lengths in metres. */

import { ShapeUtils, Vector2 } from 'three';

export interface Solid {
  /** x, y, z per vertex. */
  positions: number[];
  /** Three per triangle, anticlockwise seen from outside. */
  indices: number[];
}

type Point = readonly [number, number];

const SIDES = 24;
/** Sections of a quarter bend. */
const BEND_SECTIONS = 8;

export function box(x: number, y: number, z: number): Solid {
  return extrude(rectangle(x, y), [], z);
}

/** A rectangle around the origin, anticlockwise. */
export function rectangle(width: number, height: number): Point[] {
  const [x, y] = [width / 2, height / 2];
  return [
    [-x, -y],
    [x, -y],
    [x, y],
    [-x, y],
  ];
}

/** The profile of a rolled beam: two flanges and a web. */
export function iProfile(width: number, height: number, flange: number, web: number): Point[] {
  const [x, y, w, f] = [width / 2, height / 2, web / 2, height / 2 - flange];
  return [
    [-x, -y],
    [x, -y],
    [x, -f],
    [w, -f],
    [w, f],
    [x, f],
    [x, y],
    [-x, y],
    [-x, f],
    [-w, f],
    [-w, -f],
    [-x, -f],
  ];
}

/** The profile of a cable tray, open at the top. */
export function uProfile(width: number, height: number, wall: number): Point[] {
  const [x, y] = [width / 2, height / 2];
  return [
    [-x, -y],
    [x, -y],
    [x, y],
    [x - wall, y],
    [x - wall, wall - y],
    [wall - x, wall - y],
    [wall - x, y],
    [-x, y],
  ];
}

export function circle(radius: number): Point[] {
  return Array.from({ length: SIDES }, (_, i) => {
    const angle = (2 * Math.PI * i) / SIDES;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/** A profile in the x-y plane, extruded along z and centred. Profiles and holes are anticlockwise. */
export function extrude(profile: readonly Point[], holes: readonly (readonly Point[])[], length: number): Solid {
  const rings = [profile, ...holes];
  const flat = rings.flat();
  const n = flat.length;
  const positions = [-length / 2, length / 2].flatMap((z) => flat.flatMap(([x, y]) => [x, y, z]));
  const indices: number[] = [];
  const asVectors = rings.map((ring) => ring.map(([x, y]) => new Vector2(x, y)));
  for (const [a, b, c] of ShapeUtils.triangulateShape(asVectors[0], asVectors.slice(1))) {
    const isLeft = turn(flat[a], flat[b], flat[c]) > 0;
    const [p, q, r] = isLeft ? [a, b, c] : [a, c, b];
    indices.push(n + p, n + q, n + r, p, r, q);
  }
  let start = 0;
  for (const [ring, points] of rings.entries()) {
    for (let i = 0; i < points.length; i++) {
      const [from, to] = [start + i, start + ((i + 1) % points.length)];
      const [p, q] = ring === 0 ? [from, to] : [to, from];
      indices.push(p, q, n + q, p, n + q, n + p);
    }
    start += points.length;
  }
  return { positions, indices };
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** A cylinder along z with domed ends, where `length` is that of the cylinder. A dome of 0 gives a flat end. */
export function vessel(radius: number, length: number, domes: readonly [number, number]): Solid {
  const steps = 6;
  const rings: [r: number, z: number][] = [];
  const dome = (height: number, end: number): [number, number][] =>
    height === 0
      ? [[radius, (end * length) / 2]]
      : Array.from({ length: steps }, (_, i) => {
          const angle = (Math.PI / 2) * (i / steps);
          return [radius * Math.cos(angle), end * (length / 2 + height * Math.sin(angle))];
        });
  rings.push(...dome(domes[0], -1).reverse(), ...dome(domes[1], 1));
  const sections = rings.map(([r, z]) => circle(r).flatMap(([x, y]) => [x, y, z]));
  return capped(sections, [0, 0, -length / 2 - domes[0]], [0, 0, length / 2 + domes[1]]);
}

/** A quarter bend of a pipe from the origin along y to (0, bend, bend), where it points along z. */
export function elbow(radius: number, bend: number): Solid {
  const sections = Array.from({ length: BEND_SECTIONS + 1 }, (_, i) => {
    const angle = (Math.PI / 2) * (i / BEND_SECTIONS);
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return circle(radius).flatMap(([x, out]) => [x, (bend + out) * sin, bend - (bend + out) * cos]);
  });
  return capped(sections, [0, 0, 0], [0, bend, bend]);
}

/** Sections joined by quadrilaterals, with a fan around a point at either end. */
function capped(sections: number[][], first: number[], last: number[]): Solid {
  const positions = [...sections.flat(), ...first, ...last];
  const [start, end] = [sections.length * SIDES, sections.length * SIDES + 1];
  const indices: number[] = [];
  for (let i = 0; i < SIDES; i++) {
    const next = (i + 1) % SIDES;
    for (let section = 0; section + 1 < sections.length; section++) {
      const [low, high] = [section * SIDES, (section + 1) * SIDES];
      indices.push(low + i, low + next, high + next, low + i, high + next, high + i);
    }
    const top = (sections.length - 1) * SIDES;
    indices.push(start, next, i, end, top + i, top + next);
  }
  return { positions, indices };
}
