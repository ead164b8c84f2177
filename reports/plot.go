package reports

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge/props"
)

const (
	plotHeight  = 230.0
	slopeHeight = 130.0
	tallHeight  = 300.0     // of a plot with more than two lines
	eValue      = "e-value" // ordinate of the path of a sequential test
	maxPoints   = 64        // of a line; more cannot be told apart at this size
)

// figure is a plot with what its caption says.
type figure struct {
	SVG           template.HTML
	Title         string
	Bound, Data   string   // what the two lines are; empty if there is no such line
	Others        bool     // further lines
	Named         []string // their names, if so few that the caption has them; else they bear them
	Of            string   // the claim whose runs are drawn, where the figure stands apart from it
	Band, Clamped bool
	Slopes        bool // local slopes, not values
	// Span says that the abscissae span less than a factor of narrow; empty where they span more
	Span string
	// Telling is how much the figure tells of its result, for the choice of one: see [telling].
	Telling float64
}

// telling is how much a curve tells in the place of all of a result. Shares against a parameter
// come first. Of times it is the part of the horizon that half of the runs take: nothing is to be
// seen of runs that are over at once. A bound with what was measured and further lines counts as a
// third of the horizon, a bound with what was measured as a little less, before any other curve;
// the path of a test tells nothing of the result.
func telling(c *props.Curve, fig *figure) float64 {
	switch {
	case c.YLabel == eValue:
		return 0
	case c.YLabel == props.ShareOfRuns && c.XLabel == "time":
		if slices.Max(c.Median) == 0 { // a line at the bottom
			return 0.01
		}
		half := slices.IndexFunc(c.Median, func(share float64) bool { return share >= 0.5 })
		last := c.X[len(c.X)-1]
		if half < 0 || last <= 0 {
			return 0.1
		}
		return max(c.X[half]/last, 0.01)
	case c.YLabel == props.ShareOfRuns:
		return 2
	case fig.Bound != "" && fig.Others:
		return 0.35
	case fig.Bound != "" && fig.Data != "":
		return 0.3
	}
	return 0.02
}

// narrow is the factor between the ends of an axis below which a caption says how little it spans.
const narrow = 1.5

// span says by which factor abscissae in increasing order differ if that is less than narrow.
func span(x []float64, name string) string {
	lo, hi := x[0], x[len(x)-1]
	switch {
	case lo == hi:
		return fmt.Sprintf("At one %s alone, %s.", name, number(lo))
	case lo > 0 && hi < narrow*lo:
		return fmt.Sprintf("Spans only a factor of %s in %s.", props.Number(hi/lo, 3), name)
	case hi < 0 && lo > narrow*hi:
		return fmt.Sprintf("Spans only a factor of %s in %s.", props.Number(lo/hi, 3), name)
	}
	return ""
}

// series is a line of a plot; a NaN is a gap.
type series []float64

// drawCurve draws the claimed values and the quantiles of the measured ones. It returns false if
// there is nothing to draw.
func drawCurve(c *props.Curve) (figure, bool) {
	x, lines := finite(c)
	fig := figure{Title: c.Title}
	if len(x) == 0 {
		return fig, false
	}
	claimed, low, median, high, others := lines[0], lines[1], lines[2], lines[3], lines[4:]
	fig.Span = span(x, c.XLabel)
	logX, logY := geometric(x), logarithmic(lines) && c.YLabel != props.ShareOfRuns
	if logY {
		fig.Clamped = clamp(lines)
	}
	keep := thin(x, claimed, median, logX)
	y := newAxis(c.YLabel, logY, slices.Concat(lines...))
	if c.YLabel == props.ShareOfRuns {
		y.lo, y.hi = -0.03, 1.03 // lines at 0 and at 1 are seen
	}
	height := plotHeight
	switch {
	case c.YLabel == eValue:
		height = slopeHeight
	case len(others) > 0:
		height = tallHeight
	}
	p := newDrawing(newAxis(c.XLabel, logX, x), y, height)
	if above, below := xys(x, high, keep), xys(x, low, keep); len(above)+len(below) > 3 &&
		thick(low, high) {
		p.band(below, above, "band")
		fig.Band = true
	}
	if pts := xys(x, claimed, keep); len(pts) > 0 {
		p.line(pts, "bo", "", true)
		fig.Bound = "claimed"
	}
	if pts := xys(x, median, keep); len(pts) > 0 {
		p.line(pts, "da", "", false)
		fig.Data = "measured"
		if fig.Band {
			fig.Data = "measured, median"
		}
	}
	if len(others) > 0 {
		fig.Others = true
		if len(others) <= mostNamed {
			for _, l := range c.Others {
				fig.Named = append(fig.Named, l.Name)
			}
		}
		p.others(x, others, c.Others, keep)
	}
	if c.YLabel == eValue { // a path of a test: its second line is no claim
		fig.Bound, fig.Data = "decides", ""
	}
	fig.SVG = p.render(seen(c, x, claimed, median))
	if !visible(x, lines) {
		return fig, false
	}
	fig.Telling = telling(c, &fig)
	return fig, fig.Bound != "" || fig.Data != ""
}

