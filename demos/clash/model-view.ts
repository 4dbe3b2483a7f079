/** The model in the view: all bodies solid, or two of them in colour and the others as ghosts. */

import {
  BufferAttribute,
  Color,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  type BufferGeometry,
} from 'three/webgpu';
import { currentColors } from './colors.ts';
import type { ModelGeometry } from './model-geometry.ts';

/** Up to this many triangles, edges are drawn. */
const MOST_EDGED = 150_000;
const EDGE_ANGLE = 30;
const GHOST_OPACITY = 0.1;
const PART_OPACITY = 0.72;

export interface ModelView {
  group: Group;
  /** Shows these bodies in the colours of A and B. undefined: a body that the model does not have. */
  highlight(bodies: readonly [number | undefined, number | undefined]): void;
  /** All bodies solid. */
  clear(): void;
  /** Takes the colours of the theme. */
  paint(): void;
  dispose(): void;
}

export function createModelView({ whole, ends, bodyGeometry, triangles }: ModelGeometry): ModelView {
  // Faces are pushed back a little, so that they do not flicker on edges and on the parts in colour.
  const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 } as const;
  const solid = new MeshLambertMaterial({ ...behind, vertexColors: true });
  const ghost = new MeshLambertMaterial({ ...behind, transparent: true, opacity: GHOST_OPACITY, depthWrite: false });
  whole.setAttribute('color', new BufferAttribute(new Uint8Array(3 * (ends[ends.length - 1] ?? 0)), 3, true));
  const edge = new LineBasicMaterial({ transparent: true });
  const parts = [0, 1].map(() => new MeshLambertMaterial({ transparent: true, opacity: PART_OPACITY }));
  const group = new Group();
  const body = new Mesh(whole, solid);
  group.add(body);
  if (triangles <= MOST_EDGED) group.add(new LineSegments(new EdgesGeometry(whole, EDGE_ANGLE), edge));
  let shown: (Mesh | LineSegments)[] = [];

  const setGhost = (value: boolean): void => {
    body.material = value ? ghost : solid;
    edge.opacity = value ? 0.16 : 0.5;
  };
  const paint = (): void => {
    const colors = currentColors();
    ghost.color.set(colors.ghost);
    tint(whole, ends, colors.bodies);
    edge.color.set(colors.edge);
    [colors.a, colors.b].forEach((color, i) => parts[i].color.set(color));
  };
  const removeShown = (): void => {
    for (const each of shown) {
      group.remove(each);
      each.geometry.dispose();
    }
    shown = [];
  };
  const addPart = (geometry: BufferGeometry, side: number): void => {
    const mesh = new Mesh(geometry, parts[side]);
    // Drawn after the ghosts, the second part with a depth test against the first.
    mesh.renderOrder = 1 + side;
    shown.push(mesh);
    group.add(mesh);
  };
  setGhost(false);
  paint();

  return {
    group,
    highlight(bodies) {
      removeShown();
      bodies.forEach((index, side) => index !== undefined && addPart(bodyGeometry(index), side));
      setGhost(true);
    },
    clear() {
      removeShown();
      setGhost(false);
    },
    paint,
    dispose() {
      removeShown();
      group.traverse((each) => (each as Partial<Mesh>).geometry?.dispose());
      for (const material of [solid, ghost, edge, ...parts]) material.dispose();
    },
  };
}

/** Colours the bodies with the tints in turn. */
function tint({ attributes }: BufferGeometry, ends: Uint32Array, tints: readonly string[]): void {
  const colors = attributes.color as BufferAttribute;
  const rgb = tints.map((each) => new Color(each).toArray().map((value) => Math.round(255 * value)));
  let vertex = 0;
  ends.forEach((end, body) => {
    const own = rgb[body % rgb.length];
    for (; vertex < end; vertex++) colors.array.set(own, 3 * vertex);
  });
  colors.needsUpdate = true;
}
