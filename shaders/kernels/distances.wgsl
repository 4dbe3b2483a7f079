// Distances. Each kernel is one stage. Pairs that a stage does not decide are appended to the list of distances-gjk.

@kernel(distances-closed) // pairs with a closed form, and boxes by SAT
@kernel(distances-gjk)    // any pair
@kernel(distances-mpr)    // all bounded shapes, by MPR
@kernel(distances-newton) // points, segments and boxes, by the projected Newton search

@if(distances-closed || distances-mpr || distances-newton) import package::kernels::work-lists as
  package::kernels::list;
import package::shared::results::{Distance, STATUS_INVALID_INPUT};
@if(distances-closed || distances-mpr || distances-newton) import package::shared::results::{INFO_PENDING_GJK};
@if(distances-closed) import package::queries::distances::closed::{distanceByClosedForm};
@if(distances-gjk) import package::queries::distances::gjk::{distanceSearch, distanceByGjk};
@if(distances-gjk) import package::kernels::warm-start::{loadGuess, storeGuess};
@if(distances-mpr) import package::queries::distances::mpr::{distanceByMpr};
@if(distances-newton) import package::queries::distances::newton::{distanceByNewton};
@if(distances-closed || distances-mpr || distances-newton) import package::kernels::append::{appendTogether, NO_LIST};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> records: array<Distance>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  var record: Distance;
  record.info = STATUS_INVALID_INPUT;
  if (index != NO_PAIR) {
    let loaded = loadPair(index);
    if (loaded.isValid) {
      @if(distances-gjk) let search = distanceSearch(loaded.pair, parameters.margin, loadGuess(index, loaded.pair));
      @if(distances-gjk) storeGuess(index, loaded.pair, search.simplex);
      @if(distances-gjk) record = distanceByGjk(loaded.pair, parameters.margin, search);
      @if(distances-closed) record = distanceByClosedForm(loaded.pair, parameters.margin);
      @if(distances-mpr) record = distanceByMpr(loaded.pair, parameters.margin);
      @if(distances-newton) record = distanceByNewton(loaded.pair, parameters.margin);
    }
    records[index] = record;
  }
  @if(distances-closed || distances-mpr || distances-newton) appendTogether(
    index, select(NO_LIST, 0u, (record.info & INFO_PENDING_GJK) != 0u), localIndex
  );
}
