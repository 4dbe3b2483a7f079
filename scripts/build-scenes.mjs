/**
 * Writes the example scene `heap.json`: some 2,500 bodies tumbling in a heap on a floor of tiles. Most of them are
 * hulls cut from two well-known meshes, the Stanford bunny and the Utah teapot. Boxes, rounded boxes, capsules, spheres
 * and triangles lie between them. Lengths are in metres, y is up.
 *
 * The bodies are dropped one after the other in random orientation. Each body is treated as a k-DOP, a convex shape
 * given by its extent along k directions. Two k-DOPs are apart if they are apart along one of the directions, so the
 * height of first contact of a body that moves along y has a closed form. A dropped body then rolls, in small steps of
 * random direction, to a lower place. Finally all bodies are moved a little towards the middle and shaken, so that
 * neighbours touch, miss and overlap by small depths, as in the middle of a fall.
 *
 * The script is seeded and uses only additions, multiplications, divisions and square roots, so it writes the same file
 * everywhere.
 *
 * Usage: node scripts/build-scenes.mjs [folder], default scenes/
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import bunny from 'bunny';
import teapot from 'teapot';

const SEED = 20;
const BODY_COUNT = 2400;
const CHUNKS_PER_MESH = 28;
const CHUNK_POINTS = 48;
/** Slope of the heap's sides: height that a body gives up to lie one metre nearer to the middle. */
const SLOPE = 0.65;
/**
 * Share of its distance from the middle of the floor by which each body moves inwards; and how far it is shaken, in
 * metres.
 */
const SQUEEZE = 0.05;
const SHAKE = 0.012;
/** Share of the bodies that are still in the air above the heap. */
const FALLING = 0.03;
const FLOOR_TILES = 6;
const TILE_SIZE = 2.5;
const TILE_GAP = 0.02;
const TILE_HALF_HEIGHT = 0.25;

const random = mulberry32(SEED);

function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const between = (low, high) => low + (high - low) * random();
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const lengthOf = (a) => Math.sqrt(dot(a, a));
/** Rounds to the nearest multiple of 1 / `parts`. */
const rounded = (x, parts) => Math.round(x * parts) / parts;

/** A point in the unit ball, by rejection. */
function inBall() {
  for (;;) {
    const point = [between(-1, 1), between(-1, 1), between(-1, 1)];
    if (dot(point, point) <= 1 && dot(point, point) > 1e-4) return point;
  }
}

/** `count` random unit vectors and their opposites. Vectors 2k and 2k + 1 are opposites. */
function sphereDirections(count) {
  const directions = [];
  for (const axis of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ])
    directions.push(axis, scaled(axis, -1));
  while (directions.length < count) {
    const point = inBall();
    const direction = scaled(point, 1 / lengthOf(point));
    directions.push(direction, scaled(direction, -1));
  }
  return directions;
}

const DIRECTIONS = sphereDirections(120);

/** A uniform random rotation (Shoemake 1992, with Marsaglia's rejection in place of sines and cosines). */
function randomQuaternion() {
  for (;;) {
    const [x, y, z, w] = [between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)];
    const square = x * x + y * y + z * z + w * w;
    if (square > 1 || square < 0.01) continue;
    return [x, y, z, w].map((c) => rounded(c / Math.sqrt(square), 1e6));
  }
}

