/** The reference in 2-D: what `narrowphase/cpu` exports as `planar`. */
export * from './one-pair.ts';
export { trace } from './trace.ts';