// visible reports whether a line has two points, or what is measured has one.
func visible(x []float64, lines []series) bool {
	for k, y := range lines {
		points := xys(x, y, thin(x, nil, nil, false))
		if len(points) > 0 && (k == 2 || points[0].X < points[len(points)-1].X) {
			return true
		}
	}
	return false
}

// seen says what a plot shows to readers who do not see it: where its lines begin and end, and how
// far they are apart.
func seen(c *props.Curve, x []float64, claimed, median series) string {
	said := fmt.Sprintf("%s: %s against %s", c.Title, c.YLabel, c.XLabel)
	if n := len(x); n > 1 {
		said += fmt.Sprintf(" from %s to %s", number(x[0]), number(x[n-1]))
	}
	for _, l := range []struct {
		name   string
		values series
	}{{"measured", median}, {"claimed", claimed}} {
		known := slices.DeleteFunc(slices.Clone(l.values), math.IsNaN)
		if len(known) == 0 {
			continue
		}
		first, last := known[0], known[len(known)-1]
		word := "goes"
		switch {
		case last > first:
			word = "rises"
		case last < first:
			word = "falls"
		}
		said += fmt.Sprintf("; %s %s from %s to %s", l.name, word, number(first), number(last))
	}
	for _, l := range c.Others {
		if ys := slices.DeleteFunc(slices.Clone([]float64(l.Y)), math.IsNaN); len(ys) > 0 {
			said += fmt.Sprintf("; %s from %s to %s", l.Name, number(ys[0]), number(ys[len(ys)-1]))
		}
	}
	lo, hi := math.Inf(1), 0.0
	for i := range claimed {
		if len(median) == len(claimed) && median[i] > 0 && claimed[i] > 0 {
			lo, hi = min(lo, claimed[i]/median[i]), max(hi, claimed[i]/median[i])
		}
	}
	if hi > 0 && c.YLabel != eValue {
		said += fmt.Sprintf("; claimed is %s to %s times measured", props.Number(lo, 2),
			props.Number(hi, 2))
	}
	return said
}

// The size of a drawing in a line of a table.
const smallWidth, smallHeight = 150.0, 34.0

// smallPlot is what a drawing in a line of a table shows.
type smallPlot int

const (
	// a bound that runs keep everywhere, or a share of them that they have to reach
	boundKept smallPlot = iota
	boundMet            // a bound, and runs that may exceed it
	runAlone            // what is measured
)

// mostSmall is how many characters fit below a drawing in a line of a table.
const mostSmall = 30

