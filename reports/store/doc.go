// Package store is the one place through which files are kept: reports and their pages, journals,
// kept runs, baselines and costs. A file is written beside the one that it replaces and
// switched in one step ([Write], [Replace]); it is read up to a limit ([Read]); records bear a
// checksum over all that stands before them ([Log], [ReadLog]); processes that share a directory
// know of each other ([Lock], [Share]); and what killed ones have left is swept by the next one,
// never what a live one is writing.
//
// A checksum tells of damage, not of forgery: who can write a file can make its checksums again.
// What a report says is held against the ledger by the verb check.
package store
