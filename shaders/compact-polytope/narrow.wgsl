// Sets of up to 64 faces and 32 vertices, in registers.

alias FaceSet = vec2u;

fn faceSet(f: u32) -> FaceSet {
  return select(vec2u(0u), vec2u(1u << (f & 31u)), vec2u(f >> 5u) == vec2u(0u, 1u));
}

fn hasFaces(faces: FaceSet) -> bool {
  return any(faces != vec2u(0u));
}

// The face of the lowest number in a set, and the set without it.
fn lowestFace(faces: FaceSet) -> u32 {
  return select(32u + firstTrailingBit(faces.y), firstTrailingBit(faces.x), faces.x != 0u);
}

fn withoutLowestFace(faces: FaceSet) -> FaceSet {
  return select(vec2u(0u, faces.y & (faces.y - 1u)), vec2u(faces.x & (faces.x - 1u), faces.y), faces.x != 0u);
}

alias VertexSet = u32;

fn vertexSet(v: u32) -> VertexSet {
  return 1u << v;
}

fn hasVertex(vertices: VertexSet, v: u32) -> bool {
  return ((vertices >> v) & 1u) == 1u;
}

fn countVertices(vertices: VertexSet) -> u32 {
  return countOneBits(vertices);
}

// The set must not be empty.
fn lowestVertex(vertices: VertexSet) -> u32 {
  return firstTrailingBit(vertices);
}

fn isSameSet(a: VertexSet, b: VertexSet) -> bool {
  return a == b;
}

// A number of a vertex for each vertex: a word for each bit of the number, with a bit per vertex.
struct Links {
  words: vec4u,
  last: u32,
}

const LINK_BITS: vec4u = vec4u(0u, 1u, 2u, 3u);

fn toggleLink(links: ptr<function, Links>, v: u32, bits: u32) {
  (*links).words ^= ((vec4u(bits) >> LINK_BITS) & vec4u(1u)) << vec4u(v);
  (*links).last ^= (bits >> 4u) << v;
}

fn linkOf(links: Links, v: u32) -> u32 {
  let bits = ((links.words >> vec4u(v)) & vec4u(1u)) << LINK_BITS;
  return bits.x | bits.y | bits.z | bits.w | (((links.last >> v) & 1u) << 4u);
}

// The vertices whose link is not zero.
fn linkedVertices(links: Links) -> VertexSet {
  return links.words.x | links.words.y | links.words.z | links.words.w | links.last;
}
