/**
 * Marks of clashes: a dot per clash in the colour of its category, and for the selected clash its depth or gap to scale,
 * along the normal, between the surfaces of both bodies. Marks are drawn over everything and keep their size on screen.
 */

import {
  Color,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
  type PerspectiveCamera,
} from 'three/webgpu';
import type { Clash } from '../../cli/clash/clash-report.ts';
import { CATEGORY_COLORS, currentColors } from './colors.ts';

/** Radii as shares of the distance to the camera. */
const DOT = 0.0065;
/** Dots of touching bodies are smaller by this factor: there are many, and they are rarely faults. */
const TOUCHING = 0.55;
const LINE = 0.0016;
const PLATE = 0.012;
const UP = new Vector3(0, 1, 0);
const DRAWN_LAST = 10;

export interface ClashMarks {
  group: Group;
  dots: InstancedMesh;
  /** Points in the frame of the group. */
  points: readonly Vector3[];
  select(index: number | undefined): void;
  /** Sizes the marks for the camera, which is in the frame of the group at `eye`. */
  fit(eye: Vector3, camera: PerspectiveCamera): void;
  paint(): void;
  dispose(): void;
}

export function createClashMarks(clashes: readonly Clash[], origin: Vector3): ClashMarks {
  const points = clashes.map(({ point }) => new Vector3().fromArray(point).sub(origin));
  const overlay = { depthTest: false, depthWrite: false, transparent: true } as const;
  const dots = new InstancedMesh(
    new SphereGeometry(1, 12, 8),
    new MeshBasicMaterial({ ...overlay, opacity: 0.95 }),
    Math.max(1, clashes.length),
  );
  dots.count = clashes.length;
  dots.frustumCulled = false;
  dots.renderOrder = DRAWN_LAST;
  const color = new Color();
  clashes.forEach(({ category }, i) => dots.setColorAt(i, color.set(CATEGORY_COLORS[category])));

  const ink = new MeshBasicMaterial(overlay);
  const line = new Mesh(new CylinderGeometry(1, 1, 1, 8), ink);
  const plates = [0, 1].map(() => new Mesh(new CylinderGeometry(1, 1, 1, 20), ink));
  const centre = new Mesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial(overlay));
  const marker = new Group();
  marker.add(line, ...plates, centre);
  marker.visible = false;
  marker.traverse((each) => (each.renderOrder = DRAWN_LAST + 1));
  centre.renderOrder = DRAWN_LAST + 2;
  const group = new Group();
  group.add(dots, marker);

  const shares = clashes.map(({ category }) => (category === 'touching' ? TOUCHING : 1));
  let selected: number | undefined;
  const matrix = new Matrix4();
  const turn = new Quaternion();
  const scale = new Vector3();
  const paint = (): void => {
    ink.color.set(currentColors().depth);
    if (selected !== undefined) centre.material.color.set(CATEGORY_COLORS[clashes[selected].category]);
  };
  paint();

  return {
    group,
    dots,
    points,
    select(index) {
      selected = index;
      marker.visible = index !== undefined;
      if (index === undefined) return;
      const { normal, distance } = clashes[index];
      marker.position.copy(points[index]);
      marker.quaternion.setFromUnitVectors(UP, new Vector3().fromArray(normal).normalize());
      line.scale.y = Math.max(Math.abs(distance), 1e-9);
      plates.forEach((plate, i) => (plate.position.y = (i - 0.5) * distance));
      paint();
    },
    fit(eye, camera) {
      const perUnit = Math.tan((camera.fov * Math.PI) / 360) * 2;
      points.forEach((point, i) => {
        // While a clash is selected, the dots of the others are smaller.
        const share = (selected === undefined ? 1 : i === selected ? 0 : 0.45) * shares[i];
        const size = DOT * perUnit * point.distanceTo(eye) * share;
        dots.setMatrixAt(i, matrix.compose(point, turn, scale.setScalar(size)));
      });
      dots.instanceMatrix.needsUpdate = true;
      const unit = perUnit * marker.position.distanceTo(eye);
      centre.scale.setScalar(0.006 * unit);
      line.scale.x = line.scale.z = LINE * unit;
      for (const plate of plates) plate.scale.set(PLATE * unit, LINE * unit, PLATE * unit);
    },
    paint,
    dispose() {
      group.traverse((each) => (each as Partial<Mesh>).geometry?.dispose());
      dots.dispose();
    },
  };
}
