package naive

import (
	"maps"
	"strings"

	"sledge/algos"
	"sledge/algos/algotest"
)

// Variant is a method of the catalogue in one of its forms, with what it declares and its naive
// form.
type Variant struct {
	Name      string // a name of the catalogue, or one with a suffix after a slash
	Federated bool
	Method    algotest.Factory
	Naive     algotest.Factory // nil if there is none
	law       algotest.Law
	move      algotest.Move
	skip      map[string]string
}

// Options returns what the variant declares, for the conformance suite.
func (v Variant) Options() algotest.Options {
	return algotest.Options{Law: v.law, Move: v.move, Skip: v.skip, Reference: v.Naive,
		Federated: v.Federated}
}

// chosen is the law of a method that renews b(n) of n parts of its table in each step.
func chosen(b func(n int) int) algotest.Law {
	return algotest.Contracting(func(n, _ int) float64 { return float64(b(n)) / float64(n) })
}

const (
	along = algotest.AlongEstimator
	other = algotest.OtherMove
)

// naives are the naive forms of the finite-sum methods as the catalogue makes them for the forms of
// algotest.
var naives = map[string]func(eta, r float64, replace bool) *naive{
	"SLEDGE-I":         func(eta, r float64, _ bool) *naive { return naiveSLEDGE(eta, 0, true, r, nil) },
	"SLEDGE-II":        func(eta, r float64, _ bool) *naive { return naiveSLEDGE(eta, 0, false, r, nil) },
	"GD":               func(eta, r float64, _ bool) *naive { return naiveGD(eta, r) },
	"SGD":              func(eta, r float64, w bool) *naive { return naiveSGD(eta, 0, r, w) },
	"Noisy SGD":        func(eta, r float64, w bool) *naive { return naiveNoisySGD(eta, r, w) },
	"PGD":              func(eta, r float64, _ bool) *naive { return naivePGD(eta, r, 5, 3, 25*eta) },
	"SVRG":             func(eta, r float64, w bool) *naive { return naiveSVRG(eta, 0, 3, r, w) },
	"SAGA":             func(eta, r float64, w bool) *naive { return naiveSAGA(eta, false, r, w) },
	"SAGA (two draws)": func(eta, r float64, w bool) *naive { return naiveSAGA(eta, true, r, w) },
	"SARAH":            func(eta, r float64, w bool) *naive { return naiveSARAH(eta, 0, 3, 0, r, w) },
	"iSARAH":           func(eta, r float64, w bool) *naive { return naiveInexact(eta, 0, 3, 0, r, w) },
	"SPIDER-SFO":       func(eta, _ float64, w bool) *naive { return naiveSPIDER(eta, 5, 3, 0, false, w) },
	"SPIDER-SFO+": func(eta, _ float64, w bool) *naive {
		return naiveSPIDERPlus(eta, 0.3, 3, algos.Neon2{L: 2, Rho: 12, Delta: 1.5}, w)
	},
	"SPIDER-SFO+ (finite-sum Neon2)": func(eta, _ float64, w bool) *naive {
		return naiveSPIDERPlus(eta, 0.3, 3,
			algos.Neon2{L: 2, Rho: 12, Delta: 1.5, Deterministic: true}, w)
	},
	"SSRGD": func(eta, r float64, w bool) *naive { return naiveSSRGD(eta, 3, r, 0, 0, 0, w) },
	"Stabilized SVRG": func(eta, r float64, w bool) *naive {
		return naiveStabilized(eta, 0, 3, r, 5, 0, 0, false, w)
	},
	"Nested SVRG":  func(eta, r float64, w bool) *naive { return naiveNested(eta, nil, nil, 0, r, w) },
	"ZeroSARAH-I":  func(eta, r float64, w bool) *naive { return naiveZeroSARAH(eta, 0, true, r, w) },
	"ZeroSARAH-II": func(eta, r float64, w bool) *naive { return naiveZeroSARAH(eta, 0, false, r, w) },
	"PAGE":         func(eta, r float64, w bool) *naive { return naivePAGE(eta, 0, false, r, w) },
	"STORM":        func(eta, r float64, w bool) *naive { return naiveSTORM(eta, 0.1, false, r, w) },
	"STORM (adaptive)": func(eta, r float64, w bool) *naive {
		return naiveAdaptiveSTORM(eta, 0.1, 100, r, w)
	},
	"Hybrid-SGD": func(eta, r float64, w bool) *naive { return naiveHybrid(eta, 0.9, 0, false, r, w) },
}