function rotate([x, y, z, w], p) {
  const t = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])];
  return [
    p[0] + w * t[0] + y * t[2] - z * t[1],
    p[1] + w * t[1] + z * t[0] - x * t[2],
    p[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

function centroid(points) {
  return scaled(
    points.reduce((sum, p) => [sum[0] + p[0], sum[1] + p[1], sum[2] + p[2]], [0, 0, 0]),
    1 / points.length,
  );
}

/** The mesh's points, centred at the origin and scaled so that the longest side is `size`. */
function normalised(mesh, size) {
  const low = [0, 1, 2].map((k) => Math.min(...mesh.positions.map((p) => p[k])));
  const high = [0, 1, 2].map((k) => Math.max(...mesh.positions.map((p) => p[k])));
  const factor = size / Math.max(...sub(high, low));
  const middle = scaled([low[0] + high[0], low[1] + high[1], low[2] + high[2]], 0.5);
  return mesh.positions.map((p) => scaled(sub(p, middle), factor));
}

/** At most `limit` of the points, all of them corners of the hull: the farthest along each of many directions. */
function cornerPoints(points, limit) {
  const corners = new Set();
  for (let tries = 0; tries < 8 * limit && corners.size < limit; tries++) {
    const direction = inBall();
    let best = 0;
    for (let i = 1; i < points.length; i++) if (dot(points[i], direction) > dot(points[best], direction)) best = i;
    corners.add(best);
  }
  return [...corners].map((i) => points[i]);
}

/** Groups the mesh's cells around `count` centres by k-means. Returns the corner points of each group. */
function patches(points, cells, count) {
  const middles = cells.map((cell) => centroid(cell.map((i) => points[i])));
  let centres = Array.from({ length: count }, (_, i) => middles[Math.floor(((i + 0.5) * middles.length) / count)]);
  let groups = [];
  for (let round = 0; round < 12; round++) {
    groups = centres.map(() => []);
    middles.forEach((middle, cell) => {
      let nearest = 0;
      let least = Infinity;
      centres.forEach((centre, i) => {
        const offset = sub(middle, centre);
        if (dot(offset, offset) < least) [nearest, least] = [i, dot(offset, offset)];
      });
      groups[nearest].push(cell);
    });
    centres = groups.map((group, i) => (group.length > 0 ? centroid(group.map((cell) => middles[cell])) : centres[i]));
  }
  return groups
    .filter((group) => group.length > 1)
    .map((group) => [...new Set(group.flatMap((cell) => cells[cell]))].map((i) => points[i]));
}

/** A hull shape around its centroid. */
function hull(id, points, limit) {
  const corners = cornerPoints(points, limit);
  const middle = centroid(corners);
  return { id, type: 'hull', points: corners.flatMap((p) => sub(p, middle).map((x) => rounded(x, 1e5))) };
}

/** Convex chunks of both meshes (wedges of a solid bunny, sherds of a teapot's wall), and both meshes as a whole. */
function meshHulls() {
  const bunnyPoints = normalised(bunny, 1.7);
  const wedges = patches(bunnyPoints, bunny.cells, CHUNKS_PER_MESH);
  const teapotPoints = normalised(teapot, 2);
  const sherds = patches(teapotPoints, teapot.cells, CHUNKS_PER_MESH);
  return [
    ...wedges.map((points, i) =>
      hull(`bunny-${i + 1}`, [...points, ...points.map((p) => scaled(p, 0.45))], CHUNK_POINTS),
    ),
    ...sherds.map((points, i) =>
      hull(`teapot-${i + 1}`, [...points, ...points.map((p) => scaled(p, 0.85))], CHUNK_POINTS),
    ),
    hull('bunny', normalised(bunny, 0.9), 128),
    hull('teapot', normalised(teapot, 1), 128),
  ];
}

const PLAIN_SHAPES = [
  { id: 'brick', type: 'box', halfExtents: [0.24, 0.1, 0.12] },
  { id: 'crate', type: 'box', halfExtents: [0.18, 0.18, 0.18] },
  { id: 'plank', type: 'box', halfExtents: [0.42, 0.05, 0.09] },
  { id: 'soap', type: 'box', halfExtents: [0.16, 0.06, 0.1], radius: 0.05 },
  { id: 'die', type: 'box', halfExtents: [0.12, 0.12, 0.12], radius: 0.04 },
  { id: 'pill', type: 'capsule', halfHeight: 0.14, radius: 0.1 },
  { id: 'baton', type: 'capsule', halfHeight: 0.32, radius: 0.05 },
  { id: 'ball', type: 'sphere', radius: 0.17 },
  { id: 'marble', type: 'sphere', radius: 0.1 },
  { id: 'pane', type: 'triangle', points: [-0.25, -0.15, 0, 0.3, -0.15, 0, -0.05, 0.3, 0] },
  { id: 'tile-sherd', type: 'triangle', points: [-0.2, 0, -0.12, 0.22, 0, -0.12, -0.02, 0, 0.24], radius: 0.02 },
];

const FLOOR_SHAPE = {
  id: 'floor',
  type: 'box',
  halfExtents: [(TILE_SIZE - TILE_GAP) / 2, TILE_HALF_HEIGHT, (TILE_SIZE - TILE_GAP) / 2],
};

/** Corner points and rounding radius of a shape. */
function core(shape) {
  const { type, radius = 0, halfExtents: h, halfHeight } = shape;
  if (type === 'sphere') return { points: [[0, 0, 0]], radius };
  if (type === 'capsule')
    return {
      points: [
        [0, -halfHeight, 0],
        [0, halfHeight, 0],
      ],
      radius,
    };
  const flat =
    type === 'box'
      ? [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x * h[0], y * h[1], z * h[2]])))
      : shape.points;
  return { points: Array.from({ length: flat.length / 3 }, (_, i) => flat.slice(3 * i, 3 * i + 3)), radius };
}

