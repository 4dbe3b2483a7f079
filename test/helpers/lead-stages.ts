/** The lead stages of each query: the shaders have a kernel for each. */

import type { LeadStage } from '../../src/request/backend.ts';
import type { QueryName } from '../../src/api/queries.ts';

export function leadStages(query: QueryName): LeadStage[] {
  return query === 'distances' ? ['sat', 'newton', 'mpr', 'none'] : ['sat', 'mpr', 'none'];
}
