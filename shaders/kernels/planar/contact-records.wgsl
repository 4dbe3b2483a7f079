// Records of 2-D contacts as rows of 16 bytes. Rows are integers, as those of 3-D are.
//
//   row  a contact
//   0    normal, distance, info
//   1    points on A and on B
//   2    lower, upper, features of A and of B

@group(0) @binding(6) var<storage, read_write> records: array<vec4u>;