/** Extent of a body from its position along each of `DIRECTIONS`. */
function extents({ points, radius }, quaternion, scale) {
  const turned = points.map((p) => rotate(quaternion, p));
  return Float64Array.from(DIRECTIONS, (direction) => {
    let farthest = -Infinity;
    for (const point of turned) farthest = Math.max(farthest, dot(point, direction));
    return (farthest + radius) * scale;
  });
}

/**
 * Height at which `body`, moving down at (x, z), first touches `other`; -Infinity if it misses it. Along a direction d
 * they are apart if d · (body - other) >= other's extent along d + body's extent along -d.
 */
function touchHeight(body, other, x, z) {
  let above = Infinity;
  let below = -Infinity;
  for (let k = 0; k < DIRECTIONS.length; k++) {
    const [dx, dy, dz] = DIRECTIONS[k];
    const needed = other.extents[k] + body.extents[k ^ 1] - dx * (x - other.position[0]) - dz * (z - other.position[2]);
    if (dy > 1e-9) above = Math.min(above, needed / dy);
    else if (dy < -1e-9) below = Math.max(below, needed / dy);
    else if (needed <= 0) return -Infinity;
    if (below >= above) return -Infinity;
  }
  return other.position[1] + above;
}

/**
 * Resting bodies by the cells of a grid over the floor, so that a falling body is compared only with those below it.
 */
class Heap {
  #cells = new Map();
  /** Counts calls of `restHeight`. A body lies in several cells, and remembers the last call that compared it. */
  #drop = 0;
  static #cellSize = 0.5;

  add(body) {
    body.top = body.position[1] + body.extents[2];
    for (const key of this.#keys(body, body.position[0], body.position[2])) {
      const cell = this.#cells.get(key) ?? [];
      const below = cell.findIndex(({ top }) => top < body.top);
      cell.splice(below < 0 ? cell.length : below, 0, body);
      this.#cells.set(key, cell);
    }
  }

