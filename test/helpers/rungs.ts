/** What can come before GJK, by query: the shaders have a kernel for each. */

import type { FirstRung } from '../../src/request/backend.ts';
import type { QueryName } from '../../src/api/queries.ts';

export function firstRungs(query: QueryName): FirstRung[] {
  return query === 'distances' ? ['sat', 'newton', 'mpr', 'none'] : ['sat', 'mpr', 'none'];
}
