/** Constants of the simulation. The CPU and the shader take them from here. */

export const RULES = {
  /** Seconds of a step. */
  STEP: 1 / 60,
  /** Nobody comes closer than this to a wall, in metres. It is 100 times the rounding error of f32 in these plans. */
  SKIN: 0.005,
  /** Bodies whose boxes are closer than this see each other. */
  SIGHT: 0.8,
  /** Seconds to reach the wanted velocity. */
  REACTION: 0.35,
  /** Gap that two people keep, in metres. */
  GAP: 0.03,
  /** Share of a missing gap by which each of the two moves away in a step, and the limit of that move in metres. */
  PUSH: 0.22,
  MAX_PUSH: 0.03,
  /** Acceleration away from neighbours that touch, in m/s², and the distance over which it falls to 1/e. */
  REPULSION: 4,
  REPULSION_RANGE: 0.16,
  WALL_REPULSION: 5,
  WALL_RANGE: 0.12,
  /** Acceleration past somebody whom a person is about to meet, in m/s², and how many seconds ahead it acts. */
  AVOIDANCE: 4,
  HORIZON: 1.8,
  MAX_ACCELERATION: 12,
  /** Radians per second that capsules turn at most. */
  TURN_RATE: 2.5,
  /** Metres per second of door leaves. */
  DOOR_SPEED: 1.2,
  /** Share of a slide that leads away from the wall, so that rounding does not end it. */
  LIFT: 0.02,
  /** A person with fewer metres to go than this has arrived. */
  ARRIVAL: 0.6,
  /** No one enters within this distance of somebody else, in metres. */
  ENTRY_GAP: 0.95,
} as const;

/** The target of people who are not in the plan. */
export const NOWHERE = 0xffffffff;

/** Collision groups: membership in the high half, filter in the low half. */
export const PERSON = 1;
export const OBSTACLE = 2;
export const groups = (membership: number, filter: number): number => ((membership << 16) | filter) >>> 0;

/** The constants as WGSL. */
export const rulesWgsl = [
  ...Object.entries(RULES).map(
    ([name, value]) => `const ${name}: f32 = ${Number.isInteger(value) ? `${value}.0` : value};`,
  ),
  `const NOWHERE: u32 = ${NOWHERE}u;`,
  `const PERSON_NEAR: u32 = ${groups(PERSON, PERSON | OBSTACLE)}u;`,
  `const PERSON_WALLS: u32 = ${groups(PERSON, OBSTACLE)}u;`,
].join('\n');
