package reports

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"sledge/props"
)

// The colours of plots stand for variables of the style sheet, so that one drawing serves light and
// dark pages; see recolour.
var (
	inkColor   = color.RGBA{0x01, 0x02, 0x03, 0xff}
	gridColor  = color.RGBA{0x01, 0x02, 0x04, 0xff}
	boundColor = color.RGBA{0x01, 0x02, 0x05, 0xff}
	dataColor  = color.RGBA{0x01, 0x02, 0x06, 0xff}
	bandColor  = color.RGBA{0x01, 0x02, 0x07, 0xff}
)

var recolour = strings.NewReplacer("#010203", "var(--ink-2)", "#010204", "var(--grid)", "#010205",
	"var(--bound)", "#010206", "var(--data)", "#010207", "var(--band)")

const (
	plotWidth   = 400 * vg.Length(1)
	plotHeight  = 230 * vg.Length(1)
	slopeHeight = 130 * vg.Length(1)
	tallHeight  = 300 * vg.Length(1) // of a plot with more than two lines
	eValue      = "e-value"          // ordinate of the path of a sequential test
	maxPoints   = 64                 // of a line; more cannot be told apart at this size
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
	p := newPlot(c.XLabel, c.YLabel)
	setAxis(&p.X, logX, x)
	setAxis(&p.Y, logY, slices.Concat(lines...))
	if c.YLabel == props.ShareOfRuns {
		p.Y.Min, p.Y.Max = -0.03, 1.03 // lines at 0 and at 1 are seen
	}
	addGrid(p)
	fig.Band = thick(low, high) && addBand(p, x, low, high, keep, bandColor)
	if pts := xys(x, claimed, keep); len(pts) > 0 {
		addLine(p, pts, boundColor, vg.Points(5), vg.Points(3))
		fig.Bound = "claimed"
	}
	if pts := xys(x, median, keep); len(pts) > 0 {
		addLine(p, pts, dataColor)
		fig.Data = "measured"
		if fig.Band {
			fig.Data = "measured, median"
		}
	}
	height := plotHeight
	if len(others) > 0 {
		height, fig.Others = tallHeight, true
		if len(others) <= mostNamed {
			for _, l := range c.Others {
				fig.Named = append(fig.Named, l.Name)
			}
		}
		addOthers(p, x, others, c.Others, keep, logY)
	}
	if c.YLabel == eValue { // a path of a test: its second line is no claim
		height = slopeHeight
		fig.Bound, fig.Data = "decides", ""
	}
	fig.SVG = render(p, height, seen(c, x, claimed, median))
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
	axis := fmt.Sprintf("%s %s … %s", c.XLabel, number(x[0]), number(x[len(x)-1]))
	if with := c.YLabel + ", " + axis; utf8.RuneCountInString(with) <= mostSmall {
		axis = with
	} else if utf8.RuneCountInString(axis) > mostSmall {
		axis = fmt.Sprintf("%s … %s", number(x[0]), number(x[len(x)-1]))
	}
	label := seen(c, x, claimed, median)
	logX, logY := geometric(x), logarithmic([]series{claimed, median}) &&
		c.YLabel != props.ShareOfRuns
	if logY {
		clamp([]series{claimed, median})
	}
	scale := func(logarithmic bool, values []float64, from, to float64) func(float64) float64 {
		at := func(v float64) float64 { return v }
		if logarithmic {
			at = math.Log
		}
		lo, hi := extremes(values)
		lo, hi = at(lo), at(hi)
		return func(v float64) float64 {
			if !(hi > lo) {
				return (from + to) / 2
			}
			return from + (to-from)*(at(v)/(hi-lo)-lo/(hi-lo))
		}
	}
	px := scale(logX, x, 2, smallWidth-2)
	py := scale(logY, slices.Concat(claimed, median), smallHeight-3, 3)
	path := func(ys series, class string) string {
		var b strings.Builder
		sign, points := "M", xys(x, ys, thin(x, claimed, median, logX))
		level := func(i, j int) bool { return tenths(py(points[i].Y)) == tenths(py(points[j].Y)) }
		for i, p := range points {
			if i > 0 && i+1 < len(points) && level(i-1, i) && level(i, i+1) {
				continue // within a level stretch
			}
			fmt.Fprintf(&b, "%s%s,%s", sign, tenths(px(p.X)), tenths(py(p.Y)))
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
		smallWidth, bound, run, smallHeight+10, html.EscapeString(axis)))
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
	p := newPlot(c.XLabel, "local slope")
	setAxis(&p.X, true, x)
	setAxis(&p.Y, false, append([]float64{-0.1, 0.1}, sy...))
	addGrid(p)
	addLine(p, xys(sx, sy, thin(sx, nil, sy, true)), dataColor)
	fig.SVG = render(p, slopeHeight,
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

// addOthers draws thin lines with their names at the right end, no two names in one place.
func addOthers(p *plot.Plot, x []float64, lines []series, named []props.Line, keep []int,
	logY bool) {
	const apart = 0.06 // of the height
	type end struct {
		at   plotter.XY
		high float64 // where the name stands, as a share of the axis
		name string
	}
	var ends []end
	for k, y := range lines {
		pts := xys(x, y, keep)
		if len(pts) == 0 {
			continue
		}
		l := must(plotter.NewLine(plotter.XYs(pts)))
		l.LineStyle = draw.LineStyle{Color: inkColor, Width: 0.8,
			Dashes: []vg.Length{vg.Points(float64(2 + 2*k)), vg.Points(2)}}
		p.Add(l)
		last := pts[len(pts)-1]
		ends = append(ends, end{last, p.Y.Norm(last.Y), named[k].Name})
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
		e.at.Y = p.Y.Min + e.high*(p.Y.Max-p.Y.Min)
		if logY {
			e.at.Y = p.Y.Min * math.Pow(p.Y.Max/p.Y.Min, e.high)
		}
		t := must(plotter.NewLabels(plotter.XYLabels{XYs: plotter.XYs{e.at},
			Labels: []string{e.name}}))
		t.TextStyle[0].Color, t.TextStyle[0].Font.Size, t.TextStyle[0].Font.Variant = inkColor,
			9, "Sans"
		t.TextStyle[0].XAlign = text.XRight
		t.Offset = vg.Point{X: -8, Y: 2}
		p.Add(t)
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
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(c.X[i], c.X[j]) })
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
			if y > hi {
				hi = y
			}
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

func xys(x []float64, y series, keep []int) []plotter.XY {
	var out []plotter.XY
	if len(y) != len(x) {
		return nil
	}
	for _, i := range keep {
		if y[i] == y[i] {
			out = append(out, plotter.XY{X: x[i], Y: y[i]})
		}
	}
	return out
}

// thick reports whether a band between two lines can be seen.
func thick(low, high series) bool {
	for i := range min(len(low), len(high)) {
		if high[i]-low[i] > 0.01*max(math.Abs(high[i]), math.Abs(low[i])) {
			return true
		}
	}
	return false
}

func newPlot(xlabel, ylabel string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []struct {
		axis  *plot.Axis
		label string
	}{{&p.X, xlabel}, {&p.Y, ylabel}} {
		a.axis.Label.Text = a.label
		a.axis.Label.TextStyle.Color, a.axis.Tick.Label.Color = inkColor, inkColor
		a.axis.Label.TextStyle.Font.Size, a.axis.Tick.Label.Font.Size = 10, 9
		a.axis.Label.TextStyle.Font.Variant, a.axis.Tick.Label.Font.Variant = "Sans", "Sans"
		a.axis.LineStyle.Color, a.axis.Tick.LineStyle.Color = inkColor, inkColor
		a.axis.LineStyle.Width, a.axis.Tick.LineStyle.Width = 0.6, 0.6
		a.axis.Tick.Length = 4
		a.axis.Padding = 3
	}
	return p
}

func addGrid(p *plot.Plot) {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = gridColor, gridColor
	g.Horizontal.Width, g.Vertical.Width = 0.6, 0.6
	p.Add(g)
}

// addBand fills what is between two lines, and reports whether there is anything.
func addBand(p *plot.Plot, x []float64, low, high series, keep []int, c color.Color) bool {
	below := xys(x, low, keep)
	slices.Reverse(below)
	band := append(xys(x, high, keep), below...)
	if len(band) <= 3 {
		return false
	}
	poly := must(plotter.NewPolygon(plotter.XYs(band)))
	poly.Color, poly.LineStyle.Width = c, 0
	p.Add(poly)
	return true
}

// addLine draws a line, and its points where they are few.
func addLine(p *plot.Plot, pts []plotter.XY, c color.Color, dashes ...vg.Length) {
	l := must(plotter.NewLine(plotter.XYs(pts)))
	l.LineStyle = draw.LineStyle{Color: c, Width: 1.6, Dashes: dashes}
	p.Add(l)
	if (len(pts) <= 16 || pts[0].X == pts[len(pts)-1].X) && len(dashes) == 0 {
		// what has no length is a point
		s := must(plotter.NewScatter(plotter.XYs(pts)))
		s.GlyphStyle = draw.GlyphStyle{Color: c, Radius: 2.2, Shape: draw.CircleGlyph{}}
		p.Add(s)
	}
}

// flatBand is the relative width of a range that is drawn as if all its values were equal.
const flatBand = 1e-3

// setAxis fixes scale, range and ticks of an axis that shows the given values; NaNs among them are
// ignored.
func setAxis(a *plot.Axis, logarithmic bool, values []float64) {
	lo, hi := extremes(values)
	// equal but for rounding: no ticks fit between
	flat := hi-lo <= flatBand*max(math.Abs(lo), math.Abs(hi))
	switch {
	case logarithmic && flat:
		lo, hi = lo/2, hi*2
	case flat:
		lo, hi = lo-max(math.Abs(lo)/10, 1e-300), hi+max(math.Abs(hi)/10, 1e-300)
	}
	a.AutoRescale = false
	a.Min, a.Max = lo, hi
	if logarithmic {
		a.Scale, a.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	} else {
		a.Tick.Marker = plot.TickerFunc(linearTicks)
	}
}

// logTicks labels powers of ten, at most six of them, on narrow ranges their multiples by 2 and 5
// too, and on very narrow ones all multiples.
func logTicks(lo, hi float64) []plot.Tick {
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	step := max((last-first+5)/6, 1)
	crowded := hi > 5*lo
	var ticks []plot.Tick
	for e := first; e <= last; e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, float64(e))
			switch {
			case v < lo*(1-1e-9) || v > hi*(1+1e-9):
			case m == 1 && e%step == 0, step == 1 && last-first <= 2 && (m == 2 || m == 5),
				!crowded:
				ticks = append(ticks, plot.Tick{Value: v, Label: Num(v).String()})
			case step == 1 || m == 1:
				ticks = append(ticks, plot.Tick{Value: v})
			}
		}
	}
	labels := 0
	for _, t := range ticks {
		if t.Label != "" {
			labels++
		}
	}
	if labels < 2 { // too narrow for multiples of powers of ten
		return linearTicks(lo, hi)
	}
	return ticks
}

