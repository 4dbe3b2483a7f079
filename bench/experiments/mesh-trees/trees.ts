/** The kinds of trees that are compared, and what building them takes. */
import { encloseAligned } from '../../../src/bvh/aligned-boxes.ts';
import { boundTriangles, type Triangles } from '../../../src/bvh/build-tree.ts';
import { cutParts } from '../../../src/bvh/cut-parts.ts';
import { encloseOriented } from '../../../src/bvh/oriented-boxes.ts';
import type { PartTree } from '../../../src/bvh/part-tree.ts';
import { finish } from '../../../src/util/turns.ts';
import { digits } from '../../markdown.ts';
import { processorTime } from './clock.ts';
import { cutAtMeans } from './mean-cut.ts';

export const KINDS = ['aligned', 'OBB', "OBB, the paper's cut"] as const;
export type Kind = (typeof KINDS)[number];

export function buildTree(kind: Kind, mesh: Triangles): PartTree {
  if (kind === "OBB, the paper's cut") return finish(encloseOriented(cutAtMeans(mesh), mesh));
  const boxes = finish(boundTriangles(mesh));
  const topology = finish(cutParts(boxes));
  return finish(kind === 'OBB' ? encloseOriented(topology, mesh) : encloseAligned(topology, boxes));
}

export const BUILD_HEAD = ['model', 'triangles', 'tree', 'ms', 'µs per triangle', 'levels', 'bytes per triangle'];

/** A row for each kind that the package builds. The first of two trees is not counted. */
export function buildRows(name: string, mesh: Triangles): string[][] {
  const triangles = mesh.indices.length / 3;
  return (['aligned', 'OBB'] as const).map((kind) => {
    let tree = buildTree(kind, mesh);
    const milliseconds = processorTime(() => void (tree = buildTree(kind, mesh)));
    const bytes = tree.boxes.byteLength + (tree.axes?.byteLength ?? 0) + tree.links.byteLength;
    return [
      name,
      triangles.toLocaleString('en'),
      kind,
      digits(milliseconds),
      ((1000 * milliseconds) / triangles).toFixed(1),
      String(tree.depth),
      (bytes / triangles).toFixed(0),
    ];
  });
}
