package algotest_test

import (
	"flag"
	"maps"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/algotest"
)

// Properties that single methods do not have, with the reason.
var exceptions = map[string]map[string]string{
	"PGD":        {"scaling": "its thresholds are absolute", "allocation": "the test objective allocates when it computes a value"},
	"SPIDER-SFO": {"scaling": "its step length depends on the absolute target ε"},
	"SPIDER-SFO+": {"scaling": "its step length depends on the absolute target ε", "allocation": "a curvature search allocates; ordinary steps do not",
		"sampling": "a curvature search draws thousands of single components"},
	"STORM (adaptive)": {"scaling": "its step size adapts to the gradients", "refusals": "a zero constant stands for its default",
		"progress": "its steps shrink with the squared gradients met on the way, too fast for a start this far out"},
}

// variant is a method of the catalogue in one of its forms, with what it declares and its naive form.
type variant struct {
	name    string // a name of the catalogue, or one with a suffix after a slash
	sum     func(n int, eta float64) algos.Method
	naive   func(n int, eta float64) *naive
	clients func(P int, eta float64) algos.FederatedMethod
	simple  func(P int, eta float64) *naiveClients
	law     algotest.Law
	move    algotest.Move
	skip    map[string]string
}

func (v variant) options() algotest.Options {
	opt := algotest.Options{Law: v.law, Move: v.move, Skip: maps.Clone(exceptions[strings.Split(v.name, "/")[0]])}
	if opt.Skip == nil {
		opt.Skip = map[string]string{}
	}
	maps.Copy(opt.Skip, v.skip)
	if v.naive != nil {
		opt.Reference = func(n int, eta float64) algos.Method { return v.naive(n, eta) }
	}
	if v.simple != nil {
		opt.FederatedReference = func(P int, eta float64) algos.FederatedMethod { return v.simple(P, eta) }
	}
	return opt
}

func (v variant) test(t *testing.T) {
	if v.sum != nil {
		algotest.Test(t, v.sum, v.options())
	} else {
		algotest.TestFederated(t, v.clients, v.options())
	}
}

func (v variant) check() error {
	if v.sum != nil {
		return algotest.Check(v.sum, v.options())
	}
	return algotest.CheckFederated(v.clients, v.options())
}

// cycle is the law of a recursion without bias that is renewed at every m-th step.
func cycle(m int) algotest.Law {
	return algotest.Contracting(func(_, t int) float64 {
		if t%m == 0 {
			return 1
		}
		return 0
	})
}

func share(b func(n int) float64) algotest.Law {
	return algotest.Contracting(func(n, _ int) float64 { return b(n) / float64(n) })
}

func fixed(c float64) algotest.Law { return algotest.Contracting(func(int, int) float64 { return c }) }

func rootOf(n int) float64 { return float64(root(n)) }

const (
	along = algotest.AlongEstimator
	other = algotest.OtherMove
)

