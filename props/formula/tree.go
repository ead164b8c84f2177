package formula

import (
	"fmt"
	"math/big"
	"slices"
)

type operation uint8

const (
	number operation = iota
	symbol
	add
	subtract
	negate
	multiply
	divide
	power
	smallest // of two or more
	largest
	root // the square root
	logarithm
	exponential
	ceiling
	floor
	absolute
	sum   // args: from, to, body; name: the index
	order // a side of a relation: O(…), Õ(…), Ω(…), Ω̃(…), Θ(…), Θ̃(…), by name
	span  // the right side of ∈: [lo, hi]
	along // what an operator of the vocabulary, by name, makes of a formula
)

// node is a formula as a tree.
type node struct {
	op    operation
	args  []*node
	name  string
	value *big.Rat
	infix bool // a minimum or maximum written with ∧ or ∨; means nothing
	at    int  // where it stands in the text, in characters from 1; means nothing
}

// functions are written as a word and an argument.
var functions = map[string]operation{"log": logarithm, "ln": logarithm, "exp": exponential,
	"sqrt": root, "ceil": ceiling, "floor": floor, "abs": absolute,
	"min": smallest, "max": largest}

func num(v int64) *node     { return &node{op: number, value: new(big.Rat).SetInt64(v)} }
func sym(name string) *node { return &node{op: symbol, name: name} }
func of(op operation, args ...*node) *node {
	n := &node{op: op, args: args}
	if len(args) > 0 {
		n.at = args[0].at
	}
	return n
}

func (n *node) equal(m *node) bool {
	return n.op == m.op && n.name == m.name && (n.op != number || n.value.Cmp(m.value) == 0) &&
		slices.EqualFunc(n.args, m.args, (*node).equal)
}

// symbols appends the names that n uses and does not bind, each once, in order of appearance.
func (n *node) symbols(names []string) []string {
	if n.op == symbol && !slices.Contains(names, n.name) {
		return append(names, n.name)
	}
	for i, a := range n.args {
		if n.op == sum && i == 2 {
			for _, name := range a.symbols(nil) {
				if name != n.name && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			continue
		}
		names = a.symbols(names)
	}
	return names
}

// mapped returns a copy of n in which f has replaced nodes; where f returns nil the arguments are
// looked at.
func (n *node) mapped(f func(*node) *node) *node {
	if r := f(n); r != nil {
		return r
	}
	c := *n
	c.args = make([]*node, len(n.args))
	for i, a := range n.args {
		c.args[i] = a.mapped(f)
	}
	return &c
}

func (n *node) has(op operation) bool {
	return n.op == op || slices.ContainsFunc(n.args, func(a *node) bool { return a.has(op) })
}

// nested is how deep sums stand in sums.
func (n *node) nested() (depth int) {
	for _, a := range n.args {
		depth = max(depth, a.nested())
	}
	if n.op == sum {
		depth++
	}
	return depth
}

// jumps reports whether a number is rounded to a whole one in the formula.
func (n *node) jumps() bool { return n.has(ceiling) || n.has(floor) || n.has(sum) }

// constant returns the value of a formula without symbols, if it is rational.
func (n *node) constant() (*big.Rat, bool) {
	if n.op == number {
		return n.value, true
	}
	if len(n.symbols(nil)) > 0 || n.has(sum) {
		return nil, false
	}
	r, err := compile(n, nil).exact(nil)
	if err != nil {
		return nil, false
	}
	return r.Rat()
}

// magnitude is a formula for the size of the terms that are added and subtracted in n, to which
// rounding errors are relative.
func (n *node) magnitude() *node {
	switch {
	case n.op == subtract:
		return of(add, n.args[0].magnitude(), n.args[1].magnitude())
	case n.op == negate:
		return n.args[0].magnitude()
	case n.op == divide:
		return of(divide, n.args[0].magnitude(), of(absolute, n.args[1]))
	case n.op == power:
		if e, ok := n.args[1].constant(); ok && e.Sign() > 0 {
			return of(power, n.args[0].magnitude(), n.args[1])
		}
		return of(absolute, n)
	case n.op == add || n.op == multiply || n.op == smallest || n.op == largest:
		m := of(n.op)
		if n.op == smallest { // what is not the minimum may err and become it
			m.op = largest
		}
		for _, a := range n.args {
			m.args = append(m.args, a.magnitude())
		}
		return m
	case n.op == number || n.op == symbol:
		return n
	case n.op == sum:
		return &node{op: sum, name: n.name,
			args: []*node{n.args[0], n.args[1], n.args[2].magnitude()}}
	}
	return of(absolute, n)
}

// Error is what is wrong with the text of a formula, and where.
type Error struct {
	Text   string
	Column int // in characters, from 1
	What   string
}

func (e *Error) Error() string {
	return fmt.Sprintf("formula %q, character %d: %s", e.Text, e.Column, e.What)
}
