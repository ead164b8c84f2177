package algos

import "strings"

// Setting holds the knobs that methods share when they are chosen by name. Zero values ask for each method's default.
type Setting struct {
	Eta    float64 // step size; the factor k of an adaptive one
	Batch  int     // minibatch size b
	Radius float64 // noise radius r
	// WithReplacement draws the minibatches of finite-sum methods with replacement, but those of SLEDGE.
	WithReplacement bool
	Clients         int     // clients p of a round
	LocalSteps      int     // local steps K of a round
	Cap             bool    // let clients with little data use all they have
	Period          int     // steps between full gradients
	Eps             float64 // target gradient norm, for methods whose steps depend on it; 0 stands for 1e-3
	L, Rho          float64 // smoothness and Hessian Lipschitz constant, for methods that look for negative curvature; 0 stands for 1/Eta and 1
	Delta           float64 // curvature to detect; 0 stands for L/10
}

func (s Setting) eps() float64 {
	if s.Eps == 0 {
		return 1e-3
	}
	return s.Eps
}

func (s Setting) neon() Neon2 {
	n := Neon2{L: s.smoothness(), Rho: s.Rho, Delta: s.Curvature()}
	if n.Rho == 0 {
		n.Rho = 1
	}
	return n
}

func (s Setting) smoothness() float64 {
	if s.L == 0 && s.Eta != 0 {
		return 1 / s.Eta
	}
	return s.L
}

// Curvature returns the curvature to detect, with its default filled in.
func (s Setting) Curvature() float64 {
	if s.Delta == 0 {
		return s.smoothness() / 10
	}
	return s.Delta
}

// escapeLogs is what the logarithm in the length of an escape from a saddle is taken for: the measured escapes of SSRGD need about so many time constants.
const escapeLogs = 8

// Entry is a method that can be chosen by name.
type Entry struct {
	Name      string // as Method.Name gives it
	Summary   string // one line
	Source    string // where it comes from
	Federated bool   // the method communicates: a step is a round
	New       func(Setting) Method
	// Prescribed makes the method with the parameters that its theory gives for the facts, asking for those it needs; nil where no result with constants is
	// known. [Entry.Prescribe] calls it and says what is missing.
	Prescribed func(*Facts) Prescription
}

// prescribedSPIDERPlus aims at ε/3, as the method stops where ‖v‖ ≤ 2ε.
func prescribedSPIDERPlus(f *Facts) *SPIDERPlus {
	rho, delta := f.NeedCurvature()
	return PrescribedSPIDERPlus(f.N, f.NeedL(), rho, f.NeedEps()/3, 1, delta)
}