// linearTicks labels multiples of 1, 2 or 5 times a power of ten, four to eight of them.
func linearTicks(lo, hi float64) []plot.Tick {
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) { // steps too small to count with
		return []plot.Tick{{Value: lo, Label: props.Number(lo, 6)}}
	}
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/4)))
	for _, m := range []float64{5, 2} {
		if m*step <= (hi-lo)/4*(1+1e-9) {
			step *= m
			break
		}
	}
	// that tell neighbours apart
	digits := max(6, 2+int(math.Ceil(math.Log10(max(math.Abs(lo), math.Abs(hi))/step))))
	var ticks []plot.Tick
	// the sum with 0 makes 0 of −0
	for k := math.Ceil(lo/step) + 0; k*step <= hi+step*1e-9; k++ {
		ticks = append(ticks, plot.Tick{Value: k * step, Label: props.Number(k*step, digits)})
	}
	return ticks
}

var (
	svgHead = regexp.MustCompile(`(?s)^.*?<svg [^>]*>`)
	svgFont = regexp.MustCompile(
		`font-family:[^;]*;font-variant:[^;]*;font-weight:[^;]*;font-style:[^;]*;`)
	svgTag    = regexp.MustCompile(`<[^>]*>`)
	svgNumber = regexp.MustCompile(`-?[0-9]+\.[0-9]{2,}`)
	svgDot    = regexp.MustCompile(
		`d="M([-0-9.]+),([-0-9.]+)A([0-9.]+),[^"]*Z" style="fill:([^"]*)"`)
	svgPath   = regexp.MustCompile(`^<path d="([^"]*)" style="([^"]*)" />$`)
	svgStroke = regexp.MustCompile(`M([-0-9.]+),([-0-9.]+)L([-0-9.]+),([-0-9.]+)$`)
)

