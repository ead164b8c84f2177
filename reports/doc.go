// Package reports turns the results of a run into files that people and programs read: report.json
// (schema sledge/report/v2), a self-contained HTML page, a Markdown summary and JUnit XML. It also
// reads report.json back, compares two reports and merges the shards of one run.
//
// [New] makes a [Report] from results; everything else works on the Report alone, so that a stored
// run can be rendered, merged and compared later and elsewhere.
package reports
