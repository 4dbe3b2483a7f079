import { vec3 } from '../../../src/cpu/math.ts';

/** Both directions of the axes. */
export const AXES = [vec3(1), vec3(-1), vec3(0, 1), vec3(0, -1), vec3(0, 0, 1), vec3(0, 0, -1)] as const;
