package naive

import (
	"maps"

	"sledge/algos"
	"sledge/algos/algotest"
)

// chosen is the law of a method that renews b(n) of n parts of its table in each step.
func chosen(b func(n int) int) algotest.Law {
	return algotest.Contracting(func(n, _ int) float64 { return float64(b(n)) / float64(n) })
}

const (
	along = algotest.AlongEstimator
	other = algotest.OtherMove
)

// naives is the naive form of a finite-sum method as the catalogue makes it for the forms of
// algotest, nil if there is none.
func naives(method string, eta, r float64, replace bool) *naive {
	switch method {
	case "SLEDGE-I":
		return naiveSLEDGE(eta, 0, true, r, nil)
	case "SLEDGE-II":
		return naiveSLEDGE(eta, 0, false, r, nil)
	case "GD":
		return naiveGD(eta, r)
	case "SGD":
		return naiveSGD(eta, 0, r, replace)
	case "Noisy SGD":
		return naiveNoisySGD(eta, r, replace)
	case "PGD":
		return naivePGD(eta, r, 5, 3, 25*eta)
	case "SVRG":
		return naiveSVRG(eta, 3, r, replace)
	case "SAGA", "SAGA (two draws)":
		return naiveSAGA(eta, method != "SAGA", r, replace)
	case "SARAH":
		return naiveSARAH(eta, 3, r, replace)
	case "iSARAH":
		return naiveInexact(eta, 0, 3, 0, r, replace)
	case "SPIDER-SFO":
		return naiveSPIDER(eta, 5, 3, 0, false, replace)
	case "SPIDER-SFO+", "SPIDER-SFO+ (finite-sum Neon2)":
		return naiveSPIDERPlus(eta, 0.3, 3, algos.Neon2{L: 2, Rho: 12, Delta: 1.5,
			Deterministic: method != "SPIDER-SFO+"}, replace)
	case "SSRGD":
		return naiveSSRGD(eta, 3, r, 0, 0, 0, replace)
	case "Stabilized SVRG":
		return naiveStabilized(eta, 0, 3, r, 5, 0, 0, false, replace)
	case "Nested SVRG":
		return naiveNested(eta, nil, nil, 0, r, replace)
	case "ZeroSARAH-I", "ZeroSARAH-II":
		return naiveZeroSARAH(eta, 0, method == "ZeroSARAH-I", r, replace)
	case "PAGE":
		return naivePAGE(eta, 0, false, r, replace)
	case "STORM":
		return naiveSTORM(eta, 0.1, false, r, replace)
	case "STORM (adaptive)":
		return naiveAdaptiveSTORM(eta, 0.1, 100, r, replace)
	case "Hybrid-SGD":
		return naiveHybrid(eta, 0.9, 0, false, r, replace)
	}
	return nil
}

// naiveFederated is the same for federated methods with b data in each of K local steps.
func naiveFederated(method string, eta float64, b, K int) *naiveClients {
	switch method {
	case "FLEDGE-I", "FLEDGE-II":
		return naiveFLEDGE(eta, b, K, method == "FLEDGE-I", 0, nil)
	case "FedAvg":
		return naiveFedAvg(eta, 1, b, K)
	case "SCAFFOLD-I", "SCAFFOLD-II":
		return naiveSCAFFOLD(eta, 1, b, K, method == "SCAFFOLD-I", false, false)
	case "Mime", "MimeLite":
		return naiveMime(eta, 1, b, K, 0.9, method == "MimeLite")
	case "MimeSGD":
		return naiveMime(eta, 1, b, K, 0, false)
	case "MimeMVR":
		return naiveMimeMVR(eta, 0.1, 0, b, K)
	case "FedVARP":
		return naiveFedVARP(eta, 1, b, K)
	case "BVR-L-SGD":
		return naiveBVR(eta, b, K, 0, 0, 0)
	case "BVR-L-PSGD":
		return naiveBVR(eta, b, K, 0, 0, 1e-3)
	}
	return nil
}