// Catalogue returns all methods of the package, finite-sum methods first.
func Catalogue() []Entry {
	return []Entry{
		{Name: "SLEDGE-I", Summary: "single-loop estimator, started from one minibatch: never a full gradient", Source: "algorithm:main, lines 280-299",
			New: func(s Setting) Method {
				return &SLEDGE{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, Option: OptionI}
			}},
		{Name: "SLEDGE-II", Summary: "single-loop estimator, started from a full gradient", Source: "algorithm:main, lines 280-299",
			New: func(s Setting) Method { return &SLEDGE{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius} }},
		{Name: "GD", Summary: "gradient descent", Source: "Cauchy 1847",
			New: func(s Setting) Method { return &GD{Eta: s.Eta, Radius: s.Radius} },
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedGD(f.NeedL())
				return Prescription{Method: m, Eta: m.Eta, By: "descent lemma: 1/L"}
			}},
		{Name: "SGD", Summary: "minibatch stochastic gradient descent, without replacement inside a batch", Source: "Robbins and Monro 1951",
			New: func(s Setting) Method {
				return &SGD{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				L, sigma, eps := f.NeedL(), f.need("σ", f.Spread), f.NeedEps()
				if f.Goal == UnderPL {
					m := PrescribedPLSGD(f.Minibatch(), L, f.NeedMu(), sigma, eps*eps/(2*L))
					return Prescription{Method: m, Eta: m.Eta, By: "Karimi et al. 2016, theorem 4"}
				}
				m := PrescribedSGD(f.Minibatch(), L, sigma, eps)
				return Prescription{Method: m, Eta: m.Eta, By: "descent lemma: min{1/L, bε²/(2Lσ²)}"}
			}},
		{Name: "Noisy SGD", Summary: "SGD with a random unit vector added to every gradient", Source: "Ge et al. 2015",
			New: func(s Setting) Method {
				return &NoisySGD{Eta: s.Eta, Batch: s.Batch, Sigma: s.Radius, WithReplacement: s.WithReplacement}
			}},
		{Name: "PGD", Summary: "gradient descent that perturbs where the gradient is small", Source: "Jin et al. 2017",
			New: func(s Setting) Method {
				return &PGD{Eta: s.Eta, Radius: s.Radius, Threshold: s.eps(), Wait: max(1, s.Period), Decrease: s.eps() * s.eps() * s.Eta}
			},
			Prescribed: func(f *Facts) Prescription {
				L := f.NeedL()
				rho, _ := f.NeedCurvature()
				m := PrescribedPGD(L, rho, f.NeedEps(), 1, 0.1, f.NeedGap(), f.Dim)
				return Prescription{Method: m, Eta: m.Eta, By: "Jin et al. 2017, theorem 3, with c = 1"}
			}},
		{Name: "SVRG", Summary: "control variate from a snapshot's full gradient", Source: "Johnson and Zhang 2013",
			New: func(s Setting) Method {
				return &SVRG{Eta: s.Eta, Batch: s.Batch, Period: s.Period, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedSVRG(f.N, f.smallBatch(), f.NeedL())
				return Prescription{Method: m, Eta: m.Eta, By: "Reddi et al. 2016, for b ≤ n^{2/3}"}
			}},
		{Name: "SAGA", Summary: "control variate from a table of past gradients", Source: "Defazio et al. 2014",
			New: func(s Setting) Method {
				return &SAGA{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, WithReplacement: s.WithReplacement}
			}},
		{Name: "SAGA (two draws)", Summary: "SAGA with an independent index set for the table", Source: "Reddi et al. 2016",
			New: func(s Setting) Method {
				return &SAGA{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, TwoDraws: true, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedSAGA(f.N, f.smallBatch(), f.NeedL())
				return Prescription{Method: m, Eta: m.Eta, By: "Reddi et al. 2016, for b ≤ n^{2/3}"}
			}},
		{Name: "SARAH", Summary: "accumulated differences, restarted by full gradients", Source: "Nguyen et al. 2017",
			New: func(s Setting) Method {
				return &SARAH{Eta: s.Eta, Batch: s.Batch, Period: s.Period, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedSARAH(f.N, f.NeedL())
				return Prescription{Method: m, Eta: m.Eta, By: "Nguyen et al. 2017, b = ⌈√n⌉"}
			}},
		{Name: "iSARAH", Summary: "SARAH restarted from a sample", Source: "Nguyen et al. 2021",
			New: func(s Setting) Method {
				return &InexactSARAH{Eta: s.Eta, Batch: s.Batch, Period: s.Period, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedInexactSARAH(f.N, f.NeedL(), f.need("σ", f.Spread), f.NeedEps())
				return Prescription{Method: m, Eta: m.Eta, By: "derived: restarts from 2σ²/ε² components"}
			}},
		{Name: "SPIDER-SFO", Summary: "SARAH recursion with steps of bounded length", Source: "Fang et al. 2018",
			New: func(s Setting) Method {
				return &SPIDER{Eta: s.Eta, Eps: s.eps(), Batch: s.Batch, Period: s.Period, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedSPIDER(f.N, f.NeedL(), f.NeedEps(), 1)
				return Prescription{Method: m, Eta: m.Eta, By: "Fang et al. 2018, finite sums, n₀ = 1"}
			}},
		{Name: "SPIDER-SFO+", Summary: "SPIDER-SFO with Neon2 curvature searches", Source: "Fang et al. 2018; Allen-Zhu and Li 2018",
			New: func(s Setting) Method {
				return &SPIDERPlus{Eta: s.Eta, Eps: s.eps(), Batch: s.Batch, Period: s.Period, Neon: s.neon(), WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := prescribedSPIDERPlus(f)
				return Prescription{Method: m, Eta: m.Eta, By: "Fang et al. 2018, n₀ = 1, target ε/3 as it stops where ‖v‖ ≤ 2ε"}
			}},
		{Name: "SPIDER-SFO+ (finite-sum Neon2)", Summary: "SPIDER-SFO with curvature searches by full gradients", Source: "Fang et al. 2018; Allen-Zhu and Li 2018",
			New: func(s Setting) Method {
				n := s.neon()
				n.Deterministic = true
				return &SPIDERPlus{Eta: s.Eta, Eps: s.eps(), Batch: s.Batch, Period: s.Period, Neon: n, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := prescribedSPIDERPlus(f)
				m.Neon.Deterministic = true
				return Prescription{Method: m, Eta: m.Eta, By: "Fang et al. 2018, n₀ = 1, target ε/3 as it stops where ‖v‖ ≤ 2ε"}
			}},
		{Name: "SSRGD", Summary: "SARAH that perturbs at the start of an epoch", Source: "Li 2019",
			New: func(s Setting) Method {
				return &SSRGD{Eta: s.Eta, Batch: s.Batch, Period: s.Period, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				L := f.NeedL()
				rho, delta := f.NeedCurvature()
				m := PrescribedSSRGD(f.N, L, rho, f.NeedEps(), delta, escapeLogs)
				return Prescription{Method: m, Eta: m.Eta, By: "Li 2019, without its constants"}
			}},
		{Name: "Stabilized SVRG", Summary: "SVRG that escapes along negative curvature only", Source: "Ge et al. 2019",
			New: func(s Setting) Method {
				return &StabilizedSVRG{Eta: s.Eta, Batch: s.Batch, Period: s.Period, Radius: s.Radius, Threshold: s.eps(), WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				L := f.NeedL()
				rho, _ := f.NeedCurvature()
				m := PrescribedStabilizedSVRG(f.N, L, rho, f.NeedEps(), escapeLogs)
				return Prescription{Method: m, Eta: m.Eta, By: "Ge et al. 2019, without its constants"}
			}},
		{Name: "Nested SVRG", Summary: "a sum of differences between nested snapshots", Source: "Zhou et al. 2020",
			New: func(s Setting) Method {
				return &NestedSVRG{Eta: s.Eta, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedNestedSVRG(f.N, f.NeedL())
				return Prescription{Method: m, Eta: m.Eta, By: "Zhou et al. 2020"}
			}},
		{Name: "ZeroSARAH-I", Summary: "SARAH mixed with a table, from a zero table", Source: "Li et al. 2021",
			New: func(s Setting) Method {
				return &ZeroSARAH{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, Option: OptionI, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedZeroSARAH(f.N, f.NeedL(), OptionI)
				return Prescription{Method: m, Eta: m.Eta, By: "Li et al. 2021, b = ⌈√n⌉, λ = b/(2n)"}
			}},
		{Name: "ZeroSARAH-II", Summary: "SARAH mixed with a table, from a full one", Source: "Li et al. 2021",
			New: func(s Setting) Method {
				return &ZeroSARAH{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedZeroSARAH(f.N, f.NeedL(), OptionII)
				return Prescription{Method: m, Eta: m.Eta, By: "Li et al. 2021, b = ⌈√n⌉, λ = b/(2n)"}
			}},
		{Name: "PAGE", Summary: "SARAH recursion with full gradients at random steps", Source: "Li et al. 2021",
			New: func(s Setting) Method {
				return &PAGE{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				if f.Goal == UnderPL {
					m := PrescribedPLPAGE(f.N, f.NeedL(), f.NeedMu())
					return Prescription{Method: m, Eta: m.Eta, By: "Li et al. 2021 under PL, b = ⌈√n⌉"}
				}
				m := PrescribedPAGE(f.N, f.NeedL())
				return Prescription{Method: m, Eta: m.Eta, By: "Li et al. 2021, b = ⌈√n⌉"}
			}},
		{Name: "STORM", Summary: "recursive momentum with constant step size", Source: "Cutkosky and Orabona 2019",
			New: func(s Setting) Method {
				return &STORM{Eta: s.Eta, A: 0.1, Batch: s.Batch, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedConstantSTORM(f.Minibatch(), f.NeedL(), f.need("σ", f.Spread), f.NeedEps())
				return Prescription{Method: m, Eta: m.Eta, By: "derived: a = min{1, bε²/(4σ²)}"}
			}},
		{Name: "STORM (adaptive)", Summary: "recursive momentum with its adaptive rule", Source: "Cutkosky and Orabona 2019",
			New: func(s Setting) Method {
				return &STORM{Adaptive: true, K: s.Eta, Batch: s.Batch, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				m := PrescribedSTORM(f.NeedL(), f.need("G", f.Bound), 1)
				return Prescription{Method: m, Eta: m.K, By: "Cutkosky and Orabona 2019, single components, β = 1"}
			}},
		{Name: "Hybrid-SGD", Summary: "convex combination of SARAH and SGD estimators", Source: "Tran-Dinh et al. 2022",
			New: func(s Setting) Method {
				return &HybridSGD{Eta: s.Eta, Beta: 0.9, Batch: s.Batch, Radius: s.Radius, WithReplacement: s.WithReplacement}
			},
			Prescribed: func(f *Facts) Prescription {
				if f.Steps == 0 {
					f.need("T", Fact{})
				}
				m := PrescribedHybridSGD(f.Minibatch(), f.N, f.Steps, f.NeedL())
				return Prescription{Method: m, Eta: m.Eta, By: "β of Tran-Dinh et al. 2022, step size derived"}
			}},
		{Name: "FLEDGE-I", Summary: "federated SLEDGE with local steps, started from p clients", Source: "alg:dist-Appendix, lines 2147-2184",
			Federated: true,
			New: func(s Setting) Method {
				return &FLEDGE{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Radius: s.Radius, Option: OptionI, Cap: s.Cap}
			}},
		{Name: "FLEDGE-II", Summary: "federated SLEDGE with local steps, started from all clients", Source: "alg:dist, lines 463-491",
			Federated: true,
			New: func(s Setting) Method {
				return &FLEDGE{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Radius: s.Radius, Cap: s.Cap}
			}},
		{Name: "FedAvg", Summary: "local SGD, averaged", Source: "McMahan et al. 2017",
			Federated: true,
			New: func(s Setting) Method {
				return &FedAvg{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Cap: s.Cap}
			},
			Prescribed: func(f *Facts) Prescription {
				p, K, b := f.Round(1)
				m := PrescribedFedAvg(p, K, f.NeedL(), f.noise(K, b), f.NeedEps())
				m.Batch, m.Cap = b, true
				return Prescription{Method: m, Eta: m.Eta, By: "balances the terms of its rounds in table 2"}
			}},
		{Name: "SCAFFOLD-I", Summary: "local SGD with control variates from fresh gradients", Source: "Karimireddy et al. 2020",
			Federated: true,
			New: func(s Setting) Method {
				return &SCAFFOLD{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Option: OptionI, Cap: s.Cap}
			},
			Prescribed: func(f *Facts) Prescription {
				p, K, b := f.Round(1)
				m := PrescribedSCAFFOLD(f.Clients, p, K, f.NeedL())
				m.Batch, m.Cap, m.Option = b, true, OptionI
				return Prescription{Method: m, Eta: m.Eta, By: "the largest step of Karimireddy et al. 2020, for Option II"}
			}},
		{Name: "SCAFFOLD-II", Summary: "local SGD with control variates from the steps themselves", Source: "Karimireddy et al. 2020",
			Federated: true,
			New: func(s Setting) Method {
				return &SCAFFOLD{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Cap: s.Cap}
			},
			Prescribed: func(f *Facts) Prescription {
				p, K, b := f.Round(1)
				m := PrescribedSCAFFOLD(f.Clients, p, K, f.NeedL())
				m.Batch, m.Cap, m.Option = b, true, OptionII
				return Prescription{Method: m, Eta: m.Eta, By: "the largest step of Karimireddy et al. 2020"}
			}},
		{Name: "Mime", Summary: "local steps that mimic SGD with momentum 0.9", Source: "Karimireddy et al. 2021",
			Federated: true,
			New: func(s Setting) Method {
				return &Mime{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Momentum: 0.9, Cap: s.Cap}
			}},
		{Name: "MimeLite", Summary: "Mime without the correction of local gradients", Source: "Karimireddy et al. 2021",
			Federated: true,
			New: func(s Setting) Method {
				return &Mime{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Momentum: 0.9, Lite: true, Cap: s.Cap}
			}},
		{Name: "MimeSGD", Summary: "Mime without momentum", Source: "Karimireddy et al. 2021",
			Federated: true,
			New: func(s Setting) Method {
				return &Mime{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Cap: s.Cap}
			},
			Prescribed: func(f *Facts) Prescription {
				p, K, b := f.Round(1)
				m := PrescribedPLMime(p, K, f.NeedL(), f.need("σ_c", f.Spread), f.NeedEps())
				m.Batch, m.Cap = b, true
				return Prescription{Method: m, Eta: m.Eta, By: "balances the terms of its rounds in table 2"}
			}},
		{Name: "MimeMVR", Summary: "Mime with STORM as its base optimiser", Source: "Karimireddy et al. 2021",
			Federated: true,
			New: func(s Setting) Method {
				return &MimeMVR{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Cap: s.Cap}
			},
			Prescribed: func(f *Facts) Prescription {
				p, K, b := f.Round(1)
				m := PrescribedMimeMVR(f.Clients, p, K, f.NeedL(), f.NeedZetaPrime(), f.need("σ_c", f.Spread), f.NeedEps())
				m.Batch, m.Cap = b, true
				return Prescription{Method: m, Eta: m.Eta, By: "balances the terms of its rounds in table 2"}
			}},
		{Name: "FedVARP", Summary: "FedAvg corrected by a table of past updates", Source: "Jhunjhunwala et al. 2022",
			Federated: true,
			New: func(s Setting) Method {
				return &FedVARP{Eta: s.Eta, Clients: s.Clients, Batch: s.Batch, LocalSteps: s.LocalSteps, Cap: s.Cap}
			}},
		{Name: "BVR-L-SGD", Summary: "SARAH over rounds and over local steps, all clients in every round", Source: "Murata and Suzuki 2021",
			Federated: true,
			New: func(s Setting) Method {
				return &BVRLSGD{Eta: s.Eta, Batch: s.Batch, LocalSteps: s.LocalSteps, Cap: s.Cap}
			},
			Prescribed: func(f *Facts) Prescription {
				_, K, _ := f.Round(1)
				m := PrescribedBVRLSGD(K, f.NeedL(), f.NeedZeta())
				m.Cap = true
				return Prescription{Method: m, Eta: m.Eta, By: "Murata and Suzuki 2021, b = K"}
			}},
		{Name: "BVR-L-PSGD", Summary: "BVR-L-SGD with perturbed local steps", Source: "Murata and Suzuki 2022",
			Federated: true,
			New: func(s Setting) Method {
				r := s.Radius
				if r == 0 {
					r = 1e-3
				}
				return &BVRLSGD{Eta: s.Eta, Batch: s.Batch, LocalSteps: s.LocalSteps, Radius: r, Cap: s.Cap}
			},
			Prescribed: func(f *Facts) Prescription {
				_, K, _ := f.Round(1)
				m := PrescribedBVRLSGD(K, f.NeedL(), f.NeedZeta())
				m.Cap, m.Radius = true, m.Eta*f.NeedEps()/4
				return Prescription{Method: m, Eta: m.Eta, By: "Murata and Suzuki 2022, b = K, r = ηε/4"}
			}},
	}
}

// ByName returns the catalogued method with the name, ignoring case.
func ByName(name string) (Entry, bool) {
	for _, c := range Catalogue() {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return Entry{}, false
}
