/** What a mesh's surface accepts as normals at its edges and vertices, as it is baked. */
import { describe, expect, test } from 'vitest';
import { vec3, type Vec3 } from '../../src/cpu/math.ts';
import { isAccepted, isAcceptedAtVertex, makeExact } from '../../src/parts/surface/accepted-normal.ts';
import { PIECE_SIZE } from '../../src/parts/surface/edge-pieces.ts';
import { findFlats, flatReach } from '../../src/parts/surface/flat-reach.ts';
import { meshSurface, type MeshSurface } from '../../src/parts/surface/mesh-surface.ts';
import { partTree } from '../../src/parts/part-sources.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import type { Mesh } from '../../src/shapes/parts.ts';
import { finish } from '../../src/util/turns.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { makeFan, makeIcosphere, makeSheet } from '../helpers/meshes.ts';

interface Triangles {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

function bake({ positions, indices }: Triangles): MeshSurface {
  const shape = makeShapeData({ type: 'mesh', positions: Array.from(positions), indices: Array.from(indices) });
  finish(partTree(shape));
  return finish(meshSurface(shape.parts as Mesh));
}

/** The pieces of edge i: shares of the edge, and angles in degrees. */
function piecesOf({ pieceStarts, pieces }: MeshSurface, edge: number): number[][] {
  const found = [];
  for (let i = pieceStarts[edge]; i < pieceStarts[edge + 1]; i++) {
    const [first, last, least, greatest] = pieces.subarray(PIECE_SIZE * i, PIECE_SIZE * (i + 1));
    found.push(
      [first, last, (least * 180) / Math.PI, (greatest * 180) / Math.PI].map((x) => Math.round(x * 1e3) / 1e3),
    );
  }
  return found;
}

const spokeCount = ({ spokeStarts }: MeshSurface, vertex: number): number =>
  spokeStarts[vertex + 1] - spokeStarts[vertex];

function centroidOf({ outline: { positions, indices } }: MeshSurface, triangle: number): Vec3 {
  const [x, y, z] = [0, 1, 2].map(
    (axis) => [0, 1, 2].reduce((sum, k) => sum + positions[3 * indices[3 * triangle + k] + axis], 0) / 3,
  );
  return vec3(x, y, z);
}

/** Two triangles with the edge from (0, 0, 0) to (0, 0, 1): one in the plane y = 0, the other lower by an angle in degrees. */
function fold(angle: number): Triangles {
  const [x, y] = [Math.cos((angle * Math.PI) / 180), -Math.sin((angle * Math.PI) / 180)];
  return { positions: [0, 0, 0, 0, 0, 1, -1, 0, 0.5, x, y, 0.5], indices: [0, 2, 1, 0, 1, 3] };
}

/** The edge of the first triangle of `fold` that both triangles have. */
const COMMON = 2;

describe('an edge of two triangles', () => {
  test.each([
    { angle: 90, name: 'a right angle', least: 0, greatest: 90 },
    { angle: 10, name: 'a ridge of 10 degrees', least: 80, greatest: 90 },
    { angle: -90, name: 'a corner of a room', least: -90, greatest: 0 },
    { angle: -1, name: 'a valley of 1 degree', least: -90, greatest: -89 },
  ])('accepts one arc: $name', ({ angle, least, greatest }) => {
    const surface = bake(fold(angle));
    expect(surface.normals[1]).toBeCloseTo(1, 9);
    expect(piecesOf(surface, COMMON)).toEqual([[0, 1, least, greatest]]);
  });

  test('that are in one plane accepts their normals only', () => {
    const surface = bake(fold(0));
    const [[, , least, greatest]] = piecesOf(surface, COMMON);
    expect(least).toBeGreaterThan(greatest);
    const middle = vec3(0, 0, 0.5);
    expect(isAccepted(surface, 0, vec3(0, 1, 0), middle, 1e-6)).toBe(true);
    expect(isAccepted(surface, 0, vec3(0, -1, 0), middle, 1e-6)).toBe(true);
    expect(isAccepted(surface, 0, vec3(Math.SQRT1_2, Math.SQRT1_2, 0), middle, 1e-6)).toBe(false);
  });
});

test('a free edge accepts half a turn, and no normal that leans along it', () => {
  const surface = bake({ positions: [0, 0, 0, 0, 0, 1, 1, 0, 0], indices: [0, 1, 2] });
  for (let edge = 0; edge < 3; edge++) expect(piecesOf(surface, edge)).toEqual([[0, 1, -90, 90]]);
  const at = vec3(0, 0, 0.5);
  expect(isAccepted(surface, 0, vec3(-1, 0, 0), at, 1e-6)).toBe(true);
  expect(isAccepted(surface, 0, vec3(-0.6, 0.8, 0), at, 1e-6)).toBe(true);
  expect(isAccepted(surface, 0, vec3(1, 0, 0), vec3(1, 0, 0), 1e-6)).toBe(true);
});

test('an edge of three triangles accepts what all of them do', () => {
  // A wall stands on the middle of a floor.
  const surface = bake({
    positions: [0, 0, 0, 0, 0, 1, -1, 0, 0.5, 1, 0, 0.5, 0, 1, 0.5],
    indices: [0, 2, 1, 0, 1, 3, 0, 1, 4],
  });
  const [[, , least, greatest]] = piecesOf(surface, COMMON);
  expect(least).toBeGreaterThan(greatest);
  // Down, from the other side of the floor.
  expect(isAccepted(surface, 0, vec3(0, -1, 0), vec3(0, 0, 0.5), 1e-6)).toBe(true);
});

test('a T-junction cuts the long edge at the short ones', () => {
  // One triangle below the edge from z = 0 to 4; beyond it two triangles in the plane up to z = 1, and a slope from there on.
  const surface = bake({
    positions: [0, 0, 0, 0, 0, 4, -4, 0, 2, 0, 0, 1, 2, 0, 0.5, 2, -2, 2],
    indices: [0, 2, 1, 0, 3, 4, 3, 1, 5],
  });
  const pieces = piecesOf(surface, COMMON);
  // The edge goes from z = 4 to 0. Within the tolerance of the junction, all three bound it.
  expect(pieces[0]).toEqual([0, 0.75, 45, 90]);
  expect(pieces.at(-1)!.slice(0, 2)).toEqual([0.75, 1]);
  expect(pieces.at(-1)![2]).toBeGreaterThan(pieces.at(-1)![3]);
});

test('repeated vertices, doubled and repeated triangles change nothing', () => {
  const plain = bake(fold(90));
  const [a, b, c, d] = [0, 1, 2, 3].map((i) => Array.from(fold(90).positions).slice(3 * i, 3 * i + 3));
  const apart = bake({ positions: [...a, ...c, ...b, ...a, ...b, ...d], indices: [0, 1, 2, 3, 4, 5] });
  expect(piecesOf(apart, COMMON)).toEqual(piecesOf(plain, COMMON));
  const indices = [0, 2, 1, 0, 1, 3, 0, 1, 2, 0, 1, 3];
  const doubled = bake({ positions: [...a, ...b, ...c, ...d], indices });
  for (const [, , least, greatest] of piecesOf(doubled, COMMON)) expect([least, greatest]).toEqual([0, 90]);
});

test('a triangle as thin as rounding has no normal, and does not bound its neighbours', () => {
  const surface = bake({
    positions: [0, 0, 0, 0, 0, 1, -1, 0, 0.5, 1, 0, 0.5, 1e-7, 0.5, 0.5],
    indices: [0, 2, 1, 0, 1, 3, 0, 1, 1],
  });
  expect(Array.from(surface.normals.subarray(6))).toEqual([0, 0, 0]);
  const [[, , least, greatest]] = piecesOf(surface, COMMON);
  expect(least).toBeGreaterThan(greatest);
});

describe('a vertex', () => {
  test("of an octahedron has the cone of its four edges' spokes", () => {
    const surface = bake({
      positions: [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1],
      indices: [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5],
    });
    for (let vertex = 0; vertex < 6; vertex++) expect(spokeCount(surface, vertex)).toBe(4);
    const top = 2;
    expect(isAcceptedAtVertex(surface, top, vec3(0, 1, 0), 1e-5)).toBe(true);
    expect(isAcceptedAtVertex(surface, top, vec3(0.6, 0.8, 0), 1e-5)).toBe(true);
    expect(isAcceptedAtVertex(surface, top, vec3(0.8, 0.6, 0), 1e-5)).toBe(false);
  });

  test('within flat ground has none', () => {
    const surface = bake(makeSheet(4, () => 0));
    const inner = 5 + 1;
    expect(spokeCount(surface, inner)).toBe(0);
    expect(isAccepted(surface, 0, vec3(0, 0, 1), vec3(-0.5, 0, -0.5), 1e-6)).toBe(false);
  });

  test('of a saddle has none', () => {
    const surface = bake(makeSheet(2, (x, z) => x * x - z * z));
    expect(spokeCount(surface, 4)).toBe(0);
  });

  test.each([6, 12, 30, 100, 20_000])('of a cone of %i triangles accepts its axis', (count) => {
    const fan = makeFan(count);
    fan.positions[1] = 0.5;
    const surface = bake(fan);
    expect(spokeCount(surface, 0)).toBe(count);
    expect(isAcceptedAtVertex(surface, 0, vec3(0, 1, 0), 1e-5)).toBe(true);
    expect(isAcceptedAtVertex(surface, 0, vec3(0, -1, 0), 1e-5)).toBe(false);
  });
});

test('the middle of any triangle of a sphere accepts the face only, and any vertex accepts its radius', () => {
  const sphere = makeIcosphere(2);
  const surface = bake(sphere);
  const { positions, indices } = surface.outline;
  for (let i = 0; i < indices.length; i++) {
    const [x, y, z] = positions.subarray(3 * indices[i], 3 * indices[i] + 3);
    expect(isAccepted(surface, Math.floor(i / 3), vec3(x, y, z), vec3(x, y, z), 1e-6)).toBe(true);
    expect(isAccepted(surface, Math.floor(i / 3), vec3(-x, -y, -z), vec3(x, y, z), 1e-6)).toBe(false);
  }
});

test('a large flat floor is baked in time slices', () => {
  const side = 100;
  const shape = makeShapeData({ type: 'mesh', ...makeSheet(side, () => 0) });
  finish(partTree(shape));
  const surface = finish(meshSurface(shape.parts as Mesh));
  let slices = 0;
  for (const flats = findFlats({ ...surface, isSearched: () => false }); !flats.next().done;) slices++;
  // Each of 2^14 steps, at 32 steps or more per edge.
  expect(slices).toBeGreaterThan((0.9 * 32 * 6 * side * side) / 2 ** 14);
});

test('flat ground reaches from a triangle to the rim', () => {
  const surface = bake(makeSheet(8, () => 0));
  const inner = 2 * (4 * 8 + 4);
  const { positions, indices } = surface.outline;
  const [x, z] = [0, 2].map((k) =>
    [0, 1, 2].reduce((sum, c) => sum + positions[3 * indices[3 * inner + c] + k] / 3, 0),
  );
  const reach = flatReach(surface, inner, vec3(x, 0, z));
  expect(reach).toBeCloseTo(1 - Math.max(Math.abs(x), Math.abs(z)), 6);
  expect(flatReach(surface, inner, vec3(x + 0.25, 0, z))).toBeCloseTo(reach - 0.25, 6);
  expect(flatReach(bake(makeSheet(8, (u) => -Math.abs(u))), inner, vec3(x, -x, z))).toBeLessThan(Math.abs(x) + 0.25);
});

test("a plane's own normal is accepted and made exact in any direction, rounded to f32", () => {
  const random = createRandom(20_261_129);
  for (let i = 0; i < 500; i++) {
    const corners = Array.from({ length: 9 }, () => uniform(random, -1, 1));
    const surface = bake({ positions: corners, indices: [0, 1, 2] });
    const [x, y, z] = surface.normals;
    if (x === 0 && y === 0 && z === 0) continue;
    const rounded = vec3(Math.fround(x), Math.fround(y), Math.fround(z));
    const middle = [0, 1, 2].map((axis) => (corners[axis] + corners[axis + 3] + corners[axis + 6]) / 3);
    expect(isAccepted(surface, 0, rounded, vec3(middle[0], middle[1], middle[2]), 2e-6), `seed 20261129, ${i}`).toBe(
      true,
    );
    makeExact(surface, 0, 2e-6, rounded);
    expect([rounded.x, rounded.y, rounded.z]).toEqual([x, y, z]);
  }
});

test('vertices that no triangle has do not change what counts as one vertex', () => {
  const { positions, indices } = fold(90);
  const surface = bake({ positions: [...Array.from(positions), 1e6, 0, 0], indices });
  expect(surface.weld).toBe(bake(fold(90)).weld);
  expect(piecesOf(surface, COMMON)).toEqual([[0, 1, 0, 90]]);
});

test('curved ground is not flat, however far from the origin', () => {
  for (const far of [0, 200, 500, 1000]) {
    const dome = makeSheet(20, (x, z) => Math.sqrt(4 - x * x - z * z));
    const positions = Array.from(dome.positions, (value, i) => Math.fround(i % 3 === 0 ? value + far : value));
    const surface = bake({ positions, indices: dome.indices });
    for (let triangle = 0; triangle < surface.normals.length / 3; triangle++) {
      const middle = centroidOf(surface, triangle);
      expect(flatReach(surface, triangle, middle), `at ${far}, triangle ${triangle}`).toBeLessThan(0.2);
    }
  }
});

/** Flat ground with T-junctions, whose neighbours are searched. */
function tiles(size: number): Triangles {
  return {
    positions: [0, 0, 0, 0, 0, 4, -4, 0, 2, 0, 0, 1, 2, 0, 0.5, 2, 0, 2].map((x) => size * x),
    indices: [0, 2, 1, 0, 3, 4, 3, 1, 5],
  };
}

function groupsOf({ flats }: MeshSurface): number[] {
  return Array.from(flats.groups);
}

test('flat groups of meshes that are baked in turns are those of each by itself', () => {
  const alone = [1, 3].map((size) => groupsOf(bake(tiles(size))));
  const works = [1, 3].map((size) => {
    const shape = makeShapeData({ type: 'mesh', ...(tiles(size) as { positions: number[]; indices: number[] }) });
    finish(partTree(shape));
    return meshSurface(shape.parts as Mesh);
  });
  const found: MeshSurface[] = [];
  while (found.filter(Boolean).length < 2) {
    works.forEach((work, i) => {
      const { done, value } = work.next();
      if (done && value) found[i] = value;
    });
  }
  expect(found.map(groupsOf)).toEqual(alone);
});
