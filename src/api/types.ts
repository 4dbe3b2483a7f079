/** Public types and constants in one place, except errors, features, shapes and batches. */
export type * from './bodies.ts';
export type * from './capture.ts';
export type * from './dimensions.ts';
export type * from './fields.ts';
export * from './geometry.ts';
export type * from './motion.ts';
export type * from './options.ts';
export type * from './planar.ts';
export type * from './prepare.ts';
export * from './results.ts';
export type * from './tester-options.ts';
export type * from './planar-tester.ts';
export type * from './tester.ts';
export type * from './triangle-pairs.ts';
export type * from './vectors.ts';