// sparkline draws measured and claimed values above a line that says from where to where they go;
// nothing if it has not what is wanted. What else its label says is all that can be read off it.
func sparkline(c *props.Curve, wanted smallPlot) template.HTML {
	x, lines := finite(c)
	claimed, median := lines[0], lines[2]
	if len(x) < 3 || len(median) == 0 || wanted != runAlone && len(claimed) == 0 {
		return ""
	}
	if lo, hi := extremes(median); wanted == runAlone && lo > 0 && hi < narrow*lo {
		return "" // alone and level it shows nothing
	}
	for i := range x {
		if wanted == boundKept && c.YLabel != props.ShareOfRuns && median[i] > claimed[i] {
			// a curve up to a constant, or of a control: not bound against run
			return ""
		}
	}
	below := fmt.Sprintf("%s %s … %s", c.XLabel, number(x[0]), number(x[len(x)-1]))
	if with := c.YLabel + ", " + below; utf8.RuneCountInString(with) <= mostSmall {
		below = with
	} else if utf8.RuneCountInString(below) > mostSmall {
		below = fmt.Sprintf("%s … %s", number(x[0]), number(x[len(x)-1]))
	}
	label := seen(c, x, claimed, median)
	logX, logY := geometric(x), logarithmic([]series{claimed, median}) &&
		c.YLabel != props.ShareOfRuns
	if logY {
		clamp([]series{claimed, median})
	}
	from := func(logarithmic bool, values []float64) axis {
		lo, hi := extremes(values)
		return axis{"", lo, hi, logarithmic}
	}
	ax, ay := from(logX, x), from(logY, slices.Concat(claimed, median))
	px := func(v float64) string { return tenths(2 + ax.share(v)*(smallWidth-4)) }
	py := func(v float64) string { return tenths(smallHeight - 3 - ay.share(v)*(smallHeight-6)) }
	path := func(ys series, class string) string {
		var b strings.Builder
		sign, points := "M", xys(x, ys, thin(x, claimed, median, logX))
		level := func(i, j int) bool { return py(points[i].Y) == py(points[j].Y) }
		for i, p := range points {
			if i > 0 && i+1 < len(points) && level(i-1, i) && level(i, i+1) {
				continue // within a level stretch
			}
			fmt.Fprintf(&b, "%s%s,%s", sign, px(p.X), py(p.Y))
			sign = "L"
		}
		if b.Len() == 0 {
			return ""
		}
		return fmt.Sprintf(`<path d="%s" class="%s"/>`, b.String(), class)
	}
	bound, run := path(claimed, "bo"), path(median, "da")
	if bound == "" && wanted != runAlone || run == "" {
		return ""
	}
	return template.HTML(fmt.Sprintf(
		`<svg class="small-plot" viewBox="0 0 %g %g" role="img">`+
			`<title>%s</title><path class="ax" d="M1,0V%gH%g"/>%s%s<text x="2" y="%g">%s</text></svg>`,
		smallWidth, smallHeight+12, html.EscapeString(label), smallHeight,
		smallWidth, bound, run, smallHeight+10, html.EscapeString(below)))
}

// extremes are the least and the largest number of a series.
func extremes(ys series) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, y := range ys {
		if y == y {
			lo, hi = min(lo, y), max(hi, y)
		}
	}
	return lo, hi
}

// drawSlopes draws d log y / d log x between neighbouring points of the median, where the abscissae
// form a geometric grid and the ordinates are positive.
func drawSlopes(c *props.Curve) (figure, bool) {
	x, lines := finite(c)
	var sx, sy []float64
	if len(x) >= 4 && geometric(x) && c.YLabel != props.ShareOfRuns {
		for i, median := 1, lines[2]; i < len(median); i++ {
			run, rise := math.Log(x[i])-math.Log(x[i-1]), math.Log(median[i])-math.Log(median[i-1])
			if run > 0 && drawable(rise/run) {
				sx = append(sx, math.Sqrt(x[i-1])*math.Sqrt(x[i]))
				sy = append(sy, rise/run)
			}
		}
	}
	fig := figure{Title: c.Title, Slopes: true}
	if len(sx) < 3 || !geometric(sx) {
		return fig, false
	}
	p := newDrawing(newAxis(c.XLabel, true, x),
		newAxis("local slope", false, append([]float64{-0.1, 0.1}, sy...)), slopeHeight)
	p.line(xys(sx, sy, thin(sx, nil, sy, true)), "da", "", false)
	fig.SVG = p.render(
		fmt.Sprintf("%s: local slopes against %s, between %s and %s", c.Title, c.XLabel,
			props.Number(slices.Min(sy), 3), props.Number(slices.Max(sy), 3)))
	return fig, true
}

// drawable reports whether a number is finite, and small enough for the differences that an axis
// needs.
func drawable(x float64) bool { return math.Abs(x) <= 1e300 }

// mostNamed is the number of further lines that the caption of a plot names, with the dashes that
// the style sheet has for them.
const mostNamed = 3

// others draws thin lines, with their names at the right end where the caption does not name them,
// no two names in one place.
func (d *drawing) others(x []float64, lines []series, named []props.Line, keep []int) {
	const apart = 0.06 // of the height
	type end struct {
		x    float64
		high float64 // where the name stands, as a share of the axis
		name string
	}
	var ends []end
	for k, y := range lines {
		pts := xys(x, y, keep)
		if len(pts) == 0 {
			continue
		}
		d.shape(d.path(pts), "ax", fmt.Sprintf("stroke-width:.8;stroke-dasharray:%d,2", 2+2*k))
		last := pts[len(pts)-1]
		ends = append(ends, end{last.X, d.y.share(last.Y), named[k].Name})
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(b.high, a.high) })
	for k := range ends { // the highest below the top, the others below each other
		below := 1.0
		if k > 0 {
			below = ends[k-1].high
		}
		ends[k].high = min(ends[k].high, below-apart)
	}
	for k := len(ends) - 1; k >= 0; k-- { // those pushed below the axis push the others up again
		ends[k].high = max(ends[k].high, apart*float64(len(ends)-1-k))
	}
	if len(lines) <= mostNamed {
		return
	}
	for _, e := range ends {
		fmt.Fprintf(&d.inner, `<text class="ti" text-anchor="end" dx="-8" dy="-2" x="%s" y="%s">%s</text>`+
			"\n", d.px(e.x), d.py(d.y.at(e.high)), html.EscapeString(e.name))
	}
}

