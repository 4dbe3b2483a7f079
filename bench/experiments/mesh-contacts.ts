/**
 * Contacts with meshes and compounds, judged: how many cases of each family have which faults. `node scripts/run-ts.mjs
 * bench/experiments/mesh-contacts.ts [CASES] [SEED] [FAMILY]` prints a table.
 */
import { createTester } from '../../src/index.ts';
import { makeSurfaceFamily, surfaceFamilyNames } from '../../verification/families/surface-families.ts';
import { SURFACE_FAULTS, type SurfaceFault } from '../../verification/judges/surface-contacts.ts';
import { judgeFamily } from '../../verification/engines/surface-engine.ts';

const [count = '70', seed = '1', only = ''] = process.argv.slice(2);
const kinds = Object.keys(SURFACE_FAULTS) as SurfaceFault[];
const tester = await createTester({ backend: 'cpu', threads: 1 });
console.log(`| family | cases | slots | ${kinds.join(' | ')} |`);
console.log(`| --- | ---: | ---: |${kinds.map(() => ' ---: |').join('')}`);
const sums = new Map<SurfaceFault, number>();
let cases = 0;
for (const name of surfaceFamilyNames.filter((family) => family.includes(only))) {
  const found = await judgeFamily(tester, makeSurfaceFamily(name, Number(count), Number(seed)));
  cases += found.cases;
  for (const kind of kinds) sums.set(kind, (sums.get(kind) ?? 0) + found.faults[kind].length);
  console.log(
    `| ${name} | ${found.cases} | ${found.slots} | ${kinds.map((kind) => found.faults[kind].length).join(' | ')} |`,
  );
}
console.log(`| all | ${cases} | | ${kinds.map((kind) => sums.get(kind)).join(' | ')} |`);
tester.dispose();
