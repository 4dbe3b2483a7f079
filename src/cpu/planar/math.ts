/** Mirror of shaders/planar/math.wgsl in double precision, and the vectors it needs. The destination comes last. */

export interface Vec2 {
  x: number;
  y: number;
}

export { EPSILON } from '../math.ts';

export function vec2(x = 0, y = 0): Vec2 {
  return { x, y };
}

export function set(x: number, y: number, to: Vec2): Vec2 {
  to.x = x;
  to.y = y;
  return to;
}

export function copy(v: Vec2, to: Vec2): Vec2 {
  return set(v.x, v.y, to);
}

export function subtract(a: Vec2, b: Vec2, to: Vec2): Vec2 {
  return set(a.x - b.x, a.y - b.y, to);
}

export function scale(v: Vec2, factor: number, to: Vec2): Vec2 {
  return set(v.x * factor, v.y * factor, to);
}

/** a + b · factor */
export function addScaled(a: Vec2, b: Vec2, factor: number, to: Vec2): Vec2 {
  return set(a.x + b.x * factor, a.y + b.y * factor, to);
}

/** a · share + b · (1 - share) */
export function between(a: Vec2, b: Vec2, share: number, to: Vec2): Vec2 {
  return set(a.x * share + b.x * (1 - share), a.y * share + b.y * (1 - share), to);
}

export function dot(a: Vec2, b: Vec2): number {
  return a.x * b.x + a.y * b.y;
}

export function length(v: Vec2): number {
  return Math.sqrt(v.x * v.x + v.y * v.y);
}

export function distance(a: Vec2, b: Vec2): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2);
}

/** v turned by a rotation: the unit vector that it takes the x axis to. */
export function rotate(r: Vec2, v: Vec2, to: Vec2): Vec2 {
  return set(r.x * v.x - r.y * v.y, r.y * v.x + r.x * v.y, to);
}

/** v turned back. */
export function rotateBack(r: Vec2, v: Vec2, to: Vec2): Vec2 {
  return set(r.x * v.x + r.y * v.y, r.x * v.y - r.y * v.x, to);
}

/** v turned by a quarter to the left. */
export function leftOf(v: Vec2, to: Vec2): Vec2 {
  return set(-v.y, v.x, to);
}

/** v turned by a quarter to the right: out of a shape whose boundary runs along v, counter-clockwise. */
export function rightOf(v: Vec2, to: Vec2): Vec2 {
  return set(v.y, -v.x, to);
}

/** Twice the area of the triangle of two vectors, positive where b lies to the left of a. */
export function cross2(a: Vec2, b: Vec2): number {
  return a.x * b.y - a.y * b.x;
}

/** The unit vector along v, however short v is; of zero `to` stays as it is. */
export function directionOf(v: Vec2, to: Vec2): Vec2 {
  const longest = Math.max(Math.abs(v.x), Math.abs(v.y));
  if (longest < 1e-300) return to;
  const x = v.x / longest;
  const y = v.y / longest;
  const size = Math.sqrt(x * x + y * y);
  return set(x / size, y / size, to);
}

export function setRotation(angle: number, to: Vec2): Vec2 {
  return set(Math.cos(angle), Math.sin(angle), to);
}