// finite returns the abscissae and the lines (claimed, low, median, high and the others) at the
// points with a drawable abscissa, in its order. What is not drawable in a line becomes NaN; an
// absent line is empty.
func finite(c *props.Curve) ([]float64, []series) {
	var order []int
	for i, x := range c.X {
		if drawable(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case c.X[i] < c.X[j]:
			return -1
		case c.X[i] > c.X[j]:
			return 1
		}
		return 0
	})
	pick := func(ys props.Series) series {
		if len(ys) != len(c.X) {
			return nil
		}
		out := make(series, len(order))
		for k, i := range order {
			out[k] = math.NaN()
			if drawable(ys[i]) {
				out[k] = ys[i]
			}
		}
		return out
	}
	out := []series{pick(c.Claimed), pick(c.Low), pick(c.Median), pick(c.High)}
	for _, l := range c.Others {
		out = append(out, pick(l.Y))
	}
	return pick(c.X), out
}

// geometric reports whether abscissae in increasing order are spread evenly in the logarithm rather
// than on the line.
func geometric(x []float64) bool {
	n := len(x)
	if n < 2 || x[0] <= 0 || x[n-1]/x[0] < 8 {
		return false
	}
	middle := x[n/2]
	onLine := (middle - x[0]) / (x[n-1] - x[0])
	inLog := math.Log(middle/x[0]) / math.Log(x[n-1]/x[0])
	return math.Abs(inLog-0.5) < math.Abs(onLine-0.5)
}

// logarithmic reports whether ordinates are nonnegative and span more than a factor of eight.
func logarithmic(lines []series) bool {
	lo, hi := math.Inf(1), 0.0
	for _, l := range lines {
		for _, y := range l {
			if y < 0 {
				return false
			}
			if y > 0 {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
	}
	return hi/lo > 8
}

// clamp lifts zeros, and values more than forty decades below the largest, to a floor below the
// rest, since a logarithmic axis has no place for them.
func clamp(lines []series) (clamped bool) {
	lo, hi := math.Inf(1), 0.0
	for _, l := range lines {
		for _, y := range l {
			hi = max(hi, nanTo(y, 0))
		}
	}
	for _, l := range lines {
		for _, y := range l {
			if y > hi*1e-40 {
				lo = min(lo, y)
			}
		}
	}
	for _, l := range lines {
		for i, y := range l {
			if y < lo {
				l[i], clamped = lo/3, true
			}
		}
	}
	return clamped
}

func nanTo(x, to float64) float64 {
	if x != x {
		return to
	}
	return x
}

// thin chooses at most maxPoints indices: the ends, points evenly spread along the axis, and the
// one where measured/claimed is worst.
func thin(x []float64, claimed, median series, logX bool) []int {
	n := len(x)
	keep := make([]int, 0, n)
	if n <= maxPoints {
		for i := range x {
			keep = append(keep, i)
		}
		return keep
	}
	at := func(i int) float64 {
		if logX {
			return math.Log(x[i])
		}
		return x[i]
	}
	step := (at(n-1) - at(0)) / (maxPoints - 3)
	next := at(0)
	for i := range x {
		if at(i) >= next {
			keep = append(keep, i)
			next = at(i) + step
		}
	}
	keep = append(keep, n-1)
	if len(claimed) == n && len(median) == n {
		worst, where := 0.0, 0
		for i := range x {
			if r := median[i] / claimed[i]; r > worst {
				worst, where = r, i
			}
		}
		keep = append(keep, where)
	}
	slices.Sort(keep)
	return slices.Compact(keep)
}

func xys(x []float64, y series, keep []int) []point {
	var out []point
	if len(y) != len(x) {
		return nil
	}
	for _, i := range keep {
		if y[i] == y[i] {
			out = append(out, point{x[i], y[i]})
		}
	}
	return out
}

// thick reports whether a band between two lines can be seen.
func thick(low, high series) bool {
	for i := range low {
		if high[i]-low[i] > 0.01*max(math.Abs(high[i]), math.Abs(low[i])) {
			return true
		}
	}
	return false
}