// svgClasses are the styles of the style sheet that stand for those that occur a thousand times in
// a page.
var svgClasses = strings.NewReplacer(
	`style="fill:none;stroke:var(--ink-2);stroke-width:0.6"`, `class="ax"`,
	`style="fill:none;stroke:var(--grid);stroke-width:0.6"`, `class="gr"`,
	`style="fill:none;stroke:var(--data);stroke-width:1.6"`, `class="da"`,
	`style="fill:none;stroke:var(--data);stroke-width:4.4;stroke-linecap:round"`, `class="do"`,
	`style="fill:none;stroke:var(--bound);stroke-width:1.6;stroke-dasharray:5,3"`, `class="bo"`,
	`style="font-size:9px;fill:var(--ink-2)"`, `class="ti"`,
	`style="font-size:10px;fill:var(--ink-2)"`, `class="la"`,
	` transform="scale(1, -1)" `, " ",
)

// render draws the plot as an SVG element for a page: scalable, named for readers who do not see
// it, coloured by the style sheet. lastLabel is the room for that half of the last label of the
// abscissa that reaches beyond its end.
const lastLabel = 8

func render(p *plot.Plot, height vg.Length, label string) template.HTML {
	canvas := vgsvg.New(plotWidth, height)
	p.Draw(draw.Crop(draw.New(canvas), 0, -lastLabel, 0, 0))
	var b bytes.Buffer
	must(canvas.WriteTo(&b))
	s := svgFont.ReplaceAllLiteralString(b.String(), "")
	s = svgTag.ReplaceAllStringFunc(s, func(tag string) string {
		return svgNumber.ReplaceAllStringFunc(tag, oneDecimal)
	})
	s = svgHead.ReplaceAllLiteralString(s,
		fmt.Sprintf(`<svg class="plot" viewBox="0 0 %g %g" role="img" aria-label="%s">`,
			plotWidth.Points(), height.Points(), html.EscapeString(label)))
	s = recolour.Replace(strings.ReplaceAll(s, "\n\t", " "))
	// nothing in it but numbers and escaped labels
	return template.HTML(svgClasses.Replace(compact(s)))
}

