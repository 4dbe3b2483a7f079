/** The environment variable with the folder that the test files of a run share. global.ts makes and removes the folder. */
export const RUN_FOLDER = 'NARROWPHASE_TEST_RUN';
