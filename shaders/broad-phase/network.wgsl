// Sorting networks of 16 and 32 numbers in registers: bitonic merges (Batcher, "Sorting networks and their
// applications", 1968) of rows of four. A row ascends from x to w, and rows ascend from a to d.

struct Sixteen {
  a: vec4u,
  b: vec4u,
  c: vec4u,
  d: vec4u,
}

struct ThirtyTwo {
  low: Sixteen,
  high: Sixteen,
}

struct Eight {
  a: vec4u,
  b: vec4u,
}

fn sorted16(rows: Sixteen) -> Sixteen {
  // Four columns, by the network of five exchanges.
  let ab = Eight(min(rows.a, rows.b), max(rows.a, rows.b));
  let cd = Eight(min(rows.c, rows.d), max(rows.c, rows.d));
  let lower = max(ab.a, cd.a);
  let upper = min(ab.b, cd.b);
  let p = min(ab.a, cd.a);
  let q = min(lower, upper);
  let r = max(lower, upper);
  let s = max(ab.b, cd.b);
  // Columns become rows, which are merged.
  let first = merged8(vec4u(p.x, q.x, r.x, s.x), vec4u(p.y, q.y, r.y, s.y));
  let second = merged8(vec4u(p.z, q.z, r.z, s.z), vec4u(p.w, q.w, r.w, s.w));
  let back = Eight(second.b.wzyx, second.a.wzyx);
  let low = ordered8(Eight(min(first.a, back.a), min(first.b, back.b)));
  let high = ordered8(Eight(max(first.a, back.a), max(first.b, back.b)));
  return Sixteen(low.a, low.b, high.a, high.b);
}

fn lesser16(a: Sixteen, b: Sixteen) -> Sixteen {
  return Sixteen(min(a.a, b.a), min(a.b, b.b), min(a.c, b.c), min(a.d, b.d));
}

fn greater16(a: Sixteen, b: Sixteen) -> Sixteen {
  return Sixteen(max(a.a, b.a), max(a.b, b.b), max(a.c, b.c), max(a.d, b.d));
}

fn reversed16(rows: Sixteen) -> Sixteen {
  return Sixteen(rows.d.wzyx, rows.c.wzyx, rows.b.wzyx, rows.a.wzyx);
}

// Of two sequences that ascend, as the next.
fn merged8(a: vec4u, b: vec4u) -> Eight {
  return Eight(ordered4(min(a, b.wzyx)), ordered4(max(a, b.wzyx)));
}

fn merged16(a: Sixteen, b: Sixteen) -> ThirtyTwo {
  let back = reversed16(b);
  return ThirtyTwo(ordered16(lesser16(a, back)), ordered16(greater16(a, back)));
}

// Of a bitonic sequence, as the following.
fn ordered16(rows: Sixteen) -> Sixteen {
  let low = ordered8(Eight(min(rows.a, rows.c), min(rows.b, rows.d)));
  let high = ordered8(Eight(max(rows.a, rows.c), max(rows.b, rows.d)));
  return Sixteen(low.a, low.b, high.a, high.b);
}

fn ordered8(rows: Eight) -> Eight {
  return Eight(ordered4(min(rows.a, rows.b)), ordered4(max(rows.a, rows.b)));
}

fn ordered4(row: vec4u) -> vec4u {
  let halves = vec4u(min(row.xy, row.zw), max(row.xy, row.zw));
  let low = min(halves.xz, halves.yw);
  let high = max(halves.xz, halves.yw);
  return vec4u(low.x, high.x, low.y, high.y);
}
