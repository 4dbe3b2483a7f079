// Chooses up to four of at most eight corners and the contact's own point: see corners/choose.wgsl for the rules, which
// are the same. All diagonals from a corner are tried side by side, and no order around the region is needed.

import package::shared::constants::{MANIFOLD_FAR_TIE, MANIFOLD_LEAST_SHARE, MANIFOLD_SAME_ULPS};
import package::shared::math::{EPSILON};
import package::box-manifold::clip::{BoxCorners};
import package::corners::eight::{
  EightKeys, EightNumbers, HIGH_SLOTS, LOW_SLOTS, NO_KEY, greatestOf, keyFrom, leastKey, leastOf, numberIn
};
import package::box-manifold::faces::{BoxFaces, squaresOf};
import package::box-manifold::keys::{KEY_RANK_SHIFT, WITNESS_SLOT};

// Where a choice starts.
struct DeepCorners {
  // The key of a deepest corner, or that of the contact's own point if this is deeper than all corners.
  deepest: u32,
  // Bit i is set if the corner in slot i is as good as the deepest corner.
  slots: u32,
  // The number of all corners.
  count: u32,
  // The place of the contact's own point.
  witness: vec2f,
}

// Corners by their places relative to one of them. Slots without a corner are at the origin.
struct RelativeCorners {
  // In shares of the region.
  origin: vec2f,
  s: EightNumbers,
  t: EightNumbers,
}

// The chosen corners' keys by rank.
struct ChosenKeys {
  count: u32,
  keys: vec4u,
  // Whether two have the same name.
  areAlike: bool,
}

// Leaves the places in `around` relative to any of the corners.
fn chooseBoxCorners(
  faces: BoxFaces, corners: BoxCorners, deep: DeepCorners, around: ptr<function, RelativeCorners>
) -> ChosenKeys {
  let same = MANIFOLD_SAME_ULPS * EPSILON;
  var start = deep.witness;
  if (!isWitness(deep.deepest)) {
    start = vec2f(numberIn(corners.s, deep.deepest), numberIn(corners.t, deep.deepest));
  }
  *around = relativeTo(corners, start);
  let reach = greatestOf(squaresAround(faces.metric, *around, vec2f(0.0)));
  var chosen = vec4u(deep.deepest, NO_KEY, NO_KEY, NO_KEY);
  if (reach > same * same) {
    let diagonal = widestDiagonal(corners.keys, deep, around);
    let base = placeAround(*around, diagonal.end);
    let beside = EightNumbers(
      base.x * (*around).t.low - base.y * (*around).s.low, base.x * (*around).t.high - base.y * (*around).s.high
    );
    if (max(greatestOf(beside), -leastOf(beside)) * faces.area > same * sqrt(reach)) {
      chosen = vec4u(diagonal.start, diagonal.end, cornersBeside(corners.keys, beside, diagonal.least));
    } else {
      chosen = endsOfLine(faces.metric, corners.keys, deep, *around);
    }
  }
  return byRank(chosen);
}

fn isWitness(key: u32) -> bool {
  return (key & WITNESS_SLOT) != 0u;
}

fn relativeTo(corners: BoxCorners, origin: vec2f) -> RelativeCorners {
  let isLow = corners.keys.low != vec4u(NO_KEY);
  let isHigh = corners.keys.high != vec4u(NO_KEY);
  let none = vec4f(0.0);
  return RelativeCorners(
    origin,
    EightNumbers(select(none, corners.s.low - origin.x, isLow), select(none, corners.s.high - origin.x, isHigh)),
    EightNumbers(select(none, corners.t.low - origin.y, isLow), select(none, corners.t.high - origin.y, isHigh))
  );
}

fn placeAround(around: RelativeCorners, key: u32) -> vec2f {
  return vec2f(numberIn(around.s, key), numberIn(around.t, key));
}

// Squared distances of all corners from a place around the same origin.
fn squaresAround(metric: vec3f, around: RelativeCorners, place: vec2f) -> EightNumbers {
  return EightNumbers(
    squaresOf(metric, around.s.low - place.x, around.t.low - place.y),
    squaresOf(metric, around.s.high - place.x, around.t.high - place.y)
  );
}

// Keys of a diagonal's ends, and the area that is enough for it, as splitAreas has it.
struct BoxDiagonal {
  start: u32,
  end: u32,
  least: f32,
}

