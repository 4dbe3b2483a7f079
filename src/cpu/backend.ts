import type { Backend } from '../backend.ts';
export function createCpuBackend(): Backend { throw new Error('soon'); }
