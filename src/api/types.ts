/** The public words in one place, errors and batches apart. */
export type * from './bodies.ts';
export type * from './dimensions.ts';
export type * from './geometry.ts';
export type * from './motion.ts';
export type * from './options.ts';
export type * from './planar.ts';
export type * from './prepare.ts';
export * from './results.ts';
export type * from './tester.ts';
export type * from './vectors.ts';
