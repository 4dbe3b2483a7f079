/** `npm run test:bundlers`: needs the package registry, so neither `npm test` nor `npm run test:all` includes it. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 1_800_000,
    maxWorkers: 1,
  },
});
