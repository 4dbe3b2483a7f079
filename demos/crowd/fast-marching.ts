/**
 * The eikonal equation |grad T| = slowness on a grid by the fast marching method (Sethian 1996): T is the least time to
 * the nearest source. Cells are accepted in ascending order of T from a binary heap; the T of a neighbour follows from
 * the accepted cells beside it, by a quadratic equation.
 */

/** `slowness` is seconds per cell, infinite where no way leads. Cells without a way to a source have infinite T. */
export function fastMarching(slowness: Float32Array, width: number, sources: readonly number[]): Float32Array {
  const times = new Float32Array(slowness.length).fill(Infinity);
  const accepted = new Uint8Array(slowness.length);
  const heap = createHeap();
  const height = slowness.length / width;
  for (const cell of sources) {
    times[cell] = 0;
    heap.push(cell, 0);
  }
  for (let cell = heap.pop(); cell >= 0; cell = heap.pop()) {
    if (accepted[cell]) continue;
    accepted[cell] = 1;
    const [x, y] = [cell % width, Math.floor(cell / width)];
    if (x > 0) update(cell - 1);
    if (x < width - 1) update(cell + 1);
    if (y > 0) update(cell - width);
    if (y < height - 1) update(cell + width);
  }
  return times;

  function update(cell: number): void {
    if (accepted[cell] || slowness[cell] === Infinity) return;
    const [x, y] = [cell % width, Math.floor(cell / width)];
    const a = Math.min(x > 0 ? known(cell - 1) : Infinity, x < width - 1 ? known(cell + 1) : Infinity);
    const b = Math.min(y > 0 ? known(cell - width) : Infinity, y < height - 1 ? known(cell + width) : Infinity);
    const [low, difference, slow] = [Math.min(a, b), Math.abs(a - b), slowness[cell]];
    const time = difference < slow ? (a + b + Math.sqrt(2 * slow * slow - difference * difference)) / 2 : low + slow;
    if (time >= times[cell]) return;
    times[cell] = time;
    heap.push(cell, times[cell]);
  }

  function known(cell: number): number {
    return accepted[cell] ? times[cell] : Infinity;
  }
}

interface Heap {
  push(item: number, key: number): void;
  /** The item with the lowest key; -1 if there is none. */
  pop(): number;
}

function createHeap(): Heap {
  const items: number[] = [];
  const keys: number[] = [];
  return {
    push(item, key) {
      let at = items.length;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (keys[parent] <= key) break;
        items[at] = items[parent];
        keys[at] = keys[parent];
        at = parent;
      }
      items[at] = item;
      keys[at] = key;
    },
    pop() {
      if (items.length === 0) return -1;
      const top = items[0];
      const item = items.pop()!;
      const key = keys.pop()!;
      const count = items.length;
      if (count === 0) return top;
      let at = 0;
      for (let child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && keys[child + 1] < keys[child]) child++;
        if (keys[child] >= key) break;
        items[at] = items[child];
        keys[at] = keys[child];
        at = child;
      }
      items[at] = item;
      keys[at] = key;
      return top;
    },
  };
}
