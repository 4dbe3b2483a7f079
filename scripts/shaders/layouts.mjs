/** layouts.ts: byte layouts of the records in buffers, reflected from the linked text. */

/** Records in storage buffers. Those in uniform buffers are found by their bindings. */
const RECORDS = [
  'Shape',
  'Pose',
  'Velocity',
  'Distance',
  'Contact',
  'Manifold',
  'Impact',
  'RayCast',
  'RayHit',
  'Counts',
  'Bound',
  'GridBody',
  'TreeNode',
  'PartNode',
  'Ray',
  'PlanarShape',
  'PlanarPose',
  'PlanarVelocity',
  'PlanarDistance',
  'PlanarContact',
  'PlanarManifold',
  'PlanarImpact',
  'PlanarRayCast',
  'PlanarRayHit',
];

/** @param {readonly import('wgsl_reflect/wgsl_reflect.module.js').WgslReflect[]} reflections of all kernels */
export function layoutsModule(reflections) {
  const structs = new Map(reflections.flatMap((kernel) => kernel.structs.map((struct) => [struct.name, struct])));
  const uniformRecords = new Set(reflections.flatMap((kernel) => kernel.uniforms.map(({ type }) => type.name)));
  const blocks = [...RECORDS, ...[...uniformRecords].sort()].map((record) => {
    const struct = structs.get(record);
    if (!struct) throw new Error(`no kernel has a struct ${record}`);
    const fields = struct.members.map(
      ({ name: field, offset, type }) =>
        `      ${field}: { offset: ${offset}, type: '${scalarOf(type)}', length: ${componentCount(type)} },`,
    );
    return `  ${record}: {\n    size: ${struct.size},\n    fields: {\n${fields.join('\n')}\n    },\n  },`;
  });
  return (
    `/** Byte layouts of the records in storage and uniform buffers: \`size\` is also the stride in arrays. ` +
    `*/\nexport const layouts = {\n${blocks.join('\n')}\n} as const;\n`
  );
}

function scalarOf({ name, format }) {
  const names = name + (format?.name ?? '');
  if (/u32|vec\du/.test(names)) return 'u32';
  return /i32|vec\di/.test(names) ? 'i32' : 'f32';
}

function componentCount({ name, count, format }) {
  if (name === 'array') return count * componentCount(format);
  const match = /^vec(\d)/.exec(name);
  return match ? Number(match[1]) : 1;
}
