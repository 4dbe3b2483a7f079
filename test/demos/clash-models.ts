/** Models of unit boxes in several formats. */

import { makeGltf } from '../helpers/gltf.ts';

/** One mesh of unit boxes. Their lowest corners are at these x, with y = z = 0. */
export interface Part {
  name: string;
  boxes: readonly number[];
}

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, i >> 2]);
const SIDES = [
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];
const TRIANGLES = SIDES.flatMap(([a, b, c, d]) => [
  [a, b, c],
  [a, c, d],
]);

function meshOf({ boxes }: Part): { corners: number[][]; triangles: number[][] } {
  return {
    corners: boxes.flatMap((left) => CORNERS.map(([x, y, z]) => [left + x, y, z])),
    triangles: boxes.flatMap((_, i) => TRIANGLES.map((triangle) => triangle.map((corner) => corner + 8 * i))),
  };
}

export function objOf(parts: readonly Part[]): string {
  let first = 1;
  const lines = parts.flatMap((part) => {
    const { corners, triangles } = meshOf(part);
    const faces = triangles.map((triangle) => `f ${triangle.map((corner) => corner + first).join(' ')}`);
    first += corners.length;
    return [`o ${part.name}`, ...corners.map((corner) => `v ${corner.join(' ')}`), ...faces];
  });
  return `${lines.join('\n')}\n`;
}

export function stlOf(parts: readonly Part[]): string {
  const lines = parts.flatMap((part) => {
    const { corners, triangles } = meshOf(part);
    const facets = triangles.flatMap((triangle) => {
      const vertices = triangle.map((corner) => `vertex ${corners[corner].join(' ')}`);
      return ['facet normal 0 0 0', 'outer loop', ...vertices, 'endloop', 'endfacet'];
    });
    return [`solid ${part.name}`, ...facets, `endsolid ${part.name}`];
  });
  return `${lines.join('\n')}\n`;
}

/** A glTF document, and the bytes of the file `uri` that it names. */
export function gltfOf(parts: readonly Part[], uri: string): { document: object; binary: Buffer } {
  const gltf = makeGltf();
  for (const part of parts) {
    const { corners, triangles } = meshOf(part);
    gltf.root({ name: part.name, mesh: gltf.mesh(part.name, corners.flat(), triangles.flat()) });
  }
  const binary = Buffer.from(gltf.binary());
  return { document: { ...gltf.json, buffers: [{ uri, byteLength: binary.length }] }, binary };
}
