/** Three plans, in metres: walls, sliding doors, and the zones where people leave and enter. The origin is the middle. */

import type { PlanarShapeDescription } from 'narrowphase';

export interface Obstacle {
  shape: PlanarShapeDescription;
  x: number;
  y: number;
  angle: number;
}

/** A leaf is a rectangle that slides along its own length. */
export interface Leaf {
  closed: [number, number];
  open: [number, number];
  angle: number;
}

export interface Door {
  name: string;
  leaves: Leaf[];
  /** Opens by itself: seconds of a period, seconds open in each period, and seconds into the period at the start. */
  schedule?: { period: number; open: number; phase: number };
}

/** x and y of the lower left and of the upper right corner. */
export type Area = [number, number, number, number];

export interface Zone {
  name: string;
  /** People with this zone as their destination leave the plan here. */
  exit: Area;
  /** Where new people enter the plan. Undefined: nobody does. */
  entrance?: Area;
}

export interface Scene {
  title: string;
  size: [number, number];
  walls: Obstacle[];
  doors: Door[];
  zones: Zone[];
  /** Where the first people stand. */
  crowd: Area[];
}

export const DOOR_THICKNESS = 0.24;
/** Length of a leaf. */
export const LEAF = 2;

const WALL = 0.2;

/** A wall from one point to another, with square ends. */
export function wall(x0: number, y0: number, x1: number, y1: number, half = WALL): Obstacle {
  const length = Math.hypot(x1 - x0, y1 - y0);
  return {
    shape: { type: 'rectangle', halfExtents: [length / 2, half] },
    x: (x0 + x1) / 2,
    y: (y0 + y1) / 2,
    angle: Math.atan2(y1 - y0, x1 - x0),
  };
}

function block(x: number, y: number, halfX: number, halfY: number, radius = 0): Obstacle {
  return { shape: { type: 'rectangle', halfExtents: [halfX, halfY], radius }, x, y, angle: 0 };
}

function pillar(x: number, y: number, radius = 0.6): Obstacle {
  return { shape: { type: 'circle', radius }, x, y, angle: 0 };
}

function bench(x: number, y: number, angle = 0): Obstacle {
  return { shape: { type: 'capsule', halfHeight: 1.4, radius: 0.3 }, x, y, angle };
}

function hexagon(x: number, y: number, size: number): Obstacle {
  const points = Array.from({ length: 12 }, (_, k) => {
    const angle = ((k >> 1) * Math.PI) / 3;
    return size * (k % 2 ? Math.sin(angle) : Math.cos(angle));
  });
  return { shape: { type: 'polygon', points }, x, y, angle: 0 };
}

function room(width: number, height: number): Obstacle[] {
  const [x, y] = [width / 2, height / 2];
  return [wall(-x, -y, x, -y), wall(-x, y, x, y), wall(-x, -y, -x, y), wall(x, -y, x, y)];
}

/** Two leaves that close an opening of twice a leaf's length around (x, y) in a wall of this direction. */
function slidingDoor(name: string, x: number, y: number, angle: number, schedule?: Door['schedule']): Door {
  const along = (s: number): [number, number] => [x + s * Math.cos(angle), y + s * Math.sin(angle)];
  const leaf = (side: number): Leaf => ({ closed: along((side * LEAF) / 2), open: along(side * LEAF * 1.5), angle });
  return { name, leaves: [leaf(-1), leaf(1)], schedule };
}

