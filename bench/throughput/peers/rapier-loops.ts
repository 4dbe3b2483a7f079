/**
 * Rapier, in space and in the plane: queries between two shapes. The documented `Shape.intersectsShape` and
 * `Shape.contactShape` copy both shapes and both poses into WebAssembly at every call and free them after it. Its own
 * parts avoid that: `RawShape` on shapes and poses that `intoRaw` made once, and `contactCollider` on colliders, which
 * keep theirs in a world. Both are measured, as both are what "Rapier" may mean.
 *
 * `ShapeContact.fromBuffer` fills one object again and again; the raw contact below it is made and freed at each call.
 */

import type { PeerLoop } from '../runner.ts';
import type { PlacingLoop } from './arrays.ts';
import type { AnyWorkload } from '../../../verification/workloads/workload.ts';

/** Farther than any pair of the workloads is apart. */
export const FAR = 10;

/** A shape of one of the two libraries, or what `intoRaw` gives of it. */
interface Intersecting<Shape, Position, Rotation> {
  intersectsShape(
    positionA: Position,
    rotationA: Rotation,
    shapeB: Shape,
    positionB: Position,
    rotationB: Rotation,
  ): boolean;
}

interface Touching<Shape, Position, Rotation, Contact> {
  contactShape(
    positionA: Position,
    rotationA: Rotation,
    shapeB: Shape,
    positionB: Position,
    rotationB: Rotation,
    prediction: number,
    target: Contact,
  ): Contact | null;
}

interface Touchable<Collider, Contact> {
  contactCollider(other: Collider, prediction: number, target: Contact): Contact | null;
}

/** What a body is, as the library has it. */
export interface Placed<Shape, Position, Rotation> {
  shape: Shape;
  position: Position;
  rotation: Rotation;
}

/** `Shape.intersectsShape`, or with what `intoRaw` gives `RawShape.intersectsShape`. */
export function intersectsLoop<Shape extends Intersecting<Shape, Position, Rotation>, Position, Rotation>(
  { pairs }: AnyWorkload,
  place: (body: number) => Placed<Shape, Position, Rotation>,
): PlacingLoop {
  const { shapes, positions, rotations, addBody, setBody } = placedBodies(place);
  return {
    tellsDistance: false,
    addBody,
    setBody,
    loop(count, { hit }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        hit[i] = shapes[a].intersectsShape(positions[a], rotations[a], shapes[b], positions[b], rotations[b]) ? 1 : 0;
      }
    },
  };
}

/** `Shape.contactShape`. */
export function contactLoop<
  Shape extends Touching<Shape, Position, Rotation, Contact>,
  Position,
  Rotation,
  Contact extends { distance: number },
>(
  { pairs }: AnyWorkload,
  place: (body: number) => Placed<Shape, Position, Rotation>,
  prediction: number,
  contact: Contact,
): PlacingLoop {
  const { shapes, positions, rotations, addBody, setBody } = placedBodies(place);
  return {
    tellsDistance: true,
    addBody,
    setBody,
    loop(count, { hit, distance }) {
      for (let i = 0; i < count; i++) {
        const a = pairs[2 * i];
        const b = pairs[2 * i + 1];
        const found = shapes[a].contactShape(
          positions[a],
          rotations[a],
          shapes[b],
          positions[b],
          rotations[b],
          prediction,
          contact,
        );
        hit[i] = found !== null && found.distance <= 0 ? 1 : 0;
        distance[i] = found === null ? NaN : found.distance;
      }
    },
  };
}

/** `Collider.contactCollider`. */
export function colliderLoop<Collider extends Touchable<Collider, Contact>, Contact extends { distance: number }>(
  { pairs }: AnyWorkload,
  makeCollider: (body: number) => Collider,
  prediction: number,
  contact: Contact,
): PeerLoop {
  const colliders: Collider[] = [];
  return {
    tellsDistance: true,
    addBody(body) {
      colliders.push(makeCollider(body));
    },
    loop(count, { hit, distance }) {
      for (let i = 0; i < count; i++) {
        const found = colliders[pairs[2 * i]].contactCollider(colliders[pairs[2 * i + 1]], prediction, contact);
        hit[i] = found !== null && found.distance <= 0 ? 1 : 0;
        distance[i] = found === null ? NaN : found.distance;
      }
    },
  };
}

function placedBodies<Shape, Position, Rotation>(place: (body: number) => Placed<Shape, Position, Rotation>) {
  const shapes: Shape[] = [];
  const positions: Position[] = [];
  const rotations: Rotation[] = [];
  const setBody = (slot: number, body: number): void => {
    const { shape, position, rotation } = place(body);
    shapes[slot] = shape;
    positions[slot] = position;
    rotations[slot] = rotation;
  };
  return { shapes, positions, rotations, addBody: (body: number) => setBody(shapes.length, body), setBody };
}
