// Records of shapes and bodies. Every shape is a core with a ball of `radius` around each of its points.

// Kinds of cores. Up to CORE_HULL they are polytopes, up to CORE_ELLIPSOID bounded.
const CORE_POINT: u32 = 0u;      // the origin: a sphere's centre
const CORE_SEGMENT: u32 = 1u;    // (0, -halfExtents.y, 0) to (0, halfExtents.y, 0): a capsule's axis
const CORE_BOX: u32 = 2u;        // all |x| <= halfExtents
const CORE_TRIANGLE: u32 = 3u;   // a hull of at most three vertices
const CORE_HULL: u32 = 4u;       // rows of `geometry`; halfExtents: its centroid, and a triangle's
const CORE_CYLINDER: u32 = 5u;   // |y| <= halfExtents.y, x and z within the circle of radius halfExtents.x
const CORE_CONE: u32 = 6u;       // from that circle at -halfExtents.y to (0, halfExtents.y, 0)
const CORE_ELLIPSOID: u32 = 7u;  // half axes halfExtents, less the ball of radius `radius` (shared/curved.wgsl)
const CORE_HALFSPACE: u32 = 8u;  // dot(halfExtents, x) <= 0: the unit normal. `radius`: the offset, of either sign
const CORE_PARTS: u32 = 9u;      // a compound or a mesh: only kernels over pairs of parts take it, part by part

struct Shape {
  halfExtents: vec3f,
  // Rounding radius.
  radius: f32,
  // Greatest distance of the shape from its body's origin, rounding included; 0 for a half-space.
  boundingRadius: f32,
  kind: u32,
  // Rows of `geometry`: vertices, then edges, then faces, then their loops. Of a compound or a mesh, in kernels over
  // pairs of parts: its parts, counted by `vertexCount`. `faceCount` is then the number of the compound's first part
  // among all shapes, and 0 for a mesh.
  firstRow: u32,
  vertexCount: u32,
  edgeCount: u32,
  faceCount: u32,
  // First row of the support cells, which the Gauss map follows, and the number of cells per edge of the cube. Of a
  // compound or a mesh, the first row of its surface (part-pairs/surface/rows.wgsl), or 0.
  firstCellRow: u32,
  cellResolution: u32,
  // Hulls and triangles: from the body's origin to the point that `halfExtents` and the vertices are relative to
  // (src/shapes/core-middle.ts). Otherwise 0.
  middle: vec3f,
  // Greatest distance of the shape from there, rounding included; 0 for a half-space.
  middleRadius: f32,
}

struct Pose {
  position: vec3f,
  scale: f32,
  // x, y, z, w
  quaternion: vec4f,
}

// A body's motion in world axes, in units and radians per second. The body turns about its origin, around the axis
// along `angular`.
struct Velocity {
  linear: vec3f,
  angular: vec3f,
}

// A shape's core in its body's frame, about the shape's middle, in the pair's unit of length.
struct Core {
  halfExtents: vec3f,
  // Factor from the rows of `geometry` to the pair's unit.
  scale: f32,
  kind: u32,
  firstRow: u32,
  vertexCount: u32,
  firstCellRow: u32,
  cellResolution: u32,
}
