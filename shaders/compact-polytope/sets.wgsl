// Sets of up to 128 faces and 64 vertices, in registers.

alias FaceSet = vec4u;

fn faceSet(f: u32) -> FaceSet {
  return select(vec4u(0u), vec4u(1u << (f & 31u)), vec4u(f >> 5u) == vec4u(0u, 1u, 2u, 3u));
}

fn hasFaces(faces: FaceSet) -> bool {
  return any(faces != vec4u(0u));
}

// The face of the lowest number in a set, and the set without it.
fn lowestFace(faces: FaceSet) -> u32 {
  var word = vec2u(faces.w, 96u);
  word = select(word, vec2u(faces.z, 64u), faces.z != 0u);
  word = select(word, vec2u(faces.y, 32u), faces.y != 0u);
  word = select(word, vec2u(faces.x, 0u), faces.x != 0u);
  return word.y + firstTrailingBit(word.x);
}

fn withoutLowestFace(faces: FaceSet) -> FaceSet {
  // A word is the first that is not zero if the words before it are.
  let before = vec4u(0u, faces.x, faces.x | faces.y, faces.x | faces.y | faces.z);
  return select(faces, faces & (faces - vec4u(1u)), (before == vec4u(0u)) & (faces != vec4u(0u)));
}

alias VertexSet = vec2u;

fn vertexSet(v: u32) -> VertexSet {
  return select(vec2u(0u), vec2u(1u << (v & 31u)), vec2u(v >> 5u) == vec2u(0u, 1u));
}

fn hasVertex(vertices: VertexSet, v: u32) -> bool {
  return ((select(vertices.x, vertices.y, v >= 32u) >> (v & 31u)) & 1u) == 1u;
}

fn countVertices(vertices: VertexSet) -> u32 {
  let counts = countOneBits(vertices);
  return counts.x + counts.y;
}

// The set must not be empty.
fn lowestVertex(vertices: VertexSet) -> u32 {
  return select(32u + firstTrailingBit(vertices.y), firstTrailingBit(vertices.x), vertices.x != 0u);
}

fn isSameSet(a: VertexSet, b: VertexSet) -> bool {
  return all(a == b);
}

// A number of a vertex for each vertex: a word for each bit of the number, with a bit per vertex.
struct Links {
  // Four bits of the links of vertices 0 to 31, then of vertices 32 to 63.
  low: vec4u,
  high: vec4u,
  // The other two bits, of the former and of the latter.
  last: vec4u,
}

const LINK_BITS: vec4u = vec4u(0u, 1u, 2u, 3u);

fn toggleLink(links: ptr<function, Links>, v: u32, bits: u32) {
  let isHigh = v >= 32u;
  let words = ((vec4u(bits) >> LINK_BITS) & vec4u(1u)) << vec4u(v & 31u);
  (*links).low ^= select(words, vec4u(0u), isHigh);
  (*links).high ^= select(vec4u(0u), words, isHigh);
  let last = ((vec2u(bits) >> vec2u(4u, 5u)) & vec2u(1u)) << vec2u(v & 31u);
  (*links).last ^= select(vec4u(last, 0u, 0u), vec4u(0u, 0u, last), isHigh);
}

fn linkOf(links: Links, v: u32) -> u32 {
  let isHigh = v >= 32u;
  let words = select(links.low, links.high, isHigh);
  let bits = ((words >> vec4u(v & 31u)) & vec4u(1u)) << LINK_BITS;
  let last = ((select(links.last.xy, links.last.zw, isHigh) >> vec2u(v & 31u)) & vec2u(1u)) << vec2u(4u, 5u);
  return bits.x | bits.y | bits.z | bits.w | last.x | last.y;
}

// The vertices whose link is not zero.
fn linkedVertices(links: Links) -> VertexSet {
  let low = links.low.xy | links.low.zw | links.last.xy;
  let high = links.high.xy | links.high.zw | links.last.zw;
  return vec2u(low.x | low.y, high.x | high.y);
}
