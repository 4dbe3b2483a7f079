/** The text of `narrowphase --help`, in lines of at most 80 characters. */
export const HELP = `narrowphase: batch collision tests of convex shapes on WebGPU

Usage
  narrowphase run SCENE [options]        run one query over a scene file: JSON,
                                         glTF, GLB, OBJ or STL; - is standard
                                         input
  narrowphase merge REPORT... [options]  join the reports of a scene's shards
  narrowphase verify SCENE [options]     compare an engine with the reference
  narrowphase conformance [options]      judge every engine of this machine
  narrowphase devices [options]          list the engines of this machine

Options of run
  --engine auto|chrome|firefox|dawn|cpu
                           where it runs. auto (the default) takes the first of
                           a hardware adapter through Dawn, one through Chrome,
                           the CPU; the others take a software adapter too
  --query intersects|distances|contacts
                           what is asked of each pair (default contacts)
  --hulls                  convex hulls in place of meshes
  --margin M               pairs up to M apart are hits (default: the scene's
                           margin, otherwise 0; for distances every pair is one)
  --format table|json|csv|junit
                           form of the report (default table)
  --limit N                rows of contacts in the table (default 10)
  --out FILE               write the report to FILE and print the table; with
                           --format table in the form that FILE's ending names,
                           .csv or .xml (JUnit), otherwise JSON
  --fail-on-overlap        exit with 1 if any pair overlaps or has no answer,
                           but for pairs that the scene or --allow lists
  --allow A:B              bodies with these names may overlap; in A and B *
                           stands for any characters, ? for one. May be repeated
  --tolerance D            overlaps at most D deep do not fail the check; only
                           with --query contacts
  --shard I/N              only the I-th of N equal parts of the pairs; merge
                           joins the JSON reports of all N
  --timeout S              a browser that gives no answer for S seconds is
                           ended (default 120)

Options of merge
  REPORT...                the JSON reports of all shards, in any order
  --format, --limit, --out, --fail-on-overlap as in run
  A shard whose own check fails exits with 1 after writing its report. Let the
  job go on then: merge exits with 1 if any shard's check failed.

Options of verify
  --engine, --query, --hulls, --margin, --timeout as in run
  --format table|json      what is printed (default table)
  --worst N                pairs to list in full, those with faults first, then
                           those of the largest errors (default 10)
  --out FILE               write the JSON report to FILE
  --replay FILE            write the listed pairs as a scene of their own, for
                           which the engine gives the same answers

Options of conformance
  --pairs N                pairs of each family (default 10000)
  --judged N               of these, judged by the oracle too (default 500)
  --seed N                 of the families (default 1)
  --families A,B...        only families with A or B... in their names, such as
                           cylinder or sphere/box (default: every one)
  --engine NAME            only chrome, firefox, dawn or cpu (default: each)
  --format markdown|json   what is printed (default markdown)
  --out FILE               write the JSON report to FILE
  --timeout S              as in run

Options of devices
  --format table|json      what is printed (default table)
  --timeout S              as in run

  --help, --version

Exit codes
  0  done
  1  the check failed (--fail-on-overlap, in merge that of any shard, verify,
     conformance)
  2  bad usage or bad input
  3  could not run: no adapter for the engine, device lost, out of memory,
     browser gone, report not written

Reports go to stdout; progress, notices and errors to stderr.
`;