// Of all diagonals from a deep corner that split nearly the widest area, the one whose ends come first. Moves the
// origin to its start.
fn widestDiagonal(keys: EightKeys, deep: DeepCorners, around: ptr<function, RelativeCorners>) -> BoxDiagonal {
  var start = deep.deepest;
  var slot = deep.deepest & 7u;
  var areas: EightNumbers;
  var most = 0.0;
  // The widest area from each deep corner.
  var best = EightNumbers(vec4f(0.0), vec4f(0.0));
  var left = deep.slots & ~(1u << slot);
  var isLast = left == 0u;
  // One step per deep corner, and one more for the areas from the start.
  for (var step = 0u; step < 9u; step++) {
    areas = splitAreas((*around).s, (*around).t);
    let area = greatestOf(areas);
    most = max(most, area);
    // All of up to four corners are chosen, unless three of them are enough.
    if (isLast || deep.count <= 3u ||
        (step == 0u && deep.count == 4u && !isTriangleEnough((*around).s, (*around).t, areas, area))) {
      break;
    }
    best.low = select(best.low, vec4f(area), vec4u(slot) == LOW_SLOTS);
    best.high = select(best.high, vec4f(area), vec4u(slot) == HIGH_SLOTS);
    if (left == 0u) {
      isLast = true;
      start = keyFrom(keys, best, MANIFOLD_LEAST_SHARE * most);
      if ((start & 7u) == slot) {
        break;
      }
      slot = start & 7u;
    } else {
      slot = firstTrailingBit(left);
      left &= left - 1u;
    }
    let by = placeAround(*around, slot);
    *around = RelativeCorners(
      (*around).origin + by,
      EightNumbers((*around).s.low - by.x, (*around).s.high - by.x),
      EightNumbers((*around).t.low - by.y, (*around).t.high - by.y)
    );
  }
  let least = min(MANIFOLD_LEAST_SHARE * most, greatestOf(areas));
  return BoxDiagonal(start, keyFrom(keys, areas, least), least);
}

// Twice the areas that the diagonals from the origin to all corners split: the widest triangles on both sides. By steps
// of one to four around the slots, as the area of two corners is that of the same in the other order with another sign.
fn splitAreas(s: EightNumbers, t: EightNumbers) -> EightNumbers {
  var most = EightNumbers(vec4f(0.0), vec4f(0.0));
  var least = most;
  var u = s;
  var v = t;
  for (var step = 1u; step <= 4u; step++) {
    u = EightNumbers(vec4f(u.low.yzw, u.high.x), vec4f(u.high.yzw, u.low.x));
    v = EightNumbers(vec4f(v.low.yzw, v.high.x), vec4f(v.high.yzw, v.low.x));
    let low = s.low * v.low - t.low * u.low;
    let high = s.high * v.high - t.high * u.high;
    most = EightNumbers(max(most.low, low), max(most.high, high));
    least = EightNumbers(min(least.low, low), min(least.high, high));
    // As many steps back.
    var back = EightNumbers(high, low);
    if (step == 1u) {
      back = EightNumbers(vec4f(high.w, low.xyz), vec4f(low.w, high.xyz));
    } else if (step == 2u) {
      back = EightNumbers(vec4f(high.zw, low.xy), vec4f(low.zw, high.xy));
    } else if (step == 3u) {
      back = EightNumbers(vec4f(high.yzw, low.x), vec4f(low.yzw, high.x));
    }
    most = EightNumbers(max(most.low, -back.low), max(most.high, -back.high));
    least = EightNumbers(min(least.low, -back.low), min(least.high, -back.high));
  }
  return EightNumbers(most.low - least.low, most.high - least.high);
}

