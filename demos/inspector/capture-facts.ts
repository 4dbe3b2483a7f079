/** What the capture says about itself. */

import type { Capture } from 'narrowphase/cpu';

export function captureFacts({
  query,
  algorithm,
  dimension,
  shapes,
  options,
  backend,
  adapter,
}: Capture): [string, string][] {
  const ran = adapter.description || adapter.vendor || backend;
  const given = Object.entries(options).map(([name, value]) => `${name} ${String(value)}`);
  return [
    ['Query', `${query}, ${dimension}-D`],
    ['Algorithm', algorithm],
    ...(given.length > 0 ? [['Options', given.join(', ')] as [string, string]] : []),
    ['A', shapes[0].type],
    ['B', shapes[1].type],
    ['Captured on', ran],
  ];
}