  /** Height at which `body` comes to rest when dropped at (x, z). */
  restHeight(body, x, z) {
    let height = body.extents[3];
    this.#drop++;
    for (const key of this.#keys(body, x, z)) {
      for (const other of this.#cells.get(key) ?? []) {
        // The bodies of a cell are sorted by their tops, highest first: all that follow are lower.
        if (other.top + body.extents[3] <= height) break;
        if (other.lastDrop === this.#drop) continue;
        other.lastDrop = this.#drop;
        height = Math.max(height, touchHeight(body, other, x, z));
      }
    }
    return height;
  }

  *#keys({ extents: e }, x, z) {
    const cell = (value) => Math.floor(value / Heap.#cellSize);
    for (let i = cell(x - e[1]); i <= cell(x + e[0]); i++)
      for (let j = cell(z - e[5]); j <= cell(z + e[4]); j++) yield i * 4096 + j;
  }
}

/** Height of a resting place, plus a cost for its distance from the middle. */
function cost({ x, y, z }) {
  return y + SLOPE * Math.sqrt(x * x + z * z);
}

/** Drops a body where it adds least to the heap's height, then rolls it down in ever smaller steps. */
function settle(heap, body, reach) {
  const at = (x, z) => ({ x, z, y: heap.restHeight(body, x, z) });
  let best = { x: 0, z: 0, y: Infinity };
  for (let tries = 0; tries < 16; tries++) {
    const [x, , z] = inBall();
    const place = at(reach * x, reach * z);
    if (cost(place) < cost(best)) best = place;
  }
  for (let step = 0.25; step > 0.004; step *= 0.85) {
    const [x, , z] = inBall();
    const place = at(best.x + step * x, best.z + step * z);
    if (cost(place) < cost(best)) best = place;
  }
  return [best.x, best.y, best.z];
}

/** The shape of the next body: seven in ten are chunks, one in fifty is a whole mesh. */
function pickShape(chunks, whole) {
  const from = random();
  const list = from < 0.7 ? chunks : from < 0.72 ? whole : PLAIN_SHAPES;
  return list[Math.floor(random() * list.length)];
}

function buildHeap() {
  const hulls = meshHulls();
  const whole = hulls.slice(-2);
  const chunks = hulls.slice(0, -2);
  const heap = new Heap();
  const bodies = [];
  let radius = 0.9;
  for (let i = 0; i < BODY_COUNT; i++) {
    const shape = pickShape(chunks, whole);
    const quaternion = randomQuaternion();
    const scale = rounded(between(0.75, 1.25), 1e2);
    const reach = extents(core(shape), quaternion, scale);
    const body = { shape, quaternion, scale, extents: reach, position: [0, 0, 0], top: 0, lastDrop: 0 };
    // A cone of i bodies of this size has about this radius.
    while (radius * radius * radius < 0.1 * i) radius += 0.01;
    body.position = settle(heap, body, radius);
    if (i >= BODY_COUNT * (1 - FALLING)) body.position[1] += between(0.05, 2.5);
    heap.add(body);
    const shake = scaled(inBall(), SHAKE);
    bodies.push({
      shape: shape.id,
      position: body.position.map((x, k) => rounded(x * (1 - SQUEEZE) + shake[k], 1e4)),
      quaternion,
      scale,
      name: shape.id,
    });
  }
  return {
    version: 1,
    name: 'heap of bunny and teapot chunks',
    shapes: [FLOOR_SHAPE, ...PLAIN_SHAPES, ...hulls],
    bodies: [...floorTiles(), ...bodies],
    pairs: 'broad-phase',
  };
}

/** Tiles whose tops are at y = 0, with joints between them. */
function floorTiles() {
  const tiles = [];
  const middle = (FLOOR_TILES - 1) / 2;
  for (let i = 0; i < FLOOR_TILES; i++) {
    for (let j = 0; j < FLOOR_TILES; j++) {
      const position = [(i - middle) * TILE_SIZE, -TILE_HALF_HEIGHT, (j - middle) * TILE_SIZE];
      tiles.push({ shape: FLOOR_SHAPE.id, position, name: `tile ${i + 1}.${j + 1}` });
    }
  }
  return tiles;
}

function lines(list) {
  return `[\n${list.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n]`;
}

/** JSON with one shape or body per line. */
function sceneText({ shapes, bodies, ...rest }) {
  const head = JSON.stringify(rest).slice(1, -1);
  return `{${head},\n"shapes": ${lines(shapes)},\n"bodies": ${lines(bodies)}}\n`;
}

const folder = process.argv[2] ?? fileURLToPath(new URL('../scenes/', import.meta.url));
await mkdir(folder, { recursive: true });
const scene = buildHeap();
await writeFile(join(folder, 'heap.json'), sceneText(scene));
console.error(`${join(folder, 'heap.json')}: ${scene.bodies.length} bodies, ${scene.shapes.length} shapes`);
