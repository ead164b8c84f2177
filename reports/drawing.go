package reports

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sledge/props"
)

// point is a point of a line.
type point struct{ X, Y float64 }

// axis is one of a drawing.
type axis struct {
	label       string
	lo, hi      float64
	logarithmic bool
}

// flatBand is the relative width of a range that is drawn as if all its values were equal.
const flatBand = 1e-3

// newAxis is an axis that shows the given values; NaNs among them are ignored.
func newAxis(label string, logarithmic bool, values []float64) axis {
	lo, hi := extremes(values)
	// equal but for rounding: no ticks fit between
	flat := hi-lo <= flatBand*max(math.Abs(lo), math.Abs(hi))
	switch {
	case logarithmic && flat:
		lo, hi = lo/2, hi*2
	case flat:
		lo, hi = lo-max(math.Abs(lo)/10, 1e-300), hi+max(math.Abs(hi)/10, 1e-300)
	}
	return axis{label, lo, hi, logarithmic}
}

// share is the part of the axis that lies before a value; a half if it has no length.
func (a *axis) share(v float64) float64 {
	lo, hi := a.lo, a.hi
	if a.logarithmic {
		v, lo, hi = math.Log(v), math.Log(lo), math.Log(hi)
	}
	if !(hi > lo) {
		return 0.5
	}
	return v/(hi-lo) - lo/(hi-lo)
}

// at is the value before which such a part lies.
func (a *axis) at(share float64) float64 {
	if a.logarithmic {
		return a.lo * math.Pow(a.hi/a.lo, share)
	}
	return a.lo + share*(a.hi-a.lo)
}

// tick is a mark of an axis. Small ones have no label.
type tick struct {
	Value float64
	Label string
}

func (a *axis) ticks() []tick {
	ticks := linearTicks
	if a.logarithmic {
		ticks = logTicks
	}
	return slices.DeleteFunc(ticks(a.lo, a.hi), func(t tick) bool {
		at := a.share(t.Value)
		return at < -1e-9 || at > 1+1e-9
	})
}

// logTicks labels powers of ten, at most six of them, on narrow ranges their multiples by 2 and 5
// too, and on very narrow ones all multiples.
func logTicks(lo, hi float64) []tick {
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	step := max((last-first+5)/6, 1)
	crowded := hi > 5*lo
	var ticks []tick
	labels := 0
	for e := first; e <= last; e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, float64(e))
			switch {
			case v < lo*(1-1e-9) || v > hi*(1+1e-9):
			case m == 1 && e%step == 0, step == 1 && last-first <= 2 && (m == 2 || m == 5),
				!crowded:
				ticks = append(ticks, tick{v, Num(v).String()})
				labels++
			case step == 1 || m == 1:
				ticks = append(ticks, tick{Value: v})
			}
		}
	}
	if labels < 2 { // too narrow for multiples of powers of ten
		return linearTicks(lo, hi)
	}
	return ticks
}

// linearTicks labels multiples of 1, 2 or 5 times a power of ten, four to eight of them.
func linearTicks(lo, hi float64) []tick {
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) { // steps too small to count with
		return []tick{{lo, props.Number(lo, 6)}}
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
	var ticks []tick
	// the sum with 0 makes 0 of −0
	for k := math.Ceil(lo/step) + 0; k*step <= hi+step*1e-9; k++ {
		ticks = append(ticks, tick{k * step, props.Number(k*step, digits)})
	}
	return ticks
}

// Measures of a drawing: how wide it is, the room above its axes, below them and beside them, how
// wide a character of a label is, and how long a tick.
const (
	plotWidth  = 400.0
	aboveAxes  = 6.0
	belowAxes  = 34.0
	besideAxes = 12.0
	labelWidth = 5.0
	tickLength = 4.0
)

// drawing is a plot on its way: axes with a grid, and elements between them.
type drawing struct {
	x, y   axis
	height float64
	left   float64 // of the axes, labels of ticks beside it
	inner  strings.Builder
}

func newDrawing(x, y axis, height float64) *drawing {
	widest := 0
	for _, t := range y.ticks() {
		widest = max(widest, utf8.RuneCountInString(t.Label))
	}
	return &drawing{x: x, y: y, height: height, left: 25 + labelWidth*float64(widest)}
}