// compact shortens a drawing without changing it: neighbouring paths of one style become one, a dot
// is a line without length, and lines along an axis name one coordinate. The label of the drawing,
// its first line, is left alone.
func compact(s string) string {
	var out []string
	last := "" // style of the path that out ends with
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			line = svgDot.ReplaceAllStringFunc(line, func(dot string) string {
				m := svgDot.FindStringSubmatch(dot)
				x, err1 := strconv.ParseFloat(m[1], 64)
				r, err2 := strconv.ParseFloat(m[3], 64)
				if err1 != nil || err2 != nil {
					return dot
				}
				return fmt.Sprintf(
					`d="M%s,%sh0" style="fill:none;stroke:%s;stroke-width:%g;stroke-linecap:round"`,
					tenths(x-r), m[2], m[4], 2*r)
			})
		}
		m := svgPath.FindStringSubmatch(line)
		if m == nil {
			out, last = append(out, line), ""
			continue
		}
		d := m[1]
		if k := svgStroke.FindStringSubmatch(d); k != nil && strings.Count(d, "L") == 1 {
			switch {
			case k[1] == k[3]:
				d = "M" + k[1] + "," + k[2] + "V" + k[4]
			case k[2] == k[4]:
				d = "M" + k[1] + "," + k[2] + "H" + k[3]
			}
		}
		if m[2] == last {
			out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], `" style="`+last+`" />`) + d +
				`" style="` + last + `" />`
			continue
		}
		out, last = append(out, `<path d="`+d+`" style="`+m[2]+`" />`), m[2]
	}
	return strings.Join(out, "\n")
}

// oneDecimal shortens a number; a tenth of a point is finer than a screen.
func oneDecimal(n string) string {
	f, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return n
	}
	return tenths(f)
}

func tenths(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }

// must unwraps a call that fails only on empty or non-finite data, which the callers have removed.
func must[T any](v T, err error) T {
	if err != nil {
		panic("reports: " + err.Error())
	}
	return v
}
