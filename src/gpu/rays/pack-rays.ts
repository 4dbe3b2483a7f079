/** Records of rays, as a batch's kernels read them. */
import type { Rays } from '../../api/motion.ts';
import { ALL_GROUPS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { Dimension } from '../../request/dimension.ts';

/** Writes `RayCast` records, or `PlanarRayCast` records in 2-D, to `records`. */
export function packRays(
  { origins, directions, maxTimes, radii, groups }: Rays,
  { dimension, rayWords }: Pick<Dimension, 'dimension' | 'rayWords'>,
  records: Float32Array<ArrayBuffer>,
): void {
  const { fields } = dimension === 2 ? layouts.PlanarRayCast : layouts.RayCast;
  const word = (name: 'origin' | 'direction' | 'maxTime' | 'radius' | 'groups'): number => fields[name].offset / 4;
  const [origin, direction, maxTime, radius, group] = [
    word('origin'),
    word('direction'),
    word('maxTime'),
    word('radius'),
    word('groups'),
  ];
  const count = origins.length / dimension;
  const integers = new Uint32Array(records.buffer);
  for (let ray = 0; ray < count; ray++) {
    const at = rayWords * ray;
    for (let k = 0; k < dimension; k++) {
      records[at + origin + k] = origins[dimension * ray + k];
      records[at + direction + k] = directions[dimension * ray + k];
    }
    records[at + maxTime] = maxTimes ? maxTimes[ray] : Infinity;
    records[at + radius] = radii ? radii[ray] : 0;
    integers[at + group] = groups ? groups[ray] : ALL_GROUPS;
  }
}
