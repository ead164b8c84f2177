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

// auditedSymbols are the symbols of the constants of an audit.
var auditedSymbols = map[string]string{"L": "L", "LMean": "smoothness of f", "Zeta": "ζ",
	"ZetaPrime": "ζ'", "Rho": "ρ", "Mu": "μ", "Delta": "Δ", "SigmaC": "σ_c", "GC": "G_c",
	"Sigma": "σ", "G": "G"}

// auditSteps is the length of the runs that are audited.
const auditSteps = 8

// audit audits the constants of a problem along a run of a method, which takes a drawn step size
// and noise radius, and drawn minibatches or clients.
func audit(src *props.Source, m *configured, f problems.Federated) []problems.Audited {
	x0 := problems.DrawPoint(src, "x0", f.Dim(), 10)
	p := f.ByClient()
	L := p.Constants(x0).L.Value
	if m.Federated {
		L = f.Constants(x0).L.Value
	}
	usual := values{"η": src.LogReal("eta L", 0.01, 1)}
	if L > 0 { // objectives without curvature admit any step size
		usual["η"] /= L
	}
	run := func(p algos.Problem) [][]float64 {
		usual["r"] = src.LogReal("r", 1e-3, 1)
		r := algos.Keyed(src.Key("run"))
		return props.Must(algos.RecordRun(m.make(usual, nil), algos.NewOracle(p), x0, r,
			auditSteps)).X
	}
	if m.Federated {
		usual["p"], usual["K"] = float64(src.Int("p", 1, f.Clients())), float64(src.Int("K", 1, 3))
		usual["b"] = 1
		return problems.AuditFederated(f, x0, run(f))
	}
	usual["b"] = float64(src.Int("b", 1, p.Components()))
	return problems.Audit(p, x0, run(algos.Sum(p)))
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
				symbol, ok := auditedSymbols[a.Name]
				if !ok {
					panic(fmt.Sprintf("claims: no symbol for %s", a.Name))
				}
				rec.AtMost(symbol+": seen over certified (certified over seen for μ)", a.Ratio, 1)
			}
		}).Effort(0.3))
	}
	return props.All(checks...), fmt.Sprintf("T = %d, η ≤ 1/L", auditSteps), nil
}