// Whether three of four corners span about as much area as all four, if one of them is the origin. `whole`, the
// greatest of the areas that diagonals from there split, is the area of all four, and the origin's neighbours are those
// that are not the end of that diagonal. A diagonal to a neighbour splits the larger one of the two triangles that have
// it as a side. The fourth triangle is all but that of the origin and both neighbours.
fn isTriangleEnough(s: EightNumbers, t: EightNumbers, areas: EightNumbers, whole: f32) -> bool {
  let isLow = areas.low == vec4f(whole);
  let isHigh = areas.high == vec4f(whole);
  let none = vec4f(0.0);
  let sum = vec2f(
    dot(select(s.low, none, isLow) + select(s.high, none, isHigh), vec4f(1.0)),
    dot(select(t.low, none, isLow) + select(t.high, none, isHigh), vec4f(1.0))
  );
  // The sum of both neighbours' places spans the same area with either as they do with each other.
  let between = EightNumbers(
    select(abs(sum.x * t.low - sum.y * s.low), none, isLow), select(abs(sum.x * t.high - sum.y * s.high), none, isHigh)
  );
  let beside = EightNumbers(select(areas.low, none, isLow), select(areas.high, none, isHigh));
  return max(greatestOf(beside), whole - greatestOf(between)) >= MANIFOLD_LEAST_SHARE * whole;
}

// The keys of the corners on the left and on the right of the diagonal, given twice the areas of their triangles over
// it, positive on the left. There is none where the other side is enough.
fn cornersBeside(keys: EightKeys, areas: EightNumbers, least: f32) -> vec2u {
  var beside = areas;
  var rest = -leastOf(beside);
  // The same area may be less than before by rounding.
  let enough = min(least, greatestOf(beside) + rest);
  var found = vec2u(NO_KEY);
  for (var side = 0u; side < 2u; side++) {
    var key = NO_KEY;
    if (rest < enough) {
      key = keyFrom(keys, EightNumbers(vec4f(rest) + beside.low, vec4f(rest) + beside.high), enough);
    }
    rest = select(0.0, numberIn(beside, key), key != NO_KEY);
    found = vec2u(found.y, key);
    beside = EightNumbers(-beside.low, -beside.high);
  }
  return found;
}

// Keys of the ends of a line and, first, of the deepest corner if both are less deep: then without ends that are there.
fn endsOfLine(metric: vec3f, keys: EightKeys, deep: DeepCorners, around: RelativeCorners) -> vec4u {
  // The contact's own point may be an end, too.
  let hasWitness = isWitness(deep.deepest);
  let ofWitness = select(NO_KEY, deep.deepest, hasWitness);
  let witness = deep.witness - around.origin;
  // From the corner that comes first: in a region hardly larger than a point, any corner may be an end.
  var ends = vec2u(min(leastKey(keys), ofWitness));
  for (var side = 0u; side < 2u; side++) {
    let at = select(placeAround(around, ends.y), witness, ends.y == ofWitness);
    let far = squaresAround(metric, around, at);
    let farOfWitness = select(0.0, squaresOf(metric, vec4f(witness.x - at.x), vec4f(witness.y - at.y)).x, hasWitness);
    let least = max(greatestOf(far), farOfWitness) / MANIFOLD_FAR_TIE;
    ends = vec2u(ends.y, min(keyFrom(keys, far, least), select(NO_KEY, ofWitness, farOfWitness >= least)));
  }
  let isDeep = select(
    ((vec2u(deep.slots) >> (ends & vec2u(7u))) & vec2u(1u)) == vec2u(1u), ends == vec2u(ofWitness),
    vec2<bool>(hasWitness)
  );
  if (any(isDeep)) {
    return vec4u(ends, NO_KEY, NO_KEY);
  }
  let same = MANIFOLD_SAME_ULPS * EPSILON;
  let at = select(placeAround(around, deep.deepest), witness, hasWitness);
  let far = squaresAround(metric, around, at);
  let isApart = vec2f(numberIn(far, ends.x), numberIn(far, ends.y)) > vec2f(same * same);
  return vec4u(deep.deepest, select(vec2u(NO_KEY), ends, isApart), NO_KEY);
}

fn byRank(keys: vec4u) -> ChosenKeys {
  let least = min(keys.xz, keys.yw);
  let most = max(keys.xz, keys.yw);
  let between = vec2u(max(least.x, least.y), min(most.x, most.y));
  let sorted = vec4u(
    min(least.x, least.y), min(between.x, between.y), max(between.x, between.y), max(most.x, most.y)
  );
  let isThere = sorted != vec4u(NO_KEY);
  let ranks = sorted >> vec4u(KEY_RANK_SHIFT);
  return ChosenKeys(
    dot(select(vec4u(0u), vec4u(1u), isThere), vec4u(1u)), sorted, any(isThere.yzw & (ranks.xyz == ranks.yzw))
  );
}
