/** The CPU backend's answer for a capture. Results of testers are rounded to f32. */
import type { Capture, SpaceCapture, Tester } from '../../src/api/types.ts';
import { captureInput } from '../../src/cpu.ts';
import { createTester } from '../../src/node.ts';
import { addShapes } from '../../verification/engines/add-shapes.ts';

export async function referenceItems(capture: Capture): Promise<Record<string, unknown>[]> {
  const tester = (await createTester({ backend: 'cpu', dimension: capture.dimension, threads: 1 } as object)) as Tester;
  try {
    const { shapes, query } = capture as SpaceCapture;
    const [a, b] = addShapes(tester, shapes);
    const { bodies, pairs, options } = captureInput(capture as SpaceCapture, [a, b]);
    const again = await tester.capture(bodies, pairs, 0, { query, ...options });
    return [again.result].flat().map((item) => ({ ...item }));
  } finally {
    tester.dispose();
  }
}
