/** Mirror of shaders/queries/impacts/motion.wgsl: how two bodies move against each other. */
import { type Vec3, vec3 } from '../math.ts';

/** What two bodies have in common in motion, in world axes. */
export interface Motion {
  /** B's position minus A's as the motion begins, and its velocity minus A's. */
  offset: Vec3;
  velocity: Vec3;
  /** Seconds, at least 0. */
  duration: number;
  /** Bodies meet where they are so far apart. */
  margin: number;
  /** Overlap along a normal that is none, in the pair's unit. */
  slack: number;
  /** How each body turns: radians a second about the axis that it points along. Zero: not. */
  spinA: Vec3;
  spinB: Vec3;
  /** Whether bodies that overlap or touch as the motion begins meet only where they close in. */
  passesParting: boolean;
}

export function createMotion(): Motion {
  return {
    offset: vec3(),
    velocity: vec3(),
    duration: 0,
    margin: 0,
    slack: 0,
    spinA: vec3(),
    spinB: vec3(),
    passesParting: false,
  };
}
