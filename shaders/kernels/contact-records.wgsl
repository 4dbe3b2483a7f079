// Records of contacts as rows of 16 bytes, which load and store fastest. A pair that waits for a later stage keeps its
// state in the same rows, so that it needs no other memory. Rows are integers: as f32, the vertex numbers of a simplex
// would be subnormal, and a GPU may flush those to zero.
//
//   row  a contact                   a pair that waits for EPA
//   0    normal, distance            normal, points in the simplex
//   1    pointA, info                vertices of the simplex: three of A's, info
//   2    pointB, lower               three of B's, lower
//   3    upper, features, 0          upper, A's and B's fourth, 0
//
// A pair that waits for contacts-arcs-points has the normal to try in row 0. The word with the number of points also
// says which face or arc has that normal, and the end of row 3 is a bound of heights. A pair that waits for
// contacts-outside has the vertices of its last face, and two of their weights in place of the fourth vertices.

import package::shared::results::{Contact};

@group(0) @binding(6) var<storage, read_write> records: array<vec4u>;

// The rows of a record. A kernel that stores either kind chooses the rows first: software adapters take long to compile
// each place that stores.
alias ContactRows = array<vec4u, 4>;

fn contactRows(contact: Contact) -> ContactRows {
  return ContactRows(
    bitcast<vec4u>(vec4f(contact.normal, contact.distance)),
    vec4u(bitcast<vec3u>(contact.pointA), contact.info),
    bitcast<vec4u>(vec4f(contact.pointB, contact.lower)),
    vec4u(bitcast<u32>(contact.upper), contact.featureA, contact.featureB, 0u),
  );
}

fn storeRows(index: u32, rows: ContactRows) {
  let row = 4u * index;
  records[row] = rows[0];
  records[row + 1u] = rows[1];
  records[row + 2u] = rows[2];
  records[row + 3u] = rows[3];
}

fn storeContact(index: u32, contact: Contact) {
  storeRows(index, contactRows(contact));
}

fn contactInfo(index: u32) -> u32 {
  return records[4u * index + 1u].w;
}

fn hasFeatures(index: u32) -> bool {
  return any(records[4u * index + 3u].yz != vec2u(0u));
}

fn contactNormal(index: u32) -> vec3f {
  return bitcast<vec3f>(records[4u * index].xyz);
}

fn storeFeatures(index: u32, features: vec2u) {
  let row = 4u * index + 3u;
  records[row].y = features.x;
  records[row].z = features.y;
}
