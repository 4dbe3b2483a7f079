/** Draws the answers: witness points, the normal, the points of the manifold, velocities. Sizes are in pixels. */

import {
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
  Vector3,
  type Color,
} from 'three/webgpu';

const UP = new Vector3(0, 1, 0);

/** Pixels. */
const SIZES = { witness: 5, manifold: 6.5, line: 1.6, normal: 76, head: { length: 15, radius: 6 }, handle: 8 } as const;

/** Marks are seen through bodies, later ones on top. */
function material(order: number): MeshBasicMaterial {
  const made = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });
  made.userData.order = order;
  return made;
}

function meshOf(geometry: SphereGeometry | CylinderGeometry | ConeGeometry, of: MeshBasicMaterial): Mesh {
  const mesh = new Mesh(geometry, of);
  mesh.renderOrder = of.userData.order as number;
  mesh.visible = false;
  return mesh;
}

const BALL = new SphereGeometry(1, 16, 12);
const ROD = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
const HEAD = new ConeGeometry(1, 1, 14).translate(0, 0.5, 0);

export interface Pair {
  pointA: Vector3;
  pointB: Vector3;
  normal: Vector3;
}

export interface Velocity {
  from: Vector3;
  to: Vector3;
}

export interface Marks {
  group: Group;
  /** Balls at the tips of the velocities, to drag. */
  handles: readonly [Mesh, Mesh];
  /** undefined: there are no witness points. */
  showContact(pair: Pair | undefined): void;
  showManifold(points: readonly Vector3[]): void;
  /** undefined: the body rests. */
  showVelocity(body: number, velocity: Velocity | undefined): void;
  /** `unitsPerPixel`: at a place. */
  fit(unitsPerPixel: (at: Vector3) => number): void;
  paint(colors: { witness: Color; normal: Color; manifold: Color; bodies: readonly Color[] }): void;
}

/** The most points of manifolds that are drawn. */
const MOST_POINTS = 64;

export function createMarks(): Marks {
  const group = new Group();
  const materials = {
    line: material(4),
    normal: material(5),
    manifold: material(6),
    witness: material(7),
    velocities: [material(3), material(3)],
  };
  const add = (mesh: Mesh): Mesh => {
    group.add(mesh);
    return mesh;
  };
  const ball = (of: MeshBasicMaterial): Mesh => add(meshOf(BALL, of));
  const arrow = (of: MeshBasicMaterial) => ({ rod: add(meshOf(ROD, of)), head: add(meshOf(HEAD, of)) });
  const witnesses = [ball(materials.witness), ball(materials.witness)];
  const between = add(meshOf(ROD, materials.line));
  const normal = arrow(materials.normal);
  const points = Array.from({ length: MOST_POINTS }, () => ball(materials.manifold));
  const velocities = materials.velocities.map((of) => ({ ...arrow(of), handle: ball(of) }));
  let contact: Pair | undefined;
  let manifold: readonly Vector3[] = [];
  const moves: (Velocity | undefined)[] = [undefined, undefined];

  return {
    group,
    handles: [velocities[0].handle, velocities[1].handle],
    showContact(pair) {
      contact = pair;
      for (const mesh of [...witnesses, between, normal.rod, normal.head]) mesh.visible = pair !== undefined;
    },
    showManifold(at) {
      manifold = at.slice(0, MOST_POINTS);
      points.forEach((point, i) => (point.visible = i < manifold.length));
    },
    showVelocity(body, velocity) {
      moves[body] = velocity;
      const { rod, head, handle } = velocities[body];
      for (const mesh of [rod, head, handle]) mesh.visible = velocity !== undefined;
    },
    fit(unitsPerPixel) {
      if (contact) {
        const { pointA, pointB } = contact;
        const unit = unitsPerPixel(pointA);
        witnesses[0].position.copy(pointA);
        witnesses[1].position.copy(pointB);
        for (const mesh of witnesses) mesh.scale.setScalar(SIZES.witness * unit);
        stretch(between, pointA, pointB, SIZES.line * unit);
        const tip = pointA.clone().addScaledVector(contact.normal, SIZES.normal * unit);
        aim(normal, pointA, tip, unit);
      }
      manifold.forEach((at, i) => {
        points[i].position.copy(at);
        points[i].scale.setScalar(SIZES.manifold * unitsPerPixel(at));
      });
      moves.forEach((velocity, body) => {
        if (!velocity) return;
        const unit = unitsPerPixel(velocity.to);
        aim(velocities[body], velocity.from, velocity.to, unit);
        velocities[body].handle.position.copy(velocity.to);
        velocities[body].handle.scale.setScalar(SIZES.handle * unit);
      });
    },
    paint({ witness, normal: ofNormal, manifold: ofManifold, bodies }) {
      materials.line.color.copy(witness);
      materials.witness.color.copy(witness);
      materials.normal.color.copy(ofNormal);
      materials.manifold.color.copy(ofManifold);
      materials.velocities.forEach((of, i) => of.color.copy(bodies[i]));
    },
  };
}

function aim(arrow: { rod: Mesh; head: Mesh }, from: Vector3, to: Vector3, unit: number): void {
  const way = to.clone().sub(from);
  const length = way.length();
  const head = Math.min(SIZES.head.length * unit, length);
  const neck = to.clone().addScaledVector(way.normalize(), -head);
  stretch(arrow.rod, from, neck, SIZES.line * unit);
  stretch(arrow.head, neck, to, SIZES.head.radius * unit);
}

/** Lays a mesh that is 1 high between two points. */
function stretch(mesh: Mesh, from: Vector3, to: Vector3, radius: number): void {
  const way = to.clone().sub(from);
  const length = way.length();
  mesh.position.copy(from);
  // A scale of 0 has no inverse, which normals need.
  mesh.scale.set(radius, Math.max(length, 1e-9), radius);
  if (length > 0) mesh.quaternion.setFromUnitVectors(UP, way.divideScalar(length));
}
