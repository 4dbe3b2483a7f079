/** Constants of the solver. The kernels get the same values as WGSL constants, see `wgslConstants`. */

/** Seconds per step. */
export const STEP = 1 / 60;

/** Metres per second squared. */
export const GRAVITY = 9.81;

/** Metres. Contacts that are nearer than this are solved ahead of time, so that fast bodies stop at the surface. */
export const MARGIN = 0.02;

/** Sweeps over all bodies per step, each followed by an update of the multipliers. */
export const SWEEPS = 12;

/** Stiffness of a contact point: this many times the reduced mass of its two bodies per squared step. */
export const STIFFNESS = 4;

/** The same for friction. */
export const FRICTION_STIFFNESS = 4;

/** Coulomb's coefficient. */
export const FRICTION = 0.55;

/** Metres that resting bodies may overlap, so that their contacts persist. */
export const SLOP = 0.002;

/** The share of a deeper overlap that a step takes away, and how many metres at most. */
export const CORRECTION = 0.15;
export const MAX_CORRECTION = 0.02;

/** The share of its multipliers that a contact point keeps from the step before. */
export const WARMTH = 0.98;

/** The share of its new value that a multiplier takes per sweep. With 1, tall stacks swing up and down for ever. */
export const ASCENT = 0.5;

/** The share of its speed that a body keeps per step. */
export const DAMPING = 0.999;
/** The same for its turning, so that balls do not roll for ever. */
export const TURN_DAMPING = 0.98;

/**
 * A step in which a body is slower than this, in m/s and rad/s, counts as `REST_COUNT`. At more than `REST_STEPS` the body
 * keeps its pose until it is faster again. A body that loses its support falls at 0.16 m/s after one step, so it never
 * stays in the air.
 */
export const REST_SPEED = 0.04;
export const REST_TURN = 0.08;
export const REST_COUNT = 6;
export const REST_STEPS = 120;
/** A step in which it is only slower than this counts as one: pieces that rock on an edge rest too. A faster step ends it. */
export const ROCK_SPEED = 0.12;
export const ROCK_TURN = 0.4;

/**
 * Steps at rest of a piece of solid number 0, of the next solid one more, and so on: the pieces of a solid keep their places
 * until something strikes one of them.
 */
export const HELD = 0xffff_0000;
/** A blow that gives a held body this speed, in m/s, breaks its solid. */
export const HOLD_SPEED = 0.5;

/** Speed of a dragged body: m/s per metre from the pointer, and m/s at most. */
export const DRAG_RATE = 8;
export const DRAG_SPEED = 12;

/** Bodies of the same colour have no contact with each other, so they can be solved at the same time. */
export const COLOURS = 12;
/** Rounds of colouring per step. Bodies that have no colour of their own after these are solved together. */
export const COLOURING_ROUNDS = 6;
/** The share of their solution that bodies without a colour take. */
export const RELAXATION = 0.5;

/** Floats per body in the arrays `poses`, `motions` and `masses` of bodies.ts. */
export const BODY_FLOATS = 8;

/** The constants above as WGSL. */
export function wgslConstants(): string {
  const floats = {
    STEP,
    GRAVITY,
    STIFFNESS,
    FRICTION_STIFFNESS,
    FRICTION,
    SLOP,
    CORRECTION,
    MAX_CORRECTION,
    WARMTH,
    ASCENT,
    DAMPING,
    TURN_DAMPING,
    REST_SPEED,
    REST_TURN,
    ROCK_SPEED,
    ROCK_TURN,
    HOLD_SPEED,
    RELAXATION,
    DRAG_RATE,
    DRAG_SPEED,
  };
  const integers = { REST_STEPS, REST_COUNT, HELD, COLOURS };
  return [
    ...Object.entries(floats).map(([name, value]) => `const ${name}: f32 = ${value};`),
    ...Object.entries(integers).map(([name, value]) => `const ${name}: u32 = ${value}u;`),
  ].join('\n');
}
