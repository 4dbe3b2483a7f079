// Draws people and leaves of doors from the buffers of the simulation. PlanarPose and Person are declared before this text.

struct View {
  center: vec2f,
  // From metres to clip space.
  scale: vec2f,
  // Metres per pixel.
  pixel: f32,
  people: u32,
  circleRadius: f32,
  capsuleRadius: f32,
  capsuleHalfHeight: f32,
  leafHalfLength: f32,
  leafHalfThickness: f32,
  // Metres per second.
  walkingSpeed: f32,
  door: vec4f,
  // Colour mixed into that of people who stand still, by its alpha.
  still: vec4f,
  heading: vec4f,
  zones: array<vec4f, 4>,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> poses: array<PlanarPose>;
@group(0) @binding(2) var<storage, read> persons: array<Person>;

struct Corner {
  @builtin(position) position: vec4f,
  // In the body's frame, in metres.
  @location(0) local: vec2f,
  @location(1) @interpolate(flat) halfHeight: f32,
  @location(2) @interpolate(flat) radius: f32,
  @location(3) @interpolate(flat) color: vec3f,
  @location(4) @interpolate(flat) heading: vec2f,
}

fn rotated(v: vec2f, angle: f32) -> vec2f {
  let c = cos(angle);
  let s = sin(angle);
  return vec2f(c * v.x - s * v.y, s * v.x + c * v.y);
}

fn corner(vertex: u32, pose: PlanarPose, halfExtents: vec2f) -> Corner {
  let sides = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
  var out: Corner;
  out.local = sides * (halfExtents + view.pixel);
  out.position = vec4f((pose.position + rotated(out.local, pose.angle) - view.center) * view.scale, 0.0, 1.0);
  return out;
}

@vertex
fn person(@builtin(vertex_index) vertex: u32, @builtin(instance_index) i: u32) -> Corner {
  let body = persons[i];
  let pose = poses[i];
  let isCapsule = body.isCapsule != 0u;
  let halfHeight = select(0.0, view.capsuleHalfHeight, isCapsule);
  let radius = select(view.circleRadius, view.capsuleRadius, isCapsule);
  var out = corner(vertex, pose, vec2f(radius, radius + halfHeight));
  out.halfHeight = halfHeight;
  out.radius = radius;
  let speed = length(body.velocity);
  let ease = clamp(speed / view.walkingSpeed, 0.0, 1.0);
  let color = view.zones[min(body.destination, 3u)].rgb;
  out.color = mix(mix(color, view.still.rgb, view.still.a), color, ease);
  out.heading = select(vec2f(), rotated(body.velocity / max(speed, 1e-6), -pose.angle), speed > 0.15);
  return out;
}

@fragment
fn paintPerson(in: Corner) -> @location(0) vec4f {
  let core = vec2f(0.0, clamp(in.local.y, -in.halfHeight, in.halfHeight));
  let gap = length(in.local - core) - in.radius;
  let inside = clamp(0.5 - gap / view.pixel, 0.0, 1.0);
  // When the view is close, a lighter spot shows where a person is heading.
  let spot = in.heading * (in.halfHeight + 0.5 * in.radius);
  let isNear = clamp((in.radius / view.pixel - 4.0) / 4.0, 0.0, 1.0);
  let onSpot = isNear * clamp(0.5 - (length(in.local - spot) - 0.3 * in.radius) / view.pixel, 0.0, 1.0);
  let color = mix(in.color, view.heading.rgb, view.heading.a * onSpot * dot(in.heading, in.heading));
  return vec4f(color * inside, inside);
}

@vertex
fn leaf(@builtin(vertex_index) vertex: u32, @builtin(instance_index) i: u32) -> Corner {
  return corner(vertex, poses[view.people + i], vec2f(view.leafHalfLength, view.leafHalfThickness));
}

@fragment
fn paintLeaf(in: Corner) -> @location(0) vec4f {
  let gaps = abs(in.local) - vec2f(view.leafHalfLength, view.leafHalfThickness);
  let inside = clamp(0.5 - max(gaps.x, gaps.y) / view.pixel, 0.0, 1.0);
  return vec4f(view.door.rgb * inside, inside);
}
