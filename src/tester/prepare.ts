/** Loads and compiles what queries over the present shapes need. */
import { invalidInput } from '../api/errors.ts';
import type { PrepareOptions } from '../api/prepare.ts';
import { CORE_PARTS } from '../generated/constants.ts';
import type { Backend } from '../request/backend.ts';
import type { Dimension } from '../request/dimension.ts';
import { makePrepareRequest } from '../request/prepare-request.ts';
import { triangleShape } from '../shapes/mesh-triangle.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { ShapeBase, ShapeTable } from '../shapes/shape-table.ts';

/** Parts of the package that a query may need besides its kernels. */
export interface Doors {
  rayCasts(): Promise<unknown>;
  broadPhase(): Promise<unknown>;
  escalation(): Promise<unknown>;
  parts(): Promise<unknown>;
  trianglePairs(): Promise<unknown>;
}

/** `table` is a snapshot of the tester's shapes. Rejects with `INVALID_INPUT` for wrong options. */
export async function prepare(
  options: PrepareOptions,
  table: ShapeTable,
  dimension: Dimension,
  backend: Backend,
  doors: Doors,
): Promise<void> {
  if (options.query === 'findPairs') {
    const { float64Positions: hasFixedPoint = false } = options;
    if (typeof hasFixedPoint !== 'boolean') invalidInput('options.float64Positions', hasFixedPoint, 'a boolean');
    await Promise.all([doors.broadPhase(), backend.prepareToFind?.({ hasFixedPoint })]);
    return;
  }
  if (options.query === 'trianglePairs') {
    await Promise.all([doors.trianglePairs(), backend.prepareToFindParts?.()]);
    return;
  }
  const isRays = options.query === 'rayCasts';
  const asked = isRays ? { ...options, query: 'impacts' as const, results: 'hits' as const } : options;
  const { shapes, idCount } = table;
  // The ball that stands for rays is the last shape of a snapshot.
  const used = isRays ? shapes : shapes.slice(0, idCount);
  const hasParts = used.some((shape) => shape?.kind === CORE_PARTS);
  const request = makePrepareRequest(asked, { ...table, shapes: hasParts ? used.flatMap(partsOf) : used }, dimension);
  await Promise.all([
    backend.prepare({
      ...request,
      // The hits of rays, and the answers for parts, are put together from records.
      takesArrays: request.takesArrays && !isRays && !hasParts,
      // Parts of compounds have 64-bit positions.
      hasFixedPoint: request.hasFixedPoint || used.some(isCompound),
    }),
    isRays && doors.rayCasts(),
    isRays && doors.broadPhase(),
    request.escalates && doors.escalation(),
    hasParts && doors.parts(),
    hasParts && request.query !== 'impacts' && backend.prepareToFindParts?.(),
  ]);
}

/** The convex shapes of a shape: itself, the parts of a compound, or a triangle. */
function partsOf(shape: ShapeBase | undefined): (ShapeBase | undefined)[] {
  const parts = (shape as ShapeData | undefined)?.parts;
  if (!parts) return [shape];
  return parts.type === 'mesh' ? [triangleShape(parts, 0)] : [...parts.shapes];
}

function isCompound(shape: ShapeBase | undefined): boolean {
  return (shape as ShapeData | undefined)?.parts?.type === 'compound';
}
