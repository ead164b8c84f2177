// Package algos holds stochastic first-order methods for finite-sum and federated objectives, one
// file each, with the oracles that count what they ask for.
//
// A [Problem] is clients that hold data; a [FiniteSum] is the view of one in which every client
// holds one datum ([Sum]). A [Method] asks it for gradients through a metered [Oracle] only, and
// takes all its random choices from a [Randomness]. [Run] drives a method, monitors it without
// counting, and returns a [Trace]; [RecordRun] keeps a [Tape]; [Race] compares methods; [Catalogue]
// lists those of the package.
package algos