function station(): Scene {
  const gates = Array.from({ length: 7 }, (_, k) => -24 + 8 * k);
  const barrier = [-30, ...gates, 30].flatMap((y, k, all) => {
    if (k === 0) return [];
    const from = k === 1 ? -30 : all[k - 1] + LEAF;
    return [wall(14, from, 14, k === all.length - 1 ? 30 : y - LEAF)];
  });
  const upright = Math.PI / 2;
  return {
    title: 'Station',
    size: [96, 60],
    walls: [
      ...room(96, 60),
      ...barrier,
      ...[-34, -22, 2].flatMap((x) => [-18, 18].map((y) => pillar(x, y))),
      ...[24, 32, 40].flatMap((x) => [-15, 15].map((y) => pillar(x, y, 0.45))),
      block(-25, 3, 4, 2, 0.6),
      hexagon(-6, -4, 3),
      block(-10, 14, 3, 1.5, 0.4),
      ...[-30, -26].flatMap((x) => [bench(x, -10, upright), bench(x, 11, upright)]),
      wall(26, 0, 48, 0, 0.5),
      ...[28, 36].flatMap((x) => [bench(x, 7, upright), bench(x, -7, upright)]),
      wall(-48, 22, -38, 22),
      wall(-14, -30, -14, -22),
    ],
    doors: [
      slidingDoor('Gate 1', 14, gates[0], upright),
      slidingDoor('Gate 3', 14, gates[2], upright, { period: 40, open: 26, phase: 0 }),
      slidingDoor('Gate 5', 14, gates[4], upright, { period: 40, open: 26, phase: 20 }),
      slidingDoor('Gate 7', 14, gates[6], upright),
    ],
    zones: [
      { name: 'City', exit: [-47.8, 0, -46, 20], entrance: [-47, -22, -43.5, -4] },
      { name: 'Market', exit: [-34, -29.8, -16, -28], entrance: [-12, -29, 6, -26] },
      { name: 'Platforms 1–2', exit: [46, 12, 47.8, 28], entrance: [41, 2.5, 47, 8.5] },
      { name: 'Platforms 3–4', exit: [46, -28, 47.8, -12], entrance: [41, -8.5, 47, -2.5] },
    ],
    crowd: [[-45, -27, 45, 27]],
  };
}

function stadium(): Scene {
  const [across, up, gates, sides] = [38, 24, 6, 60];
  const at = (k: number): [number, number] => {
    const angle = (2 * Math.PI * k) / sides;
    return [across * Math.cos(angle), up * Math.sin(angle)];
  };
  const walls: Obstacle[] = [];
  const doors: Door[] = [];
  for (let k = 0; k < sides; k++) {
    const [x0, y0] = at(k - 0.5);
    const [x1, y1] = at(k + 0.5);
    if (k % (sides / gates) !== 5) {
      const radius = 0.25;
      walls.push({ shape: { type: 'segment', points: [x0, y0, x1, y1], radius }, x: 0, y: 0, angle: 0 });
      continue;
    }
    // The gap is as wide as the chord; walls beside the leaves fill what the door leaves open.
    const [x, y, angle] = [(x0 + x1) / 2, (y0 + y1) / 2, Math.atan2(y1 - y0, x1 - x0)];
    const [c, s, half] = [Math.cos(angle), Math.sin(angle), Math.hypot(x1 - x0, y1 - y0) / 2];
    if (half > LEAF)
      for (const side of [-1, 1])
        walls.push(wall(x + side * LEAF * c, y + side * LEAF * s, x + side * half * c, y + side * half * s));
    doors.push(slidingDoor(`Gate ${doors.length + 1}`, x, y, angle));
  }
  return {
    title: 'Stadium exit',
    size: [96, 60],
    walls: [
      ...room(96, 60),
      ...walls,
      block(0, 0, 15, 8, 2),
      ...[-26, 26].flatMap((x) => [-6, 0, 6].map((y) => pillar(x, y, 0.5))),
    ],
    doors,
    zones: [
      { name: 'Tram', exit: [-47.8, -29.8, -44, 29.8] },
      { name: 'Car park', exit: [44, -29.8, 47.8, 29.8] },
      { name: 'Underground', exit: [-20, 27.4, 20, 29.8] },
    ],
    crowd: [[-36, -22, 36, 22]],
  };
}

function twoDoors(): Scene {
  const upright = Math.PI / 2;
  return {
    title: 'Two doors',
    size: [64, 40],
    walls: [
      ...room(64, 40),
      wall(0, -20, 0, -12),
      wall(0, -8, 0, 8),
      wall(0, 12, 0, 20),
      ...[-9, 9].flatMap((x) => [-10, 10].map((y) => pillar(x, y, 0.5))),
      ...[-18, 18].map((x) => block(x, 0, 2, 5, 0.5)),
    ],
    doors: [
      slidingDoor('Upper door', 0, 10, upright, { period: 30, open: 18, phase: 0 }),
      slidingDoor('Lower door', 0, -10, upright, { period: 30, open: 18, phase: 15 }),
    ],
    zones: [
      { name: 'West', exit: [-31.8, 2, -30, 18], entrance: [-31, -18, -27, -2] },
      { name: 'East', exit: [30, -18, 31.8, -2], entrance: [27, 2, 31, 18] },
    ],
    crowd: [
      [-28, -18, -4, 18],
      [4, -18, 28, 18],
    ],
  };
}

export const SCENES: Record<string, () => Scene> = { station, stadium, doors: twoDoors };
