/** A body on the stage: its surface, its edges, its ghost at the time of impact, and the arrow of its velocity. */

import {
  BufferGeometry,
  DoubleSide,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  Line,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
  type Color,
} from 'three/webgpu';
import type { PlanarConvexDescription, ShapeDescription } from 'narrowphase';
import { shapeGeometry } from '../common/shape-mesh.ts';
import { planarGeometry } from './planar-outline.ts';
import type { AnyShape, BodyState } from './scene.ts';

/** Edges flatter than this many degrees are not drawn. */
const FLATTEST_EDGE = 20;

export interface BodyView {
  /** At the body's place; its children are the surface and the edges. */
  place: Group;
  surface: Mesh;
  /** At the place of the time of impact. */
  ghost: Group;
  /** Radius of a ball around the body's origin that contains the body. */
  radius: number;
  show(body: BodyState, dimension: 2 | 3): void;
  /** Shows the ghost after so many seconds; null hides it. */
  showGhost(body: BodyState, seconds: number | null): void;
  paint(color: Color, edge: Color): void;
}

export function createBodyView(): BodyView {
  const solid = new MeshStandardMaterial({ roughness: 0.55, transparent: true, opacity: 0.8, side: DoubleSide });
  const flat = new MeshBasicMaterial({ transparent: true, opacity: 0.45, side: DoubleSide });
  const line = new LineBasicMaterial({ transparent: true, opacity: 0.9 });
  const ghostFill = new MeshBasicMaterial({ transparent: true, opacity: 0.12, depthWrite: false, side: DoubleSide });
  const ghostLine = new LineBasicMaterial({ transparent: true, opacity: 0.45 });
  const surface = new Mesh();
  const edges = { segments: new LineSegments(undefined, line), outline: new Line(undefined, line) };
  const ghostSurface = new Mesh(undefined, ghostFill);
  const ghostEdges = { segments: new LineSegments(undefined, ghostLine), outline: new Line(undefined, ghostLine) };
  const place = new Group();
  place.add(surface, edges.segments, edges.outline);
  const ghost = new Group();
  ghost.add(ghostSurface, ghostEdges.segments, ghostEdges.outline);
  let shape: AnyShape | undefined;

  function rebuild(next: AnyShape, dimension: 2 | 3): void {
    shape = next;
    for (const { geometry } of [surface, edges.segments]) geometry.dispose();
    const geometry =
      dimension === 2 ? planarGeometry(next as PlanarConvexDescription) : shapeGeometry(next as ShapeDescription);
    surface.geometry = ghostSurface.geometry = geometry;
    surface.material = dimension === 2 ? flat : solid;
    const segments = dimension === 3 ? new EdgesGeometry(geometry, FLATTEST_EDGE) : new BufferGeometry();
    edges.segments.geometry = ghostEdges.segments.geometry = segments;
    // Round shapes have no edges, and WebGPU warns about empty draws.
    edges.segments.visible = ghostEdges.segments.visible = (segments.attributes.position?.count ?? 0) > 0;
    edges.outline.visible = ghostEdges.outline.visible = dimension === 2;
    if (dimension === 2) edges.outline.geometry = ghostEdges.outline.geometry = closedLine(geometry);
    view.radius = radiusOf(geometry);
  }

  const view: BodyView = {
    place,
    surface,
    ghost,
    radius: 1,
    show(body, dimension) {
      if (body.shape !== shape) rebuild(body.shape, dimension);
      setPlace(place, body, 0);
    },
    showGhost(body, seconds) {
      ghost.visible = seconds !== null;
      if (seconds !== null) setPlace(ghost, body, seconds);
    },
    paint(color, edge) {
      for (const material of [solid, flat, ghostFill]) material.color.copy(color);
      for (const material of [line, ghostLine]) material.color.copy(edge);
    },
  };
  return view;
}

/** The outline of a flat shape, back to its first point. */
function closedLine({ attributes: { position } }: BufferGeometry): BufferGeometry {
  const points = Array.from({ length: position.count + 1 }, (_, i) =>
    new Vector3().fromBufferAttribute(position, i % position.count),
  );
  return new BufferGeometry().setFromPoints(points);
}

/** Where the body is after so many seconds. */
function setPlace(group: Group, { position, rotation, linear, angular }: BodyState, seconds: number): void {
  const [x, y, z = 0] = position.map((value, k) => value + seconds * linear[k]);
  group.position.set(x, y, z);
  if (rotation.length === 1) {
    group.quaternion.setFromAxisAngle(new Vector3(0, 0, 1), rotation[0] + seconds * angular[0]);
    return;
  }
  const turn = new Vector3().fromArray(angular);
  const angle = turn.length() * seconds;
  group.quaternion.fromArray(rotation).normalize();
  if (angle > 0) group.quaternion.premultiply(new Quaternion().setFromAxisAngle(turn.normalize(), angle));
}

function radiusOf({ attributes: { position } }: BufferGeometry): number {
  const point = new Vector3();
  let most = 0;
  for (let i = 0; i < position.count; i++) most = Math.max(most, point.fromBufferAttribute(position, i).length());
  return most;
}
