// Where two vertices are equally high over an arc.

// How far a point is beyond a plane: normal, offset.
fn heightOver(plane: vec4f, point: vec3f) -> f32 {
  return dot(plane.xyz, point) - plane.w;
}

struct Crossing {
  // The place, from 0 at the arc's start to 1 at its end.
  t: f32,
  // The height there, along the vector of the chord and along the unit vector.
  onChord: f32,
  height: f32,
  // Whether it is above the limit.
  isHigher: bool,
}

// The planes at the arc's ends; a vertex that is at most as high as the limit at the start, and one at the end. Only
// where both are higher can the least height be. If their heights do not cross, one of them is no higher than the limit
// from where the other one was found.
fn crossingOf(plane: vec4f, end: vec4f, left: vec3f, right: vec3f, limit: f32) -> Crossing {
  let atStart = heightOver(plane, left);
  let atEnd = heightOver(end, left);
  let rise = heightOver(plane, right) - atStart;
  let fall = atEnd - heightOver(end, right);
  let t = rise / max(rise + fall, 1e-30);
  let along = mix(plane.xyz, end.xyz, t);
  let onChord = mix(atStart, atEnd, t);
  let height = onChord * inverseSqrt(dot(along, along));
  return Crossing(t, onChord, height, rise > 0.0 && fall > 0.0 && height > limit);
}
