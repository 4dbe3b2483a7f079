// Whether two shapes are at most the margin apart. Each kernel is one stage. Pairs that a stage does not decide are
// appended to the list of intersects-gjk.

@kernel(intersects-closed) // pairs with a closed form, and boxes by SAT
@kernel(intersects-gjk)    // any pair
@kernel(intersects-mpr)    // all bounded shapes, by MPR

@if(intersects-closed || intersects-mpr) import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{STATUS_INVALID_INPUT};
@if(intersects-closed || intersects-mpr) import package::shared::results::{INFO_PENDING_GJK};
@if(intersects-closed) import package::queries::intersects::closed::{intersectsByClosedForm};
@if(intersects-gjk) import package::queries::intersects::gjk::{intersectsSearch, intersectsByGjk};
@if(intersects-gjk) import package::kernels::warm-start::{loadGuess, storeGuess};
@if(intersects-mpr) import package::queries::intersects::mpr::{intersectsByMpr};
@if(intersects-closed || intersects-mpr) import package::kernels::append::{appendTogether, NO_LIST};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> records: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  var info = STATUS_INVALID_INPUT;
  if (index != NO_PAIR) {
    let loaded = loadPair(index);
    if (loaded.isValid) {
      @if(intersects-gjk) let search = intersectsSearch(
        loaded.pair, parameters.margin, loadGuess(index, loaded.pair)
      );
      @if(intersects-gjk) storeGuess(index, loaded.pair, search.simplex);
      @if(intersects-gjk) info = intersectsByGjk(loaded.pair, parameters.margin, search);
      @if(intersects-closed) info = intersectsByClosedForm(loaded.pair, parameters.margin);
      @if(intersects-mpr) info = intersectsByMpr(loaded.pair, parameters.margin);
    }
    records[index] = info;
  }
  @if(intersects-closed || intersects-mpr) appendTogether(
    index, select(NO_LIST, 0u, (info & INFO_PENDING_GJK) != 0u), localIndex
  );
}
