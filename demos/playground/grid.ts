/** Lines behind both bodies: a floor in 3-D, a wall in 2-D. */

import { GridHelper, Group, type Color } from 'three/webgpu';

const SIZE = 40;
/** How far it is from the origin. */
const AWAY = 2;

export interface Grid {
  group: Group;
  paint(axis: Color, line: Color): void;
  setDimension(dimension: 2 | 3): void;
}

export function createGrid(): Grid {
  const group = new Group();
  let lines = new GridHelper();
  return {
    group,
    paint(axis, line) {
      group.remove(lines);
      lines.dispose();
      lines = new GridHelper(SIZE, SIZE, axis, line);
      group.add(lines);
    },
    setDimension(dimension) {
      group.rotation.x = dimension === 2 ? Math.PI / 2 : 0;
      group.position.set(0, dimension === 2 ? 0 : -AWAY, dimension === 2 ? -AWAY : 0);
    },
  };
}