// With makes the naive form the reference of a form of the suite, which has none else.
func With(f algotest.Form) algotest.Form {
	method, set := f.Base(), f.Setting
	switch {
	case naiveFederated(method, 1, 1, 1) != nil:
		f.Options.Reference = func(_ int, eta float64) algos.Method {
			return naiveFederated(method, eta, max(1, set.Batch), max(1, set.LocalSteps))
		}
	case naives(method, 1, 0, false) != nil:
		f.Options.Reference = func(_ int, eta float64) algos.Method {
			return naives(method, eta, set.Radius, set.WithReplacement)
		}
	}
	return f
}

// Variants lists the forms of every method of the catalogue, and what else its parameters can make
// of it, each with its naive form for a reference.
func Variants() []algotest.Form {
	var out []algotest.Form
	usual := map[string]map[string]string{} // what no form of a method claims
	for _, f := range algotest.Forms() {
		if f.Name == f.Base() {
			usual[f.Name] = f.Options.Skip
		}
		out = append(out, With(f))
	}
	add := func(name string, law algotest.Law, move algotest.Move, made made) *algotest.Form {
		out = append(out, algotest.Form{Name: name, Method: made.method, Options: algotest.Options{
			Law: law, Move: move, Reference: made.naive}})
		return &out[len(out)-1]
	}
	// Other parameters of finite-sum methods.
	method := func(name string, law algotest.Law, move algotest.Move, made made) {
		f := add(name, law, move, made)
		f.Options.Skip = usual[f.Base()]
	}
	skip := func(why string, names ...string) {
		o := &out[len(out)-1].Options
		if o.Skip = maps.Clone(o.Skip); o.Skip == nil {
			o.Skip = map[string]string{}
		}
		for _, name := range names {
			o.Skip[name] = why
		}
	}
	schedule := func(t int) int { return []int{1, 3, 0, 20, 2}[t%5] }
	for option, name := range map[algos.Option]string{algos.OptionI: "SLEDGE-I",
		algos.OptionII: "SLEDGE-II"} {
		law := algotest.Contracting(func(n, t int) float64 {
			return float64(min(n, max(1, schedule(t)))) / float64(n)
		})
		method(name+"/schedule", law, along, func(_ int, eta float64) pair {
			return pair{&algos.SLEDGE{Eta: eta, Schedule: schedule, Option: option},
				naiveSLEDGE(eta, 0, option == algos.OptionI, 0, schedule)}
		})
		method(name+"/single", chosen(func(int) int { return 1 }), along,
			func(_ int, eta float64) pair {
				return pair{&algos.SLEDGE{Eta: eta, Batch: 1, Option: option},
					naiveSLEDGE(eta, 1, option == algos.OptionI, 0, nil)}
			})
	}
	method("SGD/large", algotest.Unbiased(), along, func(_ int, eta float64) pair {
		return pair{&algos.SGD{Tuning: algos.Tuning{Eta: eta, Batch: 6, WithReplacement: true}},
			naiveSGD(eta, 6, 0, true)}
	})
	method("PGD/escaping", algotest.NoLaw("it goes back to where it was"), other,
		func(_ int, eta float64) pair {
			return pair{&algos.PGD{Eta: eta, Radius: 0.3, Threshold: 2, Wait: 2,
				Decrease: 0.1 * eta},
				naivePGD(eta, 0.3, 2, 2, 0.1*eta)}
		})
	method("PGD/returning", algotest.NoLaw("it goes back to where it was"), other,
		func(_ int, eta float64) pair {
			return pair{&algos.PGD{Eta: eta, Radius: 0.05, Threshold: 3, Decrease: 10 * eta},
				naivePGD(eta, 0.05, 3, 1, 10*eta)}
		})
	skip("it returns a point far out, and its thresholds are absolute", "progress", "scaling",
		"allocation")
	for _, period := range []int{0, 5} {
		method("SVRG/period", algotest.Unbiased(), along, func(_ int, eta float64) pair {
			return pair{&algos.SVRG{Tuning: step(eta), Period: period},
				naiveSVRG(eta, period, 0, false)}
		})
		method("SARAH/period", algotest.Law{}, along, func(_ int, eta float64) pair {
			return pair{&algos.SARAH{Tuning: step(eta), Period: period},
				naiveSARAH(eta, period, 0, false)}
		})
		method("SPIDER-SFO/period", algotest.Law{}, other, func(_ int, eta float64) pair {
			return pair{&algos.SPIDER{Eta: eta, Eps: 0.1, Period: period},
				naiveSPIDER(eta, 0.1, period, 0, false, false)}
		})
		skip("its steps have bounded length", "progress")
		method("SSRGD/period", algotest.Law{}, other, func(_ int, eta float64) pair {
			return pair{&algos.SSRGD{Tuning: algos.Tuning{Eta: eta, Radius: 0.2}, Period: period,
				Threshold: 1},
				naiveSSRGD(eta, period, 0.2, 1, 0, 0, false)}
		})
		skip("its threshold is absolute", "scaling")
		method("Stabilized SVRG/period", algotest.Unbiased(), along, func(_ int, eta float64) pair {
			return pair{&algos.StabilizedSVRG{Tuning: step(eta), Period: period},
				naiveStabilized(eta, 0, period, 0, 0, 0, 0, false, false)}
		})
		method("iSARAH/period", algotest.Law{}, along, func(n int, eta float64) pair {
			return pair{&algos.InexactSARAH{Tuning: algos.Tuning{Eta: eta, Batch: min(n, 2)},
				Period: period, Restart: min(n, 3)},
				naiveInexact(eta, min(n, 2), period, min(n, 3), 0, false)}
		})
	}
	method("iSARAH/default", algotest.Renewed(1), along, func(n int, eta float64) pair {
		return pair{&algos.InexactSARAH{Tuning: step(eta), Period: 1, Restart: min(n, 2)},
			naiveInexact(eta, 0, 1, min(n, 2), 0, false)}
	})
	for _, replace := range []bool{false, true} {
		method("SPIDER-SFO/sample", algotest.Renewed(4), other, func(n int, eta float64) pair {
			return pair{&algos.SPIDER{Eta: eta, Eps: 1, Period: 4, Refresh: min(n, 3),
				WithReplacement: replace},
				naiveSPIDER(eta, 1, 4, min(n, 3), false, replace)}
		})
		skip("its steps have bounded length", "progress")
	}
	method("SPIDER-SFO/normalized", algotest.Renewed(4), other, func(_ int, eta float64) pair {
		return pair{&algos.SPIDER{Eta: eta, Eps: 0.6, Period: 4, Normalized: true},
			naiveSPIDER(eta, 0.6, 4, 0, true, false)}
	})
	skip("its steps have bounded length", "progress")
	for _, f := range []struct {
		suffix                      string
		radius, threshold, decrease float64
		period, wait                int
	}{{"waiting", 0.3, 0, 0, 4, 2}, {"long", 0.3, 2, 0, 2, 5}, {"never", 0.3, -1, 0, 4, 0},
		{"decreasing", 0.3, 0, 0.05, 4, 7}, {"still", 0, 0, 0, 4, 2}} {
		method("SSRGD/"+f.suffix, algotest.NoLaw("epochs end when a search does"), other,
			func(_ int, eta float64) pair {
				return pair{&algos.SSRGD{Tuning: algos.Tuning{Eta: eta, Radius: f.radius},
					Period: f.period, Threshold: f.threshold,
					Wait: f.wait, Decrease: f.decrease},
					naiveSSRGD(eta, f.period, f.radius, f.threshold, f.wait, f.decrease, false)}
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
			func(n int, eta float64) pair {
				return pair{&algos.StabilizedSVRG{
					Tuning: algos.Tuning{Eta: eta, Batch: min(n, 2), Radius: 0.3},
					Period: f.period, Threshold: f.threshold, Distance: f.distance,
					Wait: f.wait, Perturbed: f.perturbed},
					naiveStabilized(eta, min(n, 2), f.period, 0.3, f.threshold, f.distance,
						f.wait, f.perturbed, false)}
			})
		skip("its thresholds are absolute, and a perturbed step takes two estimates", "scaling",
			"sampling", "degenerate")
	}
	method("Nested SVRG/two levels",
		algotest.Contracting(func(_, t int) float64 { return float64(1 - t%2) }), along,
		func(_ int, eta float64) pair {
			return pair{&algos.NestedSVRG{Eta: eta, Lengths: []int{2, 2}, Sizes: []int{2, 2}},
				naiveNested(eta, []int{2, 2}, []int{2, 2}, 0, 0, false)}
		})
	method("Nested SVRG/three levels",
		algotest.NoLaw("its errors are those of the coarser levels"), along,
		func(n int, eta float64) pair {
			return pair{&algos.NestedSVRG{Eta: eta, Lengths: []int{2, 3, 2}, Sizes: []int{3, 2, 1},
				Base: min(n, 4)},
				naiveNested(eta, []int{2, 3, 2}, []int{3, 2, 1}, 4, 0, false)}
		})
	method("ZeroSARAH-I/weight", algotest.Constant(0.4), along, func(_ int, eta float64) pair {
		return pair{&algos.ZeroSARAH{Tuning: step(eta), Lambda: 0.4, Option: algos.OptionI},
			naiveZeroSARAH(eta, 0.4, true, 0, false)}
	})
	method("PAGE/half", algotest.Constant(0.5), along, func(_ int, eta float64) pair {
		return pair{&algos.PAGE{Tuning: step(eta), Probability: 0.5},
			naivePAGE(eta, 0.5, false, 0, false)}
	})
	method("PAGE/never", algotest.Constant(0), along, func(_ int, eta float64) pair {
		return pair{&algos.PAGE{Tuning: step(eta), Never: true},
			naivePAGE(eta, 0.5, true, 0, false)}
	})
	method("PAGE/never half", algotest.Constant(0), along, func(_ int, eta float64) pair {
		return pair{&algos.PAGE{Tuning: step(eta), Never: true, Probability: 0.5},
			naivePAGE(eta, 0.5, true, 0, false)}
	})
	method("STORM/full", algotest.Constant(0.3), along, func(_ int, eta float64) pair {
		return pair{&algos.STORM{Tuning: step(eta), A: 0.3, FullStart: true},
			naiveSTORM(eta, 0.3, true, 0, false)}
	})
	method("STORM (adaptive)/constants", algotest.Law{}, other, func(_ int, eta float64) pair {
		return pair{&algos.STORM{Adaptive: true, K: 2 * eta, W: 3, C: 10},
			naiveAdaptiveSTORM(2*eta, 3, 10, 0, false)}
	})
	method("STORM (adaptive)/defaults", algotest.Law{}, other, func(_ int, _ float64) pair {
		return pair{&algos.STORM{Adaptive: true},
			naiveAdaptiveSTORM(0.1, 0.1, 100, 0, false)}
	})
	for _, same := range []bool{false, true} {
		method("Hybrid-SGD/first", algotest.Constant(0.3), along, func(n int, eta float64) pair {
			return pair{&algos.HybridSGD{Tuning: step(eta), Beta: 0.7, First: min(n, 3),
				SameBatch: same},
				naiveHybrid(eta, 0.7, 3, same, 0, false)}
		})
	}
	for _, deterministic := range []bool{false, true} {
		// A stretch of 7 steps: a run of the suite ends amid one.
		neon := algos.Neon2{L: 2, Rho: 12, Delta: 1.5, Deterministic: deterministic}
		method((&algos.SPIDERPlus{Neon: neon}).Name()+"/long", algotest.Renewed(3), other,
			func(_ int, eta float64) pair {
				return pair{&algos.SPIDERPlus{Eta: eta, Eps: 0.2, Period: 3, Neon: neon},
					naiveSPIDERPlus(eta, 0.2, 3, neon, false)}
			})
	}
	// Other parameters of federated methods.
	federated := func(name string, law algotest.Law, move algotest.Move, made made) {
		add(name, law, move, made).Options.Federated = true
	}
	local := func(k int) int { return []int{0, 3, 20}[k%3] }
	federated("FLEDGE-I/schedule", chosen(root), other, func(_ int, eta float64) pair {
		return pair{&algos.FLEDGE{Eta: eta, Batch: 1, LocalSteps: 4, Radius: 0.05, Schedule: local,
			Option: algos.OptionI},
			naiveFLEDGE(eta, 1, 4, true, 0.05, local)}
	})
	federated("FLEDGE-II/default", chosen(root), other, func(_ int, eta float64) pair {
		return pair{&algos.FLEDGE{Eta: eta, LocalSteps: 4, Radius: 0.05, Cap: true},
			naiveFLEDGE(eta, 4, 4, false, 0.05, nil)}
	})
	half := algotest.NoLaw("the server takes half steps")
	federated("FedAvg/server", half, other, func(_ int, eta float64) pair {
		return pair{&algos.FedAvg{LocalTuning: threeSteps(eta)},
			naiveFedAvg(eta, 0.5, 2, 3)}
	})
	federated("SCAFFOLD-I/server", half, other, func(_ int, eta float64) pair {
		return pair{&algos.SCAFFOLD{LocalTuning: threeSteps(eta),
			Option:      algos.OptionI,
			FullControl: true},
			naiveSCAFFOLD(eta, 0.5, 2, 3, true, true, false)}
	})
	federated("SCAFFOLD-II/server", half, other, func(_ int, eta float64) pair {
		return pair{&algos.SCAFFOLD{LocalTuning: threeSteps(eta), Warm: true},
			naiveSCAFFOLD(eta, 0.5, 2, 3, false, false, true)}
	})
	federated("Mime/server", half, other, func(_ int, eta float64) pair {
		return pair{&algos.Mime{LocalTuning: threeSteps(eta), Momentum: 0.3},
			naiveMime(eta, 0.5, 2, 3, 0.3, false)}
	})
	federated("FedVARP/server", half, other, func(_ int, eta float64) pair {
		return pair{&algos.FedVARP{LocalTuning: threeSteps(eta)},
			naiveFedVARP(eta, 0.5, 2, 3)}
	})
	federated("MimeMVR/first", algotest.Constant(0.4).Lagging(), other,
		func(P int, eta float64) pair {
			return pair{&algos.MimeMVR{Eta: eta, A: 0.4, First: P, Batch: 2, LocalSteps: 3},
				naiveMimeMVR(eta, 0.4, P, 2, 3)}
		})
	skip("the first clients of the first set take the local steps", "order")
	federated("BVR-L-PSGD/large", algotest.Renewed(3), other, func(_ int, eta float64) pair {
		return pair{&algos.BVRLSGD{Eta: eta, Batch: 1, LocalSteps: 3, Large: 5, Stage: 3,
			Radius: 0.05},
			naiveBVR(eta, 1, 3, 5, 3, 0.05)}
	})
	federated("BVR-L-SGD/default", algotest.Renewed(2), other, func(_ int, eta float64) pair {
		return pair{&algos.BVRLSGD{Eta: eta, LocalSteps: 2},
			naiveBVR(eta, 2, 2, 0, 0, 0)}
	})
	return out
}

// pair is a method and its naive form.
type pair struct{ method, naive algos.Method }

// made makes both on n components (clients), with a step size.
type made func(n int, eta float64) pair

func (f made) method(n int, eta float64) algos.Method { return f(n, eta).method }
func (f made) naive(n int, eta float64) algos.Method  { return f(n, eta).naive }

// step is a tuning with a step size alone.
func step(eta float64) algos.Tuning { return algos.Tuning{Eta: eta} }

// threeSteps is a tuning with three local steps and half a server step.
func threeSteps(eta float64) algos.LocalTuning {
	return algos.LocalTuning{Eta: eta, ServerEta: 0.5, Batch: 2, LocalSteps: 3}
}