// naiveFederated are the same for federated methods with b data in each of K local steps.
var naiveFederated = map[string]func(eta float64, b, K int) *naiveClients{
	"FLEDGE-I":  func(eta float64, b, K int) *naiveClients { return naiveFLEDGE(eta, b, K, true, 0, nil) },
	"FLEDGE-II": func(eta float64, b, K int) *naiveClients { return naiveFLEDGE(eta, b, K, false, 0, nil) },
	"FedAvg":    func(eta float64, b, K int) *naiveClients { return naiveFedAvg(eta, 1, b, K) },
	"SCAFFOLD-I": func(eta float64, b, K int) *naiveClients {
		return naiveSCAFFOLD(eta, 1, b, K, true, false, false)
	},
	"SCAFFOLD-II": func(eta float64, b, K int) *naiveClients {
		return naiveSCAFFOLD(eta, 1, b, K, false, false, false)
	},
	"Mime":       func(eta float64, b, K int) *naiveClients { return naiveMime(eta, 1, b, K, 0.9, false) },
	"MimeLite":   func(eta float64, b, K int) *naiveClients { return naiveMime(eta, 1, b, K, 0.9, true) },
	"MimeSGD":    func(eta float64, b, K int) *naiveClients { return naiveMime(eta, 1, b, K, 0, false) },
	"MimeMVR":    func(eta float64, b, K int) *naiveClients { return naiveMimeMVR(eta, 0.1, 0, b, K) },
	"FedVARP":    func(eta float64, b, K int) *naiveClients { return naiveFedVARP(eta, 1, b, K) },
	"BVR-L-SGD":  func(eta float64, b, K int) *naiveClients { return naiveBVR(eta, b, K, 0, 0, 0) },
	"BVR-L-PSGD": func(eta float64, b, K int) *naiveClients { return naiveBVR(eta, b, K, 0, 0, 1e-3) },
}

// VariantOf adds the naive form to a form of the suite.
func VariantOf(f algotest.Form) Variant {
	opt := f.Options
	v := Variant{Name: f.Name, Federated: opt.Federated, Method: f.Method, law: opt.Law,
		move: opt.Move, skip: opt.Skip}
	ofSum, ofClients := naives[f.Base()], naiveFederated[f.Base()]
	switch {
	case ofClients != nil:
		v.Naive = func(_ int, eta float64) algos.Method {
			return ofClients(eta, max(1, f.Setting.Batch), max(1, f.Setting.LocalSteps))
		}
	case ofSum != nil:
		v.Naive = func(_ int, eta float64) algos.Method {
			return ofSum(eta, f.Setting.Radius, f.Setting.WithReplacement)
		}
	}
	return v
}

