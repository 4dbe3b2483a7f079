// Keys of corners. A key is what corners.wgsl keeps of a corner and how that compares it with others, in one number:
//
//      bit  22   16   10    4    0
//        kind hash   id name slot        kind and hash are the rank of the name
//
// So the corner that comes first among some is that of the least key, and the key says what it is called and where it
// is. Id and name are codes: ids of manifold/ids.wgsl in six bits, which faces of four edges leave room for.
//
//      code   5 4: kind      3 2: edge of the region, of crossings      1 0: vertex, or edge of the subject
//
// A rank has only six bits of the hash that corners.wgsl compares. Those of all codes of a kind differ
// (test/unit/box-keys.test.ts), so the order is the same.

import package::manifold::ids::{
  MANIFOLD_CROSSING, MANIFOLD_EDGE_BITS, MANIFOLD_RANK_FACTOR, MANIFOLD_VERTEX, MANIFOLD_VERTEX_OF_B,
  MANIFOLD_WITNESS, edgeKey
};

// Kinds of codes; 0 is a vertex of A's.
const CODE_OF_B: u32 = 16u;
const CODE_CROSSING: u32 = 32u;
const CODE_WITNESS: u32 = 48u;
// Greater than all codes.
const NO_CODE: u32 = 64u;

const KEY_NAME_SHIFT: u32 = 4u;
const KEY_ID_SHIFT: u32 = 10u;
const KEY_RANK_SHIFT: u32 = 16u;
const CODE_MASK: u32 = 63u;
// Instead of a slot: the contact's own point.
const WITNESS_SLOT: u32 = 8u;

// The keys of corners with these names and ids, without their slots.
fn keysOf(names: vec4u, ids: vec4u) -> vec4u {
  let fullNames = ((names & vec4u(48u)) << vec4u(26u)) | ((names & vec4u(12u)) << vec4u(MANIFOLD_EDGE_BITS - 2u)) |
      (names & vec4u(3u));
  let hashes = (fullNames * MANIFOLD_RANK_FACTOR) >> vec4u(26u);
  let ranks = ((names & vec4u(48u)) << vec4u(2u)) | hashes;
  return (ranks << vec4u(KEY_RANK_SHIFT)) | (ids << vec4u(KEY_ID_SHIFT)) | (names << vec4u(KEY_NAME_SHIFT));
}

fn nameOf(key: u32) -> u32 {
  return (key >> KEY_NAME_SHIFT) & CODE_MASK;
}

fn idOf(key: u32) -> u32 {
  return (key >> KEY_ID_SHIFT) & CODE_MASK;
}

// The feature of a code: see pointFeature in manifold/features.wgsl. The vertices of both faces are four bits each;
// `isB` is whether the subject is B's face.
fn featureOf(code: u32, verticesA: u32, verticesB: u32, isB: bool) -> u32 {
  let ofSubject = code & 3u;
  let ofRegion = (code >> 2u) & 3u;
  let edgeA = edgeKey(endsOf(verticesA, select(ofSubject, ofRegion, isB)));
  let edgeB = edgeKey(endsOf(verticesB, select(ofRegion, ofSubject, isB)));
  let vertexA = MANIFOLD_VERTEX | vertexOf(verticesA, code);
  let vertexB = MANIFOLD_VERTEX | MANIFOLD_VERTEX_OF_B | vertexOf(verticesB, code);
  let vertex = select(vertexA, vertexB, code >= CODE_OF_B);
  let crossing = MANIFOLD_CROSSING | edgeA | (edgeB << MANIFOLD_EDGE_BITS);
  return select(select(vertex, crossing, code >= CODE_CROSSING), MANIFOLD_WITNESS, code >= CODE_WITNESS);
}

fn endsOf(vertices: u32, edge: u32) -> vec2u {
  return vec2u(vertexOf(vertices, edge), vertexOf(vertices, edge + 1u));
}

// The number of vertex 0 to 4 in the box; 4 is 0 again.
fn vertexOf(vertices: u32, i: u32) -> u32 {
  return (vertices >> (4u * (i & 3u))) & 7u;
}
