// Capacity of compact polytopes: a polytope of V vertices has at most 2 V - 4 faces.

const MAX_VERTICES: u32 = 12u;
const MAX_FACES: u32 = 20u;
