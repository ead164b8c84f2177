package verbs

import (
	"slices"
	"strings"

	"sledge/algos"
	"sledge/reports/verify"
)

// chosen is a method that takes part.
type chosen struct {
	algos.Entry
	prescribed bool // with the parameters of its theory
	asked      bool // by name, so that it is an error if there are none
}

// prescription is what a method with prescribed parameters runs with.
type prescription struct {
	name string
	algos.Prescription
}

// star marks methods that race with prescribed parameters.
const star = "*"

// choose resolves the names of methods.
func (r *race) choose(command string) ([]chosen, error) {
	federated := r.set.Clients > 0
	fits := func(c algos.Entry) bool { return c.Federated == federated }
	if r.methods == "" {
		r.methods = finiteMethods
		if federated {
			r.methods = defaultForClients
		}
		for _, c := range r.own {
			if fits(c) && !slices.Contains(strings.Split(r.methods, ","), c.Name) {
				r.methods += "," + c.Name
			}
		}
	}
	known := methods(r.own)
	var out []chosen
	seen := map[string]bool{}
	add := func(c chosen) bool {
		name := c.Name
		if c.prescribed {
			name += star
		}
		if !seen[name] {
			out = append(out, c)
			seen[name] = true
			return true
		}
		return false
	}
	if r.methods == "all" {
		for _, c := range known {
			switch {
			case !fits(c):
			case r.problem == networks && strings.HasPrefix(c.Name, "SPIDER-SFO+"):
				r.tooLong = append(r.tooLong, c.Name)
			default:
				add(chosen{Entry: c})
			}
		}
	} else {
		for name := range strings.SplitSeq(r.methods, ",") {
			name = strings.TrimSpace(name)
			plain, starred := strings.CutSuffix(name, star)
			k := slices.IndexFunc(known,
				func(c algos.Entry) bool { return strings.EqualFold(c.Name, plain) })
			if k < 0 {
				return nil, verify.Usagef("-methods: there is no method %q; %s", name,
					meant(plain, known, command))
			}
			c := known[k]
			switch {
			case !fits(c) && federated:
				return nil, verify.Usagef(
					"-methods: %s is not a federated method; leave out -clients", c.Name)
			case !fits(c):
				return nil, verify.Usagef("-methods: %s is a federated method; give -clients",
					c.Name)
			case !add(chosen{c, starred, starred}):
				return nil, verify.Usagef("-methods names %s%s twice", c.Name, name[len(plain):])
			}
		}
	}
	if r.prescribed {
		for _, c := range slices.Clone(out) {
			add(chosen{Entry: c.Entry, prescribed: true})
		}
	}
	return out, nil
}

// entrant enters a method; nil for one that is left out.
func (r *race) entrant(c chosen) (*algos.Entrant, error) {
	enter := func(eta float64, method func(float64) algos.Method) *algos.Entrant {
		e := algos.EnterFrom(r.subject.problem, r.subject.start, method)
		if e.Name = c.Name; eta > 0 {
			e = e.Fixed(c.Name+star, eta)
		}
		return &e
	}
	if !c.prescribed {
		return enter(0, func(eta float64) algos.Method { return c.New(r.with(eta)) }), nil
	}
	facts := r.subject.known
	p, err := c.Prescribe(facts)
	switch {
	case err != nil && c.asked:
		return nil, verify.Usagef("-methods: %v", err)
	case err != nil:
		r.leftOut = append(r.leftOut, [2]string{c.Name, err.Error()})
		return nil, nil
	}
	r.prescriptions = append(r.prescriptions, prescription{c.Name, p})
	again := func() algos.Prescription {
		p, err := c.Prescribe(facts)
		if err != nil {
			panic(err) // it was made from the same facts before
		}
		return p
	}
	return enter(p.Eta, func(float64) algos.Method { return again().Method }), nil
}

// meant says which of the methods a name that none has may have been meant for.
func meant(name string, known []algos.Entry, command string) string {
	var names []string
	for _, c := range known {
		names = append(names, c.Name)
	}
	if near := verify.Nearest(name, names); near != "" {
		return "is it " + near + "?"
	}
	return command + " list methods shows them"
}
