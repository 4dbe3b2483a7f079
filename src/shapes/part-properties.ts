/** Mass properties and geometry of compounds and meshes. */
import type { MassProperties, ShapeGeometry } from '../api/geometry.ts';
import { invalidInput } from '../api/errors.ts';
import { finish } from '../util/turns.ts';
import { addTetrahedron, massProperties, noMoments, propertiesOf, type Vector } from './mass-properties.ts';
import type { Compound, Mesh } from './parts.ts';
import type { ShapeData } from './shape-data.ts';
import { shapeGeometry } from './shape-geometry.ts';
import { weldTolerance, weldVertices } from './weld-vertices.ts';

/**
 * Mass properties of any shape. Those of a compound are the sums over its parts: where parts overlap, their mass counts
 * twice. A mesh has those of the solid that it encloses, by the divergence theorem. Throws `INVALID_INPUT`, which names
 * `id`, for a half-space, and for a mesh that is not closed.
 */
export function massPropertiesOfAny(shape: ShapeData, id: number): MassProperties {
  const { parts } = shape;
  if (!parts) return massProperties(shape, id);
  return parts.type === 'compound' ? massOfCompound(parts, id) : massOfMesh(parts, id);
}

function massOfCompound({ shapes, positions, quaternions, scales }: Compound<ShapeData>, id: number): MassProperties {
  const total = { volume: 0, first: [0, 0, 0], second: Array<number>(9).fill(0) };
  const masses = shapes.map((shape, i) => {
    const { volume, centroid, inertia } = massProperties(shape, id);
    const scale = scales[i];
    const rows = rotationRows(quaternions.subarray(4 * i, 4 * i + 4));
    const centre = turned(rows, centroid).map((value, k) => value * scale + positions[3 * i + k]);
    return { volume: volume * scale ** 3, centre, inertia: turnedTensor(rows, inertia).map((x) => x * scale ** 5) };
  });
  for (const { volume, centre } of masses) {
    total.volume += volume;
    for (let k = 0; k < 3; k++) total.first[k] += volume * centre[k];
  }
  const { volume } = total;
  const isSolid = volume > 0;
  const centroid = isSolid ? total.first.map((value) => value / volume) : meanOf(masses.map(({ centre }) => centre));
  for (const { volume: mass, centre, inertia } of masses) {
    const d = centre.map((value, k) => value - centroid[k]);
    const squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++)
        total.second[3 * i + j] += inertia[3 * i + j] + mass * ((i === j ? squared : 0) - d[i] * d[j]);
  }
  return { volume, centroid: [centroid[0], centroid[1], centroid[2]], inertia: total.second };
}

function meanOf(points: readonly number[][]): number[] {
  return [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
}

/** The rotation matrix of a unit quaternion, row by row. */
function rotationRows([x, y, z, w]: Float64Array): number[] {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}

function turned(rows: readonly number[], v: readonly number[]): number[] {
  return [0, 3, 6].map((row) => rows[row] * v[0] + rows[row + 1] * v[1] + rows[row + 2] * v[2]);
}

/** R · tensor · transpose(R) */
function turnedTensor(rows: readonly number[], tensor: readonly number[]): number[] {
  const product = Array<number>(9).fill(0);
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      for (let k = 0; k < 3; k++)
        for (let l = 0; l < 3; l++) product[3 * i + j] += rows[3 * i + k] * tensor[3 * k + l] * rows[3 * j + l];
  return product;
}

/**
 * The solid inside a closed mesh whose triangles are counter-clockwise from outside. Integrals over the tetrahedra of a
 * point and the triangles; the point is the mean of the vertices, since squares of coordinates far from the origin would
 * drown the moments.
 */
function massOfMesh(mesh: Mesh, id: number): MassProperties {
  const { positions, indices } = mesh;
  expectClosed(mesh, id);
  const count = positions.length / 3;
  const mean = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let i = k; i < positions.length; i += 3) sum += positions[i];
    return sum / count;
  });
  const total = noMoments();
  const corner = (vertex: number): Vector => [
    positions[3 * vertex] - mean[0],
    positions[3 * vertex + 1] - mean[1],
    positions[3 * vertex + 2] - mean[2],
  ];
  for (let i = 0; i < indices.length; i += 3)
    addTetrahedron(total, corner(indices[i]), corner(indices[i + 1]), corner(indices[i + 2]));
  if (!(total.volume > 0))
    invalidInput(
      'id',
      id,
      'a mesh whose triangles are counter-clockwise from outside; the volume of this is not positive',
    );
  return propertiesOf(total, [0, 0, 0], mean);
}

/**
 * Throws unless each edge has as many triangles on one side as on the other. Vertices within the weld tolerance count as one.
 */
function expectClosed(mesh: Mesh, id: number): void {
  const { positions, indices } = mesh;
  const welded = finish(weldVertices(positions, weldTolerance(mesh)));
  const count = welded.length;
  /** By edge: how often it is passed in one direction less how often in the other. */
  const sides = new Map<number, number>();
  for (let i = 0; i < indices.length; i++) {
    const from = welded[indices[i]];
    const to = welded[indices[i % 3 === 2 ? i - 2 : i + 1]];
    if (from === to) continue;
    const edge = Math.min(from, to) * count + Math.max(from, to);
    sides.set(edge, (sides.get(edge) ?? 0) + (from < to ? 1 : -1));
  }
  for (const [edge, sum] of sides) {
    if (sum === 0) continue;
    const expected = `a closed mesh; the edge between vertices ${Math.floor(edge / count)} and ${edge % count} has one side`;
    invalidInput('id', id, expected);
  }
}

/**
 * Vertices, edges and faces of any shape. Faces of a mesh are its triangles, by index, and it has no edges of its own:
 * features are those of triangles. Throws `INVALID_INPUT`, which names `id`, for a compound.
 */
export function shapeGeometryOfAny(shape: ShapeData, id: number): ShapeGeometry {
  const { parts } = shape;
  if (!parts) return shapeGeometry(shape);
  if (parts.type === 'compound')
    invalidInput('id', id, 'a convex shape or a mesh; features of a compound are those of its parts');
  const { positions, indices } = parts;
  return {
    vertices: Float32Array.from(positions),
    edges: new Uint32Array(0),
    faces: Array.from({ length: indices.length / 3 }, (_, i) => indices.slice(3 * i, 3 * i + 3)),
    circles: [],
    surfaces: [],
    radius: 0,
  };
}
