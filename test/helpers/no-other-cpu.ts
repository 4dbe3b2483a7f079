/** For testers on a CPU backend, which never open another one. */
export async function noOtherCpu(): Promise<never> {
  throw new Error('a tester on the CPU opened another CPU backend');
}
