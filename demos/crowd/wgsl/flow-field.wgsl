// The way to each zone, from the flow field on the grid.

// Direction (x, y) and metres to go (z), interpolated between the centres of the four cells around a point. Cells in walls
// count only if none of the four is free.
fn wayTo(zone: u32, position: vec2f) -> vec4f {
  let place = (position - params.gridOrigin) / params.cell - 0.5;
  let corner = floor(place);
  let part = place - corner;
  var free = vec4f();
  var blocked = vec4f();
  for (var k = 0u; k < 4u; k++) {
    let offset = vec2f(f32(k & 1u), f32(k >> 1u));
    let cell = vec2u(clamp(corner + offset, vec2f(), vec2f(f32(params.gridWidth - 1u), f32(params.gridHeight - 1u))));
    let weights = select(1.0 - part, part, offset > vec2f(0.5));
    let weight = weights.x * weights.y;
    let value = field[(zone * params.gridHeight + cell.y) * params.gridWidth + cell.x];
    if (value.w > 0.0) {
      free += vec4f(weight * value.xyz, weight);
    } else {
      blocked += vec4f(weight * value.xyz, weight);
    }
  }
  let sum = select(blocked, free, free.w > 0.0);
  let size = length(sum.xy);
  return vec4f(select(vec2f(), sum.xy / size, size > 1e-6), sum.z / sum.w, 0.0);
}
