/** The oracle: brute-force truth about pairs of convex shapes. It shares nothing with the code that it judges. */

export { exactHull, type Facet, type Polytope } from './exact-hull.ts';
export { judgeContact, oracleError, type JudgeOptions, type ReportedContact } from '../judges/oracle-judge.ts';
export {
  oraclePolytope,
  oracleShape,
  pairSize,
  separation,
  supportValue,
  type OraclePolytope,
  type OraclePose,
  type OracleShape,
} from './shape.ts';
export type { OracleOptions, OracleResult } from './result.ts';
export { signedDistance } from './signed-distance.ts';