// variants lists every method of the catalogue with its default parameters, and what else its parameters can make of it.
func variants() []variant {
	var out []variant
	type set = algos.Setting
	// Finite sums: each form without noise as the catalogue makes it, with noise, and with replacement.
	for _, f := range []struct {
		name  string
		law   algotest.Law
		move  algotest.Move
		naive func(eta, r float64, replace bool) *naive
		noise bool // takes a radius
		sets  bool // draws sets with replacement, too
	}{
		{"SLEDGE-I", share(rootOf), along, func(eta, r float64, _ bool) *naive { return naiveSLEDGE(eta, 0, true, r, nil) }, true, false},
		{"SLEDGE-II", share(rootOf), along, func(eta, r float64, _ bool) *naive { return naiveSLEDGE(eta, 0, false, r, nil) }, true, false},
		{"GD", algotest.Unbiased(), along, func(eta, r float64, _ bool) *naive { return naiveGD(eta, r) }, true, false},
		{"SGD", algotest.Unbiased(), along, func(eta, r float64, w bool) *naive { return naiveSGD(eta, 0, r, w) }, true, true},
		{"Noisy SGD", algotest.Unbiased(), along, func(eta, r float64, w bool) *naive { return naiveNoisySGD(eta, r, w) }, true, true},
		{"PGD", algotest.Unbiased(), other, func(eta, r float64, _ bool) *naive { return naivePGD(eta, r, 5, 3, 25*eta) }, true, false},
		{"SVRG", algotest.Unbiased(), along, func(eta, r float64, w bool) *naive { return naiveSVRG(eta, 0, 3, r, w) }, true, true},
		{"SAGA", algotest.Unbiased(), along, func(eta, r float64, w bool) *naive { return naiveSAGA(eta, false, r, w) }, true, true},
		{"SAGA (two draws)", algotest.Unbiased(), along, func(eta, r float64, w bool) *naive { return naiveSAGA(eta, true, r, w) }, true, true},
		{"SARAH", cycle(3), along, func(eta, r float64, w bool) *naive { return naiveSARAH(eta, 0, 3, 0, r, w) }, true, true},
		{"iSARAH", cycle(3), along, func(eta, r float64, w bool) *naive { return naiveInexact(eta, 0, 3, 0, r, w) }, true, true},
		{"SPIDER-SFO", cycle(3), other, func(eta, _ float64, w bool) *naive { return naiveSPIDER(eta, 5, 3, 0, false, w) }, false, true},
		{"SSRGD", cycle(3), other, func(eta, r float64, w bool) *naive { return naiveSSRGD(eta, 3, r, 0, 0, 0, w) }, true, true},
		{"Stabilized SVRG", algotest.Unbiased(), along, func(eta, r float64, w bool) *naive {
			return naiveStabilized(eta, 0, 3, r, 5, 0, 0, false, w)
		}, true, true},
		{"Nested SVRG", algotest.Unbiased(), along, func(eta, r float64, w bool) *naive { return naiveNested(eta, nil, nil, 0, r, w) }, true, true},
		{"ZeroSARAH-I", share(func(n int) float64 { return rootOf(n) / 2 }), along, func(eta, r float64, w bool) *naive {
			return naiveZeroSARAH(eta, 0, true, r, w)
		}, true, true},
		{"ZeroSARAH-II", share(func(n int) float64 { return rootOf(n) / 2 }), along, func(eta, r float64, w bool) *naive {
			return naiveZeroSARAH(eta, 0, false, r, w)
		}, true, true},
		{"PAGE", algotest.Contracting(func(n, _ int) float64 { return rootOf(n) / (rootOf(n) + float64(n)) }), along,
			func(eta, r float64, w bool) *naive { return naivePAGE(eta, 0, false, r, w) }, true, true},
		{"STORM", fixed(0.1), along, func(eta, r float64, w bool) *naive { return naiveSTORM(eta, 0.1, false, r, w) }, true, true},
		{"STORM (adaptive)", algotest.Law{}, other, func(eta, r float64, w bool) *naive { return naiveAdaptiveSTORM(eta, 0.1, 100, r, w) }, true, true},
		{"Hybrid-SGD", fixed(0.1), along, func(eta, r float64, w bool) *naive { return naiveHybrid(eta, 0.9, 0, false, r, w) }, true, true},
	} {
		c, ok := algos.ByName(f.name)
		if !ok {
			panic(f.name)
		}
		for _, form := range []struct {
			suffix  string
			radius  float64
			replace bool
		}{{"", 0, false}, {"/noise", 0.05, false}, {"/replacement", 0, true}} {
			if form.radius > 0 && !f.noise || form.replace && !f.sets {
				continue
			}
			v := variant{name: f.name + form.suffix, law: f.law, move: f.move,
				sum: func(_ int, eta float64) algos.Method {
					return c.Method(set{Eta: eta, Radius: form.radius, WithReplacement: form.replace, Eps: 5, L: 2, Delta: 1, Period: 3})
				},
				naive: func(_ int, eta float64) *naive { return f.naive(eta, form.radius, form.replace) }}
			if form.radius > 0 {
				switch f.name {
				case "Noisy SGD":
					v.move = other
					v.skip = map[string]string{"scaling": "the added vector has a length of its own"}
				case "Stabilized SVRG":
					v.law, v.move = algotest.NoLaw("a super-epoch follows the estimator less a gradient"), other
					v.skip = map[string]string{"scaling": "its threshold is absolute", "degenerate": "it leaves a minimiser, too",
						"sampling": "a perturbed step takes two estimates"}
				case "SSRGD":
					v.law = cycle(3)
				}
			}
			out = append(out, v)
		}
	}
	// Other parameters of finite-sum methods.
	method := func(name string, law algotest.Law, move algotest.Move, sum func(n int, eta float64) algos.Method, naive func(n int, eta float64) *naive) {
		out = append(out, variant{name: name, law: law, move: move, sum: sum, naive: naive})
	}
	skip := func(why string, names ...string) {
		last := &out[len(out)-1]
		last.skip = map[string]string{}
		for _, name := range names {
			last.skip[name] = why
		}
	}
	schedule := func(t int) int { return []int{1, 3, 0, 20, 2}[t%5] }
	for option, name := range map[algos.Option]string{algos.OptionI: "SLEDGE-I", algos.OptionII: "SLEDGE-II"} {
		method(name+"/schedule", algotest.Contracting(func(n, t int) float64 { return float64(min(n, max(1, schedule(t)))) / float64(n) }), along,
			func(_ int, eta float64) algos.Method {
				return &algos.SLEDGE{Eta: eta, Schedule: schedule, Option: option}
			},
			func(_ int, eta float64) *naive { return naiveSLEDGE(eta, 0, option == algos.OptionI, 0, schedule) })
		method(name+"/single", share(func(int) float64 { return 1 }), along,
			func(_ int, eta float64) algos.Method { return &algos.SLEDGE{Eta: eta, Batch: 1, Option: option} },
			func(_ int, eta float64) *naive { return naiveSLEDGE(eta, 1, option == algos.OptionI, 0, nil) })
	}
	method("SGD/large", algotest.Unbiased(), along,
		func(_ int, eta float64) algos.Method { return &algos.SGD{Eta: eta, Batch: 6, WithReplacement: true} },
		func(_ int, eta float64) *naive { return naiveSGD(eta, 6, 0, true) })
	method("PGD/escaping", algotest.NoLaw("it goes back to where it was"), other,
		func(_ int, eta float64) algos.Method {
			return &algos.PGD{Eta: eta, Radius: 0.3, Threshold: 2, Wait: 2, Decrease: 0.1 * eta}
		},
		func(_ int, eta float64) *naive { return naivePGD(eta, 0.3, 2, 2, 0.1*eta) })
	for _, period := range []int{0, 5} {
		method("SVRG/period", algotest.Unbiased(), along,
			func(_ int, eta float64) algos.Method { return &algos.SVRG{Eta: eta, Period: period} },
			func(_ int, eta float64) *naive { return naiveSVRG(eta, 0, period, 0, false) })
		method("SARAH/period", algotest.Law{}, along,
			func(_ int, eta float64) algos.Method { return &algos.SARAH{Eta: eta, Period: period} },
			func(_ int, eta float64) *naive { return naiveSARAH(eta, 0, period, 0, 0, false) })
		method("SPIDER-SFO/period", algotest.Law{}, other,
			func(_ int, eta float64) algos.Method { return &algos.SPIDER{Eta: eta, Eps: 0.1, Period: period} },
			func(_ int, eta float64) *naive { return naiveSPIDER(eta, 0.1, period, 0, false, false) })
		skip("its steps have bounded length", "progress")
		method("SSRGD/period", algotest.Law{}, other,
			func(_ int, eta float64) algos.Method {
				return &algos.SSRGD{Eta: eta, Period: period, Radius: 0.2, Threshold: 1}
			},
			func(_ int, eta float64) *naive { return naiveSSRGD(eta, period, 0.2, 1, 0, 0, false) })
		skip("its threshold is absolute", "scaling")
		method("Stabilized SVRG/period", algotest.Unbiased(), along,
			func(_ int, eta float64) algos.Method { return &algos.StabilizedSVRG{Eta: eta, Period: period} },
			func(_ int, eta float64) *naive {
				return naiveStabilized(eta, 0, period, 0, 0, 0, 0, false, false)
			})
		method("iSARAH/period", algotest.Law{}, along,
			func(n int, eta float64) algos.Method {
				return &algos.InexactSARAH{Eta: eta, Period: period, Batch: min(n, 2), Restart: min(n, 3)}
			},
			func(n int, eta float64) *naive { return naiveInexact(eta, min(n, 2), period, min(n, 3), 0, false) })
	}
	method("iSARAH/default", cycle(1), along,
		func(n int, eta float64) algos.Method {
			return &algos.InexactSARAH{Eta: eta, Period: 1, Restart: min(n, 2)}
		},
		func(n int, eta float64) *naive { return naiveInexact(eta, 0, 1, min(n, 2), 0, false) })
	for _, replace := range []bool{false, true} {
		method("SPIDER-SFO/sample", cycle(4), other,
			func(n int, eta float64) algos.Method {
				return &algos.SPIDER{Eta: eta, Eps: 1, Period: 4, Refresh: min(n, 3), WithReplacement: replace}
			},
			func(n int, eta float64) *naive { return naiveSPIDER(eta, 1, 4, min(n, 3), false, replace) })
		skip("its steps have bounded length", "progress")
	}
	method("SPIDER-SFO/normalized", cycle(4), other,
		func(_ int, eta float64) algos.Method {
			return &algos.SPIDER{Eta: eta, Eps: 0.6, Period: 4, Normalized: true}
		},
		func(_ int, eta float64) *naive { return naiveSPIDER(eta, 0.6, 4, 0, true, false) })
	skip("its steps have bounded length", "progress")
	for _, f := range []struct {
		suffix                      string
		radius, threshold, decrease float64
		period, wait                int
	}{{"waiting", 0.3, 0, 0, 4, 2}, {"long", 0.3, 2, 0, 2, 5}, {"never", 0.3, -1, 0, 4, 0}, {"decreasing", 0.3, 0, 0.05, 4, 7}} {
		method("SSRGD/"+f.suffix, algotest.NoLaw("epochs end when a search does"), other,
			func(_ int, eta float64) algos.Method {
				return &algos.SSRGD{Eta: eta, Period: f.period, Radius: f.radius, Threshold: f.threshold, Wait: f.wait, Decrease: f.decrease}
			},
			func(_ int, eta float64) *naive {
				return naiveSSRGD(eta, f.period, f.radius, f.threshold, f.wait, f.decrease, false)
			})
		skip("its thresholds are absolute, and values allocate here", "scaling", "allocation")
	}
	for _, f := range []struct {
		suffix              string
		threshold, distance float64
		period, wait        int
		perturbed           bool
	}{{"waiting", 5, 0, 4, 2, false}, {"long", 2, 0, 2, 5, false}, {"perturbed", 5, 0, 3, 5, true}, {"far", 5, 0.4, 3, 9, false}} {
		method("Stabilized SVRG/"+f.suffix, algotest.NoLaw("a super-epoch follows the estimator less a gradient"), other,
			func(n int, eta float64) algos.Method {
				return &algos.StabilizedSVRG{Eta: eta, Batch: min(n, 2), Period: f.period, Radius: 0.3, Threshold: f.threshold, Distance: f.distance, Wait: f.wait, Perturbed: f.perturbed}
			},
			func(n int, eta float64) *naive {
				return naiveStabilized(eta, min(n, 2), f.period, 0.3, f.threshold, f.distance, f.wait, f.perturbed, false)
			})
		skip("its thresholds are absolute, and a perturbed step takes two estimates", "scaling", "sampling", "degenerate")
	}
	method("Nested SVRG/two levels", algotest.Contracting(func(_, t int) float64 { return float64(1 - t%2) }), along,
		func(_ int, eta float64) algos.Method {
			return &algos.NestedSVRG{Eta: eta, Lengths: []int{2, 2}, Sizes: []int{2, 2}}
		},
		func(_ int, eta float64) *naive { return naiveNested(eta, []int{2, 2}, []int{2, 2}, 0, 0, false) })
	method("Nested SVRG/three levels", algotest.NoLaw("its errors are those of the coarser levels"), along,
		func(n int, eta float64) algos.Method {
			return &algos.NestedSVRG{Eta: eta, Lengths: []int{2, 3, 2}, Sizes: []int{3, 2, 1}, Base: min(n, 4)}
		},
		func(n int, eta float64) *naive { return naiveNested(eta, []int{2, 3, 2}, []int{3, 2, 1}, 4, 0, false) })
	method("ZeroSARAH-I/weight", fixed(0.4), along,
		func(_ int, eta float64) algos.Method {
			return &algos.ZeroSARAH{Eta: eta, Lambda: 0.4, Option: algos.OptionI}
		},
		func(_ int, eta float64) *naive { return naiveZeroSARAH(eta, 0.4, true, 0, false) })
	method("PAGE/half", fixed(0.5), along,
		func(_ int, eta float64) algos.Method { return &algos.PAGE{Eta: eta, Probability: 0.5} },
		func(_ int, eta float64) *naive { return naivePAGE(eta, 0.5, false, 0, false) })
	method("PAGE/never", fixed(0), along,
		func(_ int, eta float64) algos.Method { return &algos.PAGE{Eta: eta, Never: true} },
		func(_ int, eta float64) *naive { return naivePAGE(eta, 0.5, true, 0, false) })
	method("STORM/full", fixed(0.3), along,
		func(_ int, eta float64) algos.Method { return &algos.STORM{Eta: eta, A: 0.3, FullStart: true} },
		func(_ int, eta float64) *naive { return naiveSTORM(eta, 0.3, true, 0, false) })
	method("STORM (adaptive)/constants", algotest.Law{}, other,
		func(_ int, eta float64) algos.Method { return &algos.STORM{Adaptive: true, K: 2 * eta, W: 3, C: 10} },
		func(_ int, eta float64) *naive { return naiveAdaptiveSTORM(2*eta, 3, 10, 0, false) })
	method("STORM (adaptive)/defaults", algotest.Law{}, other,
		func(_ int, _ float64) algos.Method { return &algos.STORM{Adaptive: true} },
		func(_ int, _ float64) *naive { return naiveAdaptiveSTORM(0.1, 0.1, 100, 0, false) })
	for _, same := range []bool{false, true} {
		method("Hybrid-SGD/first", fixed(0.3), along,
			func(n int, eta float64) algos.Method {
				return &algos.HybridSGD{Eta: eta, Beta: 0.7, First: min(n, 3), SameBatch: same}
			},
			func(_ int, eta float64) *naive { return naiveHybrid(eta, 0.7, 3, same, 0, false) })
	}
	for _, deterministic := range []bool{false, true} {
		for _, replace := range []bool{false, true} {
			method("SPIDER-SFO+", cycle(3), other,
				func(_ int, eta float64) algos.Method {
					return &algos.SPIDERPlus{Eta: eta, Eps: 0.3, Period: 3, WithReplacement: replace, Neon: algos.Neon2{L: 2, Rho: 3, Delta: 1.5, Deterministic: deterministic}}
				},
				func(_ int, eta float64) *naive {
					return naiveSPIDERPlus(eta, 0.3, 3, algos.Neon2{L: 2, Rho: 3, Delta: 1.5, Deterministic: deterministic}, replace)
				})
			skip("its steps have bounded length", "progress")
		}
	}
	// Federated methods: with local steps, where the mean of what they do obeys no law, and with single ones.
	federated := func(name string, law algotest.Law, move algotest.Move, clients func(P int, eta float64) algos.FederatedMethod, simple func(P int, eta float64) *naiveClients) {
		out = append(out, variant{name: name, law: law, move: move, clients: clients, simple: simple})
	}
	chosen := share(rootOf)
	for _, K := range []int{1, 2, 3} {
		suffix := []string{"", "/single", "", "/three"}[K]
		b := []int{0, 1, 3, 2}[K]
		displaced, mixed, lite := algotest.Unbiased().Lagging(), algotest.Averaging(func(int, int) float64 { return 0.9 }).Lagging(), algotest.NoLaw("its state takes full gradients, its steps minibatches")
		if K > 1 {
			displaced = algotest.NoLaw("the displacement of several local steps")
			mixed = displaced
		}
		set := func(eta float64) algos.Setting { return algos.Setting{Eta: eta, LocalSteps: K, Batch: b} }
		named := func(name string) func(P int, eta float64) algos.FederatedMethod {
			c, ok := algos.ByName(name)
			if !ok {
				panic(name)
			}
			return func(_ int, eta float64) algos.FederatedMethod { return c.Federated(set(eta)) }
		}
		direct := other
		if K == 1 {
			direct = along
		}
		federated("FLEDGE-I"+suffix, chosen, direct, named("FLEDGE-I"), func(_ int, eta float64) *naiveClients { return naiveFLEDGE(eta, b, K, true, 0, nil) })
		federated("FLEDGE-II"+suffix, chosen, direct, named("FLEDGE-II"), func(_ int, eta float64) *naiveClients { return naiveFLEDGE(eta, b, K, false, 0, nil) })
		federated("FedAvg"+suffix, displaced, other, named("FedAvg"), func(_ int, eta float64) *naiveClients { return naiveFedAvg(eta, 1, b, K) })
		federated("SCAFFOLD-I"+suffix, displaced, other, named("SCAFFOLD-I"), func(_ int, eta float64) *naiveClients {
			return naiveSCAFFOLD(eta, 1, b, K, true, false, false)
		})
		federated("SCAFFOLD-II"+suffix, displaced, other, named("SCAFFOLD-II"), func(_ int, eta float64) *naiveClients {
			return naiveSCAFFOLD(eta, 1, b, K, false, false, false)
		})
		federated("Mime"+suffix, mixed, other, named("Mime"), func(_ int, eta float64) *naiveClients { return naiveMime(eta, 1, b, K, 0.9, false) })
		federated("MimeLite"+suffix, lite, other, named("MimeLite"), func(_ int, eta float64) *naiveClients { return naiveMime(eta, 1, b, K, 0.9, true) })
		federated("MimeSGD"+suffix, displaced, other, named("MimeSGD"), func(_ int, eta float64) *naiveClients { return naiveMime(eta, 1, b, K, 0, false) })
		federated("MimeMVR"+suffix, fixed(0.1).Lagging(), other, named("MimeMVR"), func(_ int, eta float64) *naiveClients { return naiveMimeMVR(eta, 0.1, 0, b, K) })
		federated("FedVARP"+suffix, displaced, other, named("FedVARP"), func(_ int, eta float64) *naiveClients { return naiveFedVARP(eta, 1, b, K) })
		federated("BVR-L-SGD"+suffix, cycle(2), direct, named("BVR-L-SGD"), func(_ int, eta float64) *naiveClients { return naiveBVR(eta, b, K, 0, 0, 0) })
		federated("BVR-L-PSGD"+suffix, cycle(2), direct, named("BVR-L-PSGD"), func(_ int, eta float64) *naiveClients { return naiveBVR(eta, b, K, 0, 0, 1e-3) })
	}
	local := func(k int) int { return []int{0, 3, 20}[k%3] }
	federated("FLEDGE-I/schedule", chosen, other,
		func(_ int, eta float64) algos.FederatedMethod {
			return &algos.FLEDGE{Eta: eta, Batch: 1, LocalSteps: 4, Radius: 0.05, Schedule: local, Option: algos.OptionI}
		},
		func(_ int, eta float64) *naiveClients { return naiveFLEDGE(eta, 1, 4, true, 0.05, local) })
	federated("FLEDGE-II/default", chosen, other,
		func(_ int, eta float64) algos.FederatedMethod {
			return &algos.FLEDGE{Eta: eta, LocalSteps: 4, Radius: 0.05, Cap: true}
		},
		func(_ int, eta float64) *naiveClients { return naiveFLEDGE(eta, 4, 4, false, 0.05, nil) })
	half := algotest.NoLaw("the server takes half steps")
	federated("FedAvg/server", half, other,
		func(_ int, eta float64) algos.FederatedMethod {
			return &algos.FedAvg{Eta: eta, ServerEta: 0.5, Batch: 2, LocalSteps: 3}
		},
		func(_ int, eta float64) *naiveClients { return naiveFedAvg(eta, 0.5, 2, 3) })
	federated("SCAFFOLD-I/server", half, other,
		func(_ int, eta float64) algos.FederatedMethod {
			return &algos.SCAFFOLD{Eta: eta, ServerEta: 0.5, Batch: 2, LocalSteps: 3, Option: algos.OptionI, FullControl: true}
		},
		func(_ int, eta float64) *naiveClients { return naiveSCAFFOLD(eta, 0.5, 2, 3, true, true, false) })
	federated("SCAFFOLD-II/server", half, other,
		func(_ int, eta float64) algos.FederatedMethod {
			return &algos.SCAFFOLD{Eta: eta, ServerEta: 0.5, Batch: 2, LocalSteps: 3, Warm: true}
		},
		func(_ int, eta float64) *naiveClients { return naiveSCAFFOLD(eta, 0.5, 2, 3, false, false, true) })
	federated("Mime/server", half, other,
		func(_ int, eta float64) algos.FederatedMethod {
			return &algos.Mime{Eta: eta, ServerEta: 0.5, Batch: 2, LocalSteps: 3, Momentum: 0.3}
		},
		func(_ int, eta float64) *naiveClients { return naiveMime(eta, 0.5, 2, 3, 0.3, false) })
	federated("FedVARP/server", half, other,
		func(_ int, eta float64) algos.FederatedMethod {
			return &algos.FedVARP{Eta: eta, ServerEta: 0.5, Batch: 2, LocalSteps: 3}
		},
		func(_ int, eta float64) *naiveClients { return naiveFedVARP(eta, 0.5, 2, 3) })
	federated("MimeMVR/first", fixed(0.4).Lagging(), other,
		func(P int, eta float64) algos.FederatedMethod {
			return &algos.MimeMVR{Eta: eta, A: 0.4, First: P, Batch: 2, LocalSteps: 3}
		},
		func(P int, eta float64) *naiveClients { return naiveMimeMVR(eta, 0.4, P, 2, 3) })
	skip("the first clients of the first set take the local steps", "order")
	federated("BVR-L-PSGD/large", cycle(3), other,
		func(_ int, eta float64) algos.FederatedMethod {
			return &algos.BVRLSGD{Eta: eta, Batch: 1, LocalSteps: 3, Large: 5, Stage: 3, Radius: 0.05}
		},
		func(_ int, eta float64) *naiveClients { return naiveBVR(eta, 1, 3, 5, 3, 0.05) })
	federated("BVR-L-SGD/default", cycle(2), other,
		func(_ int, eta float64) algos.FederatedMethod { return &algos.BVRLSGD{Eta: eta, LocalSteps: 2} },
		func(_ int, eta float64) *naiveClients { return naiveBVR(eta, 2, 2, 0, 0, 0) })
	return out
}

// only chooses variants by the first part of their names; the mutation tool sets it.
var only = flag.String("variants", "", "comma-separated names of methods whose variants are tested; all if empty")

func TestCatalogueConforms(t *testing.T) {
	covered := map[string]bool{}
	for _, v := range variants() {
		method := strings.Split(v.name, "/")[0]
		covered[method] = true
		if *only != "" && !strings.Contains(","+*only+",", ","+method+",") {
			continue
		}
		t.Run(v.name, v.test)
	}
	for _, c := range algos.Catalogue() {
		if name := strings.TrimSuffix(c.Name, " (finite-sum Neon2)"); !covered[name] {
			t.Errorf("%s has no variant", c.Name)
		}
	}
}
