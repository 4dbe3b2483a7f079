/** The text of `narrowphase --help`, in lines of at most 80 characters. */
export const HELP = `narrowphase: batch collision tests of convex shapes on WebGPU

Usage
  narrowphase run SCENE [options]        run one query over a scene file: JSON,
                                         glTF, GLB, OBJ or STL; - is standard
                                         input
  narrowphase clash SCENE [options]      find the clashes of a scene: overlaps,
                                         duplicates, gaps below a clearance
  narrowphase merge REPORT... [options]  join the reports of a scene's shards
  narrowphase inspect CAPTURE [options]  print a capture step by step, with the
                                         reference's answer beside its own
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
                           .csv or .xml (JUnit), otherwise JSON. May be repeated
  --fail-on-overlap        exit with 1 if any pair overlaps or has no answer,
                           but for pairs that the scene or --allow lists
  --allow A:B              bodies with these names may overlap; in A and B *
                           stands for any characters, ? for one. May be repeated
  --tolerance D            overlaps at most D deep do not fail the check; only
                           with --query contacts
  --shard I/N              only the I-th of N equal parts of the pairs; merge
                           joins the JSON reports of all N. The default is
                           CI_NODE_INDEX/CI_NODE_TOTAL if both are set, as in
                           GitLab's parallel jobs
  --shards N               the shard of N that JOB_COMPLETION_INDEX names, as in
                           Kubernetes' indexed jobs, or CI_NODE_INDEX
  --timeout S              a browser that gives no answer for S seconds is
                           ended (default 120)

Options of clash
  --engine, --hulls, --shard, --shards, --timeout as in run
  --tolerance D            surfaces at most D apart or deep are touching
                           (default 0.0001)
  --clearance D            gaps below D are clashes
  --pairs A:B              check only bodies with these names against each
                           other; * stands for any characters, ? for one. May
                           be repeated
  --rules FILE             JSON file of rules: groups of names, each pair of
                           groups with its tolerance and clearance
  --allow A:B              as in run; such clashes are listed
  --baseline FILE          a JSON report of clash: its clashes do not fail,
                           unless they are deeper now
  --fail-on CATEGORY,...   overlap, contained, duplicate, touching, clearance,
                           or none (default: overlap, contained and duplicate,
                           and clearance with --clearance)
  --format table|json|csv|junit|bcf|bcf3|html
                           form of the report (default table). bcf is version
                           2.1, bcf3 version 3.0
  --limit N                rows of the table (default 10), and clashes of each
                           category in HTML (default 200)
  --out FILE               as in run; also .bcf or .bcfzip (BCF 2.1) and .html
  --date DATE              when the topics of BCF were made (default 1980-01-01,
                           so that the same clashes give the same bytes)
  --up y|z                 the axis of the scene that points up, for BCF and the
                           pictures in HTML (default z)

Options of merge
  REPORT...                the JSON reports of all shards, in any order
  --format, --limit, --out, --fail-on-overlap as in run; of clash reports
                           --format, --limit, --out, --date, --up as in clash
  --scene FILE, --hulls    the scene of clash reports, which HTML needs, and
                           whether clash was given --hulls
  A shard whose own check fails exits with 1 after writing its report. Let the
  job go on then: merge exits with 1 if any shard's check failed.

Options of inspect
  CAPTURE                  a JSON file of tester.capture; - is standard input
  --format text|json       what is printed (default text)
  --open                   shows it in the browser instead, from a server on
                           localhost that runs until Ctrl-C; without --format

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
  1  the check failed (--fail-on-overlap, clash, in merge that of any shard,
     verify, conformance)
  2  bad usage or bad input
  3  could not run: no adapter for the engine, device lost, out of memory,
     browser gone, report not written

Reports go to stdout; progress, notices and errors to stderr.
`;
