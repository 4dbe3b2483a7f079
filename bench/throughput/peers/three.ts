/** three.js: `OBB` of its examples. Centre, half extents and rotation of each body are made beforehand. */

import { Matrix3, Matrix4, Quaternion, REVISION, Vector3 } from 'three';
import { OBB } from 'three/examples/jsm/math/OBB.js';
import type { BoxDescription } from '../../../src/api/shapes.ts';
import { peerRunner, type Runner } from '../runner.ts';
import type { Workload } from '../../../verification/workloads/workload.ts';

export const version = `three.js r${REVISION}`;

export function createRunner(_call: string, workload: Workload): Runner {
  const { bodies, pairs, shapes } = workload;
  const boxes: OBB[] = [];
  return peerRunner(workload, {
    tellsDistance: false,
    addBody(body) {
      const [x, y, z] = Array.from((shapes[bodies.shapes[body]] as BoxDescription).halfExtents);
      const rotation = new Matrix4().makeRotationFromQuaternion(
        new Quaternion().fromArray(bodies.quaternions, 4 * body),
      );
      const centre = new Vector3().fromArray(bodies.positions, 3 * body);
      boxes.push(new OBB(centre, new Vector3(x, y, z), new Matrix3().setFromMatrix4(rotation)));
    },
    loop(count, { hit }) {
      for (let i = 0; i < count; i++) hit[i] = boxes[pairs[2 * i]].intersectsOBB(boxes[pairs[2 * i + 1]]) ? 1 : 0;
    },
  });
}
