// Totals of the step from the counts of the queries.

// Runs after the check, with the counts of `intersects` between people and walls.
@compute @workgroup_size(1)
fn tally() {
  totals.steps += 1u;
  totals.checks += atomicLoad(&totals.present);
  totals.inWalls += counts.hits;
  totals.wallPairs = counts.pairs;
  totals.wallOverflow += counts.pairOverflow;
  totals.invalid += counts.invalidInput + counts.invalidBodies;
}

// Runs after the contacts, with their counts.
@compute @workgroup_size(1)
fn tallyNear() {
  totals.nearPairs = counts.pairs;
  totals.nearOverflow += counts.pairOverflow;
}
