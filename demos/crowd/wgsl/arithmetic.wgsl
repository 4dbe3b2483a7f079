// Arithmetic that several kernels use.

fn shortened(v: vec2f, greatest: f32) -> vec2f {
  let size = length(v);
  return select(v, v * (greatest / size), size > greatest);
}

fn wrapped(angle: f32) -> f32 {
  return angle - 6.2831855 * round(angle / 6.2831855);
}
