/** Models of unit boxes in several formats. */

import { CUBE, makeGltf } from '../helpers/gltf.ts';

/** One mesh of unit boxes. Their lowest corners are at these x, with y = z = 0. */
export interface Part {
  name: string;
  boxes: readonly number[];
}

/** Of the cube from 0 to 1. */
const CORNERS = chunked(CUBE.positions.map((x) => (x + 1) / 2));
const TRIANGLES = chunked(CUBE.indices);

/** Three numbers at a time. */
function chunked(numbers: readonly number[]): number[][] {
  return Array.from({ length: numbers.length / 3 }, (_, i) => numbers.slice(3 * i, 3 * i + 3));
}

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

/** `left` overlaps `right` by 0.25, `far` is 0.125 from `right`, and `inside` is between the two boxes of `frame`. */
export const PARTS: readonly Part[] = [
  { name: 'left', boxes: [0] },
  { name: 'right', boxes: [0.75] },
  { name: 'far', boxes: [1.875] },
  { name: 'frame', boxes: [5, 8] },
  { name: 'inside', boxes: [6.5] },
];