// Variants lists the forms of every method of the catalogue, and what else its parameters can make
// of it.
func Variants() []Variant {
	var out []Variant
	usual := map[string]map[string]string{} // what no form of a method claims
	for _, f := range algotest.Forms() {
		v := VariantOf(f)
		if f.Name == f.Base() {
			usual[f.Name] = v.skip
		}
		out = append(out, v)
	}
	// Other parameters of finite-sum methods.
	method := func(name string, law algotest.Law, move algotest.Move, make,
		naive algotest.Factory) {
		base, _, _ := strings.Cut(name, "/")
		out = append(out, Variant{Name: name, law: law, move: move, skip: usual[base], Method: make,
			Naive: naive})
	}
	skip := func(why string, names ...string) {
		last := &out[len(out)-1]
		if last.skip = maps.Clone(last.skip); last.skip == nil {
			last.skip = map[string]string{}
		}
		for _, name := range names {
			last.skip[name] = why
		}
	}
	schedule := func(t int) int { return []int{1, 3, 0, 20, 2}[t%5] }
	for option, name := range map[algos.Option]string{algos.OptionI: "SLEDGE-I",
		algos.OptionII: "SLEDGE-II"} {
		law := algotest.Contracting(func(n, t int) float64 {
			return float64(min(n, max(1, schedule(t)))) / float64(n)
		})
		method(name+"/schedule", law, along,
			func(_ int, eta float64) algos.Method {
				return &algos.SLEDGE{Eta: eta, Schedule: schedule, Option: option}
			},
			func(_ int, eta float64) algos.Method {
				return naiveSLEDGE(eta, 0, option == algos.OptionI, 0, schedule)
			})
		method(name+"/single", chosen(func(int) int { return 1 }), along,
			func(_ int, eta float64) algos.Method {
				return &algos.SLEDGE{Eta: eta, Batch: 1, Option: option}
			},
			func(_ int, eta float64) algos.Method {
				return naiveSLEDGE(eta, 1, option == algos.OptionI, 0, nil)
			})
	}
	method("SGD/large", algotest.Unbiased(), along,
		func(_ int, eta float64) algos.Method {
			return &algos.SGD{Tuning: algos.Tuning{Eta: eta, Batch: 6, WithReplacement: true}}
		},
		func(_ int, eta float64) algos.Method { return naiveSGD(eta, 6, 0, true) })
	method("PGD/escaping", algotest.NoLaw("it goes back to where it was"), other,
		func(_ int, eta float64) algos.Method {
			return &algos.PGD{Eta: eta, Radius: 0.3, Threshold: 2, Wait: 2, Decrease: 0.1 * eta}
		},
		func(_ int, eta float64) algos.Method { return naivePGD(eta, 0.3, 2, 2, 0.1*eta) })
	method("PGD/returning", algotest.NoLaw("it goes back to where it was"), other,
		func(_ int, eta float64) algos.Method {
			return &algos.PGD{Eta: eta, Radius: 0.05, Threshold: 3, Decrease: 10 * eta}
		},
		func(_ int, eta float64) algos.Method { return naivePGD(eta, 0.05, 3, 1, 10*eta) })
	skip("it returns a point far out, and its thresholds are absolute", "progress", "scaling",
		"allocation")
	for _, period := range []int{0, 5} {
		method("SVRG/period", algotest.Unbiased(), along,
			func(_ int, eta float64) algos.Method { return &algos.SVRG{Tuning: step(eta), Period: period} },
			func(_ int, eta float64) algos.Method { return naiveSVRG(eta, 0, period, 0, false) })
		method("SARAH/period", algotest.Law{}, along,
			func(_ int, eta float64) algos.Method { return &algos.SARAH{Tuning: step(eta), Period: period} },
			func(_ int, eta float64) algos.Method { return naiveSARAH(eta, 0, period, 0, 0, false) })
		method("SPIDER-SFO/period", algotest.Law{}, other,
			func(_ int, eta float64) algos.Method {
				return &algos.SPIDER{Eta: eta, Eps: 0.1, Period: period}
			},
			func(_ int, eta float64) algos.Method { return naiveSPIDER(eta, 0.1, period, 0, false, false) })
		skip("its steps have bounded length", "progress")
		method("SSRGD/period", algotest.Law{}, other,
			func(_ int, eta float64) algos.Method {
				return &algos.SSRGD{Tuning: algos.Tuning{Eta: eta, Radius: 0.2}, Period: period,
					Threshold: 1}
			},
			func(_ int, eta float64) algos.Method { return naiveSSRGD(eta, period, 0.2, 1, 0, 0, false) })
		skip("its threshold is absolute", "scaling")
		method("Stabilized SVRG/period", algotest.Unbiased(), along,
			func(_ int, eta float64) algos.Method {
				return &algos.StabilizedSVRG{Tuning: step(eta), Period: period}
			},
			func(_ int, eta float64) algos.Method {
				return naiveStabilized(eta, 0, period, 0, 0, 0, 0, false, false)
			})
		method("iSARAH/period", algotest.Law{}, along,
			func(n int, eta float64) algos.Method {
				return &algos.InexactSARAH{Tuning: algos.Tuning{Eta: eta, Batch: min(n, 2)},
					Period: period, Restart: min(n, 3)}
			},
			func(n int, eta float64) algos.Method {
				return naiveInexact(eta, min(n, 2), period, min(n, 3), 0, false)
			})
	}
	method("iSARAH/default", algotest.Renewed(1), along,
		func(n int, eta float64) algos.Method {
			return &algos.InexactSARAH{Tuning: step(eta), Period: 1, Restart: min(n, 2)}
		},
		func(n int, eta float64) algos.Method { return naiveInexact(eta, 0, 1, min(n, 2), 0, false) })
	for _, replace := range []bool{false, true} {
		method("SPIDER-SFO/sample", algotest.Renewed(4), other,
			func(n int, eta float64) algos.Method {
				return &algos.SPIDER{Eta: eta, Eps: 1, Period: 4, Refresh: min(n, 3),
					WithReplacement: replace}
			},
			func(n int, eta float64) algos.Method {
				return naiveSPIDER(eta, 1, 4, min(n, 3), false, replace)
			})
		skip("its steps have bounded length", "progress")
	}
	method("SPIDER-SFO/normalized", algotest.Renewed(4), other,
		func(_ int, eta float64) algos.Method {
			return &algos.SPIDER{Eta: eta, Eps: 0.6, Period: 4, Normalized: true}
		},
		func(_ int, eta float64) algos.Method { return naiveSPIDER(eta, 0.6, 4, 0, true, false) })
	skip("its steps have bounded length", "progress")
	for _, f := range []struct {
		suffix                      string
		radius, threshold, decrease float64
		period, wait                int
	}{{"waiting", 0.3, 0, 0, 4, 2}, {"long", 0.3, 2, 0, 2, 5}, {"never", 0.3, -1, 0, 4, 0},
		{"decreasing", 0.3, 0, 0.05, 4, 7}, {"still", 0, 0, 0, 4, 2}} {
		method("SSRGD/"+f.suffix, algotest.NoLaw("epochs end when a search does"), other,
			func(_ int, eta float64) algos.Method {
				return &algos.SSRGD{Tuning: algos.Tuning{Eta: eta, Radius: f.radius},
					Period: f.period, Threshold: f.threshold,
					Wait: f.wait, Decrease: f.decrease}
			},
			func(_ int, eta float64) algos.Method {
				return naiveSSRGD(eta, f.period, f.radius, f.threshold, f.wait, f.decrease, false)
			})
		skip("its thresholds are absolute, and values allocate here", "scaling", "allocation")
	}
	for _, f := range []struct {
		suffix              string
		threshold, distance float64
		period, wait        int
		perturbed           bool
	}{{"waiting", 5, 0, 4, 2, false}, {"long", 2, 0, 2, 5, false}, {"perturbed", 5, 0, 3, 5, true},
		{"far", 5, 0.4, 3, 9, false}} {
		method("Stabilized SVRG/"+f.suffix,
			algotest.NoLaw("a super-epoch follows the estimator less a gradient"), other,
			func(n int, eta float64) algos.Method {
				return &algos.StabilizedSVRG{Tuning: algos.Tuning{Eta: eta, Batch: min(n, 2),
					Radius: 0.3},
					Period:    f.period,
					Threshold: f.threshold, Distance: f.distance, Wait: f.wait,
					Perturbed: f.perturbed}
			},
			func(n int, eta float64) algos.Method {
				return naiveStabilized(eta, min(n, 2), f.period, 0.3, f.threshold, f.distance,
					f.wait, f.perturbed, false)
			})
		skip("its thresholds are absolute, and a perturbed step takes two estimates", "scaling",
			"sampling", "degenerate")
	}
	method("Nested SVRG/two levels",
		algotest.Contracting(func(_, t int) float64 { return float64(1 - t%2) }), along,
		func(_ int, eta float64) algos.Method {
			return &algos.NestedSVRG{Eta: eta, Lengths: []int{2, 2}, Sizes: []int{2, 2}}
		},
		func(_ int, eta float64) algos.Method {
			return naiveNested(eta, []int{2, 2}, []int{2, 2}, 0, 0, false)
		})
	method("Nested SVRG/three levels",
		algotest.NoLaw("its errors are those of the coarser levels"), along,
		func(n int, eta float64) algos.Method {
			return &algos.NestedSVRG{Eta: eta, Lengths: []int{2, 3, 2}, Sizes: []int{3, 2, 1},
				Base: min(n, 4)}
		},
		func(n int, eta float64) algos.Method {
			return naiveNested(eta, []int{2, 3, 2}, []int{3, 2, 1}, 4, 0, false)
		})
	method("ZeroSARAH-I/weight", algotest.Constant(0.4), along,
		func(_ int, eta float64) algos.Method {
			return &algos.ZeroSARAH{Tuning: step(eta), Lambda: 0.4, Option: algos.OptionI}
		},
		func(_ int, eta float64) algos.Method { return naiveZeroSARAH(eta, 0.4, true, 0, false) })
	method("PAGE/half", algotest.Constant(0.5), along,
		func(_ int, eta float64) algos.Method { return &algos.PAGE{Tuning: step(eta), Probability: 0.5} },
		func(_ int, eta float64) algos.Method { return naivePAGE(eta, 0.5, false, 0, false) })
	method("PAGE/never", algotest.Constant(0), along,
		func(_ int, eta float64) algos.Method { return &algos.PAGE{Tuning: step(eta), Never: true} },
		func(_ int, eta float64) algos.Method { return naivePAGE(eta, 0.5, true, 0, false) })
	method("PAGE/never half", algotest.Constant(0), along,
		func(_ int, eta float64) algos.Method {
			return &algos.PAGE{Tuning: step(eta), Never: true, Probability: 0.5}
		},
		func(_ int, eta float64) algos.Method { return naivePAGE(eta, 0.5, true, 0, false) })
	method("STORM/full", algotest.Constant(0.3), along,
		func(_ int, eta float64) algos.Method {
			return &algos.STORM{Tuning: step(eta), A: 0.3, FullStart: true}
		},
		func(_ int, eta float64) algos.Method { return naiveSTORM(eta, 0.3, true, 0, false) })
	method("STORM (adaptive)/constants", algotest.Law{}, other,
		func(_ int, eta float64) algos.Method {
			return &algos.STORM{Adaptive: true, K: 2 * eta, W: 3, C: 10}
		},
		func(_ int, eta float64) algos.Method { return naiveAdaptiveSTORM(2*eta, 3, 10, 0, false) })
	method("STORM (adaptive)/defaults", algotest.Law{}, other,
		func(_ int, _ float64) algos.Method { return &algos.STORM{Adaptive: true} },
		func(_ int, _ float64) algos.Method { return naiveAdaptiveSTORM(0.1, 0.1, 100, 0, false) })
	for _, same := range []bool{false, true} {
		method("Hybrid-SGD/first", algotest.Constant(0.3), along,
			func(n int, eta float64) algos.Method {
				return &algos.HybridSGD{Tuning: step(eta), Beta: 0.7, First: min(n, 3),
					SameBatch: same}
			},
			func(_ int, eta float64) algos.Method { return naiveHybrid(eta, 0.7, 3, same, 0, false) })
	}
	for _, deterministic := range []bool{false, true} {
		// A stretch of 7 steps: a run of the suite ends amid one.
		neon := algos.Neon2{L: 2, Rho: 12, Delta: 1.5, Deterministic: deterministic}
		method((&algos.SPIDERPlus{Neon: neon}).Name()+"/long", algotest.Renewed(3), other,
			func(_ int, eta float64) algos.Method {
				return &algos.SPIDERPlus{Eta: eta, Eps: 0.2, Period: 3, Neon: neon}
			},
			func(_ int, eta float64) algos.Method { return naiveSPIDERPlus(eta, 0.2, 3, neon, false) })
	}
	// Other parameters of federated methods.
	federated := func(name string, law algotest.Law, move algotest.Move, make,
		naive algotest.Factory) {
		out = append(out, Variant{Name: name, Federated: true, law: law, move: move, Method: make,
			Naive: naive})
	}
	local := func(k int) int { return []int{0, 3, 20}[k%3] }
	federated("FLEDGE-I/schedule", chosen(root), other,
		func(_ int, eta float64) algos.Method {
			return &algos.FLEDGE{Eta: eta, Batch: 1, LocalSteps: 4, Radius: 0.05, Schedule: local,
				Option: algos.OptionI}
		},
		func(_ int, eta float64) algos.Method { return naiveFLEDGE(eta, 1, 4, true, 0.05, local) })
	federated("FLEDGE-II/default", chosen(root), other,
		func(_ int, eta float64) algos.Method {
			return &algos.FLEDGE{Eta: eta, LocalSteps: 4, Radius: 0.05, Cap: true}
		},
		func(_ int, eta float64) algos.Method { return naiveFLEDGE(eta, 4, 4, false, 0.05, nil) })
	half := algotest.NoLaw("the server takes half steps")
	federated("FedAvg/server", half, other,
		func(_ int, eta float64) algos.Method {
			return &algos.FedAvg{LocalTuning: threeSteps(eta)}
		},
		func(_ int, eta float64) algos.Method { return naiveFedAvg(eta, 0.5, 2, 3) })
	federated("SCAFFOLD-I/server", half, other,
		func(_ int, eta float64) algos.Method {
			return &algos.SCAFFOLD{LocalTuning: threeSteps(eta),
				Option:      algos.OptionI,
				FullControl: true}
		},
		func(_ int, eta float64) algos.Method { return naiveSCAFFOLD(eta, 0.5, 2, 3, true, true, false) })
	federated("SCAFFOLD-II/server", half, other,
		func(_ int, eta float64) algos.Method {
			return &algos.SCAFFOLD{LocalTuning: threeSteps(eta), Warm: true}
		},
		func(_ int, eta float64) algos.Method { return naiveSCAFFOLD(eta, 0.5, 2, 3, false, false, true) })
	federated("Mime/server", half, other,
		func(_ int, eta float64) algos.Method {
			return &algos.Mime{LocalTuning: threeSteps(eta), Momentum: 0.3}
		},
		func(_ int, eta float64) algos.Method { return naiveMime(eta, 0.5, 2, 3, 0.3, false) })
	federated("FedVARP/server", half, other,
		func(_ int, eta float64) algos.Method {
			return &algos.FedVARP{LocalTuning: threeSteps(eta)}
		},
		func(_ int, eta float64) algos.Method { return naiveFedVARP(eta, 0.5, 2, 3) })
	federated("MimeMVR/first", algotest.Constant(0.4).Lagging(), other,
		func(P int, eta float64) algos.Method {
			return &algos.MimeMVR{Eta: eta, A: 0.4, First: P, Batch: 2, LocalSteps: 3}
		},
		func(P int, eta float64) algos.Method { return naiveMimeMVR(eta, 0.4, P, 2, 3) })
	skip("the first clients of the first set take the local steps", "order")
	federated("BVR-L-PSGD/large", algotest.Renewed(3), other,
		func(_ int, eta float64) algos.Method {
			return &algos.BVRLSGD{Eta: eta, Batch: 1, LocalSteps: 3, Large: 5, Stage: 3,
				Radius: 0.05}
		},
		func(_ int, eta float64) algos.Method { return naiveBVR(eta, 1, 3, 5, 3, 0.05) })
	federated("BVR-L-SGD/default", algotest.Renewed(2), other,
		func(_ int, eta float64) algos.Method { return &algos.BVRLSGD{Eta: eta, LocalSteps: 2} },
		func(_ int, eta float64) algos.Method { return naiveBVR(eta, 2, 2, 0, 0, 0) })
	return out
}

// step is a tuning with a step size alone.
func step(eta float64) algos.Tuning { return algos.Tuning{Eta: eta} }

// threeSteps is a tuning with three local steps and half a server step.
func threeSteps(eta float64) algos.LocalTuning {
	return algos.LocalTuning{Eta: eta, ServerEta: 0.5, Batch: 2, LocalSteps: 3}
}
