// Records of shapes and bodies in 2-D. Every shape is a core with a disc of `radius` around each of its points.
// Corners are numbered counter-clockwise:
//
//     3-----2     y
//     |     |     |
//     0-----1     o-- x

// Kinds of cores. A polygon has an inside: points on a line are a segment, in one place a point.
const PLANAR_POINT: u32 = 0u;      // at (x, y) of the data: a circle's centre
const PLANAR_SEGMENT: u32 = 1u;    // from (x, y) to (z, w)
const PLANAR_RECTANGLE: u32 = 2u;  // all points with |.| <= (x, y)
const PLANAR_POLYGON: u32 = 3u;    // rows of `geometry`; (x, y) is a point inside

// Three rows of 16 bytes: of sharp rectangles and circles the first is all that is needed. The last one is for segments
// and polygons.
struct PlanarShape {
  // Sizes of the core, x and y, whose meaning depends on its kind.
  data: vec2f,
  // Greatest distance of the shape from its body's origin, rounding included.
  boundingRadius: f32,
  // The kind in the low eight bits, above them the number of corners, then the bit WIDE_ANGLES: no edge turns by nearly
  // half a turn from the edge before it, as at the tips of slivers. Rectangles have it.
  kindAndCount: u32,
  // z and w.
  more: vec2f,
  // Rounding radius.
  radius: f32,
  // Row of the first corner; after the corners come a polygon's support cells, then the points' numbers. Of a compound
  // or a chain, in kernels over pairs of parts, the number of its first part among all shapes.
  firstRow: u32,
  // Segments and polygons: from the body's origin to the point that the corners and the data are relative to
  // (src/shapes/core-middle.ts). Otherwise 0.
  middle: vec2f,
  // Greatest distance of the shape from there, rounding included.
  middleRadius: f32,
  // Not read.
  reserved: f32,
}

const WIDE_ANGLES: u32 = 1u << 24u;

struct PlanarPose {
  position: vec2f,
  // Radians, counter-clockwise.
  angle: f32,
  scale: f32,
}

// How a body moves: units per second, and radians per second about its origin.
struct PlanarVelocity {
  linear: vec2f,
  angular: f32,
  // Not read.
  reserved: f32,
}

// A shape's core in its body's frame, about the shape's middle, in the pair's unit of length.
struct PlanarCore {
  data: vec4f,
  // Factor from the rows of `geometry` to the pair's unit.
  scale: f32,
  kind: u32,
  firstRow: u32,
  vertexCount: u32,
  hasWideAngles: bool,
}

// For kernels alone.
// scripts/shaders/records.mjs looks for the line above: what follows it is not exported to callers.

// A shape in a kernel, with a field per number, so that a number that is known when the kernel is compiled can be put
// in as a constant.
struct SpecialisedShape {
  data: vec4f,
  radius: f32,
  boundingRadius: f32,
  kind: u32,
  cornerCount: u32,
  firstRow: u32,
  hasWideAngles: bool,
  middle: vec2f,
  middleRadius: f32,
}

// From the rows of a record.
fn shapeOfRows(row: vec4u, next: vec4u, last: vec4u) -> SpecialisedShape {
  let data = bitcast<vec4f>(vec4u(row.xy, next.xy));
  let hasWideAngles = (row.w & WIDE_ANGLES) != 0u;
  return SpecialisedShape(
    data, bitcast<f32>(next.z), bitcast<f32>(row.z), row.w & 0xffu, (row.w >> 8u) & 0xffffu, next.w, hasWideAngles,
    bitcast<vec2f>(last.xy), bitcast<f32>(last.z)
  );
}