// px and py are where a value of an axis lies, in tenths.
func (d *drawing) px(v float64) string {
	return tenths(d.left + d.x.share(v)*(plotWidth-besideAxes-d.left))
}

func (d *drawing) py(v float64) string {
	return tenths(d.height - belowAxes - d.y.share(v)*(d.height-belowAxes-aboveAxes))
}

// path is a line through points.
func (d *drawing) path(points []point) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(d.px(p.X) + "," + d.py(p.Y))
	}
	return b.String()
}

// shape adds a path of a class, in a style of its own unless that is empty.
func (d *drawing) shape(path, class, style string) {
	if style != "" {
		style = ` style="` + style + `"`
	}
	fmt.Fprintf(&d.inner, "<path d=\"%s\" class=\"%s\"%s/>\n", path, class, style)
}

// band adds what lies between two lines, in a colour of the style sheet.
func (d *drawing) band(low, high []point, colour string) {
	slices.Reverse(low)
	d.shape(d.path(append(high, low...))+"Z", "ba", "fill:var(--"+colour+")")
}

// line adds a line of a class, and its points where they are few and the line is not dashed.
func (d *drawing) line(points []point, class, style string, dashed bool) {
	d.shape(d.path(points), class, style)
	if (len(points) <= 16 || points[0].X == points[len(points)-1].X) && !dashed {
		// what has no length is a point
		var dots strings.Builder
		for _, p := range points {
			dots.WriteString("M" + d.px(p.X) + "," + d.py(p.Y) + "h0")
		}
		d.shape(dots.String(), "do", style)
	}
}

// render is the drawing as an element for a page: scalable, named for readers who do not see it,
// coloured by the style sheet.
func (d *drawing) render(label string) template.HTML {
	var b, grid, axes, labels strings.Builder
	right, bottom := plotWidth-besideAxes, d.height-belowAxes
	fmt.Fprintf(&axes, "M%s,%sV%sM%s,%sH%s", tenths(d.left-3), tenths(aboveAxes), tenths(bottom),
		tenths(d.left), tenths(bottom+3), tenths(right))
	write := func(class, anchor, x, y, what string) {
		fmt.Fprintf(&labels, `<text class="%s" text-anchor="%s" x="%s" y="%s">%s</text>`+"\n", class,
			anchor, x, y, html.EscapeString(what))
	}
	for _, t := range d.x.ticks() {
		at, length := d.px(t.Value), tickLength/2
		if t.Label != "" {
			length = tickLength
			fmt.Fprintf(&grid, "M%s,%sV%s", at, tenths(aboveAxes), tenths(bottom))
			write("ti", "middle", at, tenths(bottom+16), t.Label)
		}
		fmt.Fprintf(&axes, "M%s,%sv%g", at, tenths(bottom+3), length)
	}
	for _, t := range d.y.ticks() {
		at, length := d.py(t.Value), tickLength/2
		if t.Label != "" {
			length = tickLength
			fmt.Fprintf(&grid, "M%s,%sH%s", tenths(d.left), at, tenths(right))
			fmt.Fprintf(&labels, `<text class="ti" text-anchor="end" x="%s" y="%s" dy="3">%s</text>`+
				"\n", tenths(d.left-9), at, html.EscapeString(t.Label))
		}
		fmt.Fprintf(&axes, "M%s,%sh-%g", tenths(d.left-3), at, length)
	}
	write("la", "middle", tenths((d.left+right)/2), tenths(d.height-5), d.x.label)
	fmt.Fprintf(&labels,
		`<text class="la" text-anchor="middle" transform="translate(10 %s) rotate(-90)">%s</text>`+"\n",
		tenths((aboveAxes+bottom)/2), html.EscapeString(d.y.label))
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %g %g" role="img" aria-label="%s">`+"\n"+
		`<path d="%s" class="gr"/><path d="%s" class="ax"/>`+"\n%s%s</svg>", plotWidth, d.height,
		html.EscapeString(label), grid.String(), axes.String(), d.inner.String(), labels.String())
	return template.HTML(b.String()) // nothing in it but numbers and escaped words
}

// tenths writes a number; a tenth of a point is finer than a screen.
func tenths(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }
