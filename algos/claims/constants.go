package claims

import (
	"fmt"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// auditedSymbols are the symbols of the constants of an audit.
var auditedSymbols = map[string]string{"L": "L", "LMean": "smoothness of f", "Zeta": "ζ", "ZetaPrime": "ζ'", "Rho": "ρ",
	"Mu": "μ", "Delta": "Δ", "SigmaC": "σ_c", "GC": "G_c", "Sigma": "σ", "G": "G"}

// auditSteps is the length of the runs that are audited.
const auditSteps = 8

// drawAuditStep draws a step size of at most 1/L; objectives without curvature admit any.
func drawAuditStep(src *props.Source, L float64) float64 {
	eta := src.LogReal("eta L", 0.01, 1)
	if L > 0 {
		eta /= L
	}
	return eta
}

// auditRun audits the constants of a problem along a run of SLEDGE.
func auditRun(src *props.Source, p problems.Certified) []problems.Audited {
	x0 := problems.DrawPoint(src, "x0", p.Dim(), 10)
	m := &algos.SLEDGE{Eta: drawAuditStep(src, p.Constants(x0).L.Value), Batch: src.Int("b", 1, p.Components()),
		Radius: src.LogReal("r", 1e-3, 1)}
	tape := props.Must(algos.RecordRun(m, algos.NewOracle(algos.Sum(p)), x0, algos.Keyed(src.Key("run")), auditSteps))
	return problems.Audit(p, x0, tape.X)
}

// auditRounds audits the constants of a federated problem along a run of FLEDGE.
func auditRounds(src *props.Source, p problems.CertifiedFederated) []problems.Audited {
	x0 := problems.DrawPoint(src, "x0", p.Dim(), 10)
	m := &algos.FLEDGE{Eta: drawAuditStep(src, p.Constants(x0).L.Value), Chosen: src.Int("p", 1, p.Clients()), Batch: 1,
		LocalSteps: src.Int("K", 1, 3),
		Radius:     src.LogReal("r", 1e-3, 1), Cap: true}
	tape := props.Must(algos.RecordRun(m, algos.NewOracle(p), x0, algos.Keyed(src.Key("run")), auditSteps))
	return problems.AuditFederated(p, x0, tape.X)
}

// audited is the check that no constant is contradicted.
func audited(audit func(*props.Source) []problems.Audited) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		for _, a := range audit(src) {
			symbol, ok := auditedSymbols[a.Name]
			if !ok {
				panic(fmt.Sprintf("claims: no symbol for %s", a.Name))
			}
			rec.AtMost(symbol+": seen over certified (certified over seen for μ)", a.Ratio, 1)
		}
	}).Effort(0.3)
}

// constantClaims are about the families of problems on which all other claims are tried.
func constantClaims() []props.Binding {
	var out []props.Binding
	for _, f := range problems.Catalogue() {
		out = append(out, props.Bind("constants/"+f.Name, props.All(
			audited(func(src *props.Source) []problems.Audited { return auditRun(src, f.Draw(src).ByClient()) }),
			audited(func(src *props.Source) []problems.Audited {
				return auditRounds(src, f.Draw(src, problems.Limits{Data: problems.Sizes(1, 6)}))
			}))))
	}
	return out
}
