/**
 * The WGSL of a step. Its kernels and the package's queries take turns:
 *
 * | query        | kernel    | what happens                                                                 | file            |
 * | ------------ | --------- | ---------------------------------------------------------------------------- | --------------- |
 * |              | `begin`   | leaves of doors get a displacement, people none                              | motion.wgsl     |
 * | `impacts`    | `advance` | each leaf moves until it would touch somebody                                | motion.wgsl     |
 * | `contacts`   | `near`    | signed distances become accelerations and pushes                             | neighbours.wgsl |
 * |              | `steer`   | people get a displacement from the flow field, the accelerations, the pushes | steering.wgsl   |
 * | `impacts`    | `advance` | each person moves until the first wall, then (a second time) slides along it | motion.wgsl     |
 * |              | `settle`  | velocities, arrivals, and which places of entry are taken                    | arrivals.wgsl   |
 * |              | `enter`   | people from outside enter where there is room                                | arrivals.wgsl   |
 * | `intersects` | `tally`   | counts people in walls                                                       | counters.wgsl   |
 */

import { planarResultsWgsl, planarShapesWgsl, resultsWgsl } from 'narrowphase/wgsl';
import { rulesWgsl } from './rules.ts';
import arithmetic from './wgsl/arithmetic.wgsl?raw';
import arrivals from './wgsl/arrivals.wgsl?raw';
import bindings from './wgsl/bindings.wgsl?raw';
import counters from './wgsl/counters.wgsl?raw';
import flowField from './wgsl/flow-field.wgsl?raw';
import motion from './wgsl/motion.wgsl?raw';
import neighbours from './wgsl/neighbours.wgsl?raw';
import person from './wgsl/person.wgsl?raw';
import steering from './wgsl/steering.wgsl?raw';

export const stepWgsl = [
  resultsWgsl,
  planarResultsWgsl,
  planarShapesWgsl,
  rulesWgsl,
  person,
  bindings,
  arithmetic,
  flowField,
  motion,
  neighbours,
  steering,
  arrivals,
  counters,
].join('\n');
