package claims

import (
	"fmt"
	"regexp"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// auditSteps is the length of the runs that are audited.
const auditSteps = 8

// audit audits the constants of a problem along a run of a method, which takes a drawn step size
// and noise radius, and drawn minibatches or clients.
func audit(src *props.Source, m *configured, f problems.Federated) []problems.Audited {
	x0, sum := problems.DrawPoint(src, "x0", f.Dim(), 10), f.ByClient()
	p, c := algos.Sum(sum), sum.Constants(x0)
	if m.Federated {
		p, c = f, f.Constants(x0)
	}
	usual := values{"η": src.LogReal("eta L", 0.01, 1), "b": 1}
	if c.L.Value > 0 { // objectives without curvature admit any step size
		usual["η"] /= c.L.Value
	}
	if m.Federated {
		usual["p"], usual["K"] = float64(src.Int("p", 1, f.Clients())), float64(src.Int("K", 1, 3))
	} else {
		usual["b"] = float64(src.Int("b", 1, sum.Components()))
	}
	usual["r"] = src.LogReal("r", 1e-3, 1)
	points := props.Must(algos.RecordRun(m.make(usual, nil), algos.NewOracle(p), x0,
		algos.Keyed(src.Key("run")), auditSteps)).X
	if m.Federated {
		return problems.AuditFederated(f, x0, points)
	}
	return problems.Audit(sum, x0, points)
}

var holdAlong = regexp.MustCompile(`^hold along runs of (.+) and (.+)$`)

// constantsOf makes the check of the constants of a family of problems, on which all other claims
// are tried.
func constantsOf(known []algos.Entry, r ledger.Runs) (props.Check, string, error) {
	family, err := problems.Family(r.Method)
	if err != nil {
		return nil, "", err
	}
	said := holdAlong.FindStringSubmatch(r.Statement)
	if said == nil || r.With != "" {
		return nil, "", &formula.Error{Text: r.Statement, Column: 1,
			What: "constants of FAMILY: hold along runs of METHOD and METHOD"}
	}
	var checks []props.Check
	for _, name := range said[1:] {
		m, err := readMethod(known, name, "", nil)
		if err != nil {
			return nil, "", err
		}
		l := problems.Limits{}
		if m.Federated {
			l.Data = problems.Sizes(1, 6)
		}
		checks = append(checks, props.Inequality(func(src *props.Source, rec *props.Recorder) {
			for _, a := range audit(src, m, family.Draw(src, l)) {
				rec.AtMost(a.Name+": seen over certified (certified over seen for μ)", a.Ratio, 1)
			}
		}).Effort(0.3))
	}
	return props.All(checks...), fmt.Sprintf("T = %d, η ≤ 1/L", auditSteps), nil
}
