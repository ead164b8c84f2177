package letters

import (
	"fmt"
	"image"
	"image/draw"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomediumitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/gomonobolditalic"
	"golang.org/x/image/font/gofont/gomonoitalic"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/gofont/gosmallcaps"
	"golang.org/x/image/font/gofont/gosmallcapsitalic"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"sledge/algos/problems"
	"sledge/props/keyed"
)

// Drawing says what images to draw. Zero values ask for the defaults.
type Drawing struct {
	Side     int // pixels of a side; default 28
	Classes  int // letters A, B, …, at most 26; default 26
	PerClass int // images of each letter; default 100
	// Distortion scales all random changes of shape: rotation, shear, size, place, wobbling of the
	// outline. Default 1; negative for none.
	Distortion float64
}

const capitals = 26

// outline is a letter of one face as a closed path, centred and scaled so that its larger side is
// 1; y points downwards.
type outline []segment

type segment struct {
	op   sfnt.SegmentOp
	args [3][2]float64
}

// alphabet holds the outlines of A to Z in all faces. They are read once: parsing them takes longer
// than drawing a small set of images.
var alphabet = sync.OnceValue(func() [capitals][]outline {
	var letters [capitals][]outline
	for _, ttf := range [][]byte{goregular.TTF, gobold.TTF, goitalic.TTF, gobolditalic.TTF,
		gomedium.TTF, gomediumitalic.TTF, gomono.TTF, gomonobold.TTF,
		gomonoitalic.TTF, gomonobolditalic.TTF, gosmallcaps.TTF, gosmallcapsitalic.TTF} {
		face, err := sfnt.Parse(ttf)
		if err != nil {
			panic(fmt.Sprintf("letters: embedded face: %v", err))
		}
		var buf sfnt.Buffer
		for c := range letters {
			glyph, err := face.GlyphIndex(&buf, rune('A'+c))
			if err != nil || glyph == 0 {
				panic(fmt.Sprintf("letters: embedded face lacks %c: %v", 'A'+c, err))
			}
			segments, err := face.LoadGlyph(&buf, glyph, fixed.I(1000), nil)
			if err != nil {
				panic(fmt.Sprintf("letters: embedded face: %c: %v", 'A'+c, err))
			}
			letters[c] = append(letters[c], normalise(segments))
		}
	}
	return letters
})

// points is the number of arguments of each operation.
var points = [...]int{sfnt.SegmentOpMoveTo: 1, sfnt.SegmentOpLineTo: 1, sfnt.SegmentOpQuadTo: 2,
	sfnt.SegmentOpCubeTo: 3}

func normalise(segments sfnt.Segments) outline {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	var out outline
	for _, s := range segments {
		t := segment{op: s.Op}
		for k := range points[s.Op] {
			t.args[k] = [2]float64{float64(s.Args[k].X), float64(s.Args[k].Y)}
			for a, v := range t.args[k] {
				lo[a], hi[a] = min(lo[a], v), max(hi[a], v)
			}
		}
		out = append(out, t)
	}
	size := max(hi[0]-lo[0], hi[1]-lo[1])
	for i := range out {
		for k := range out[i].args {
			for a := range 2 {
				out[i].args[k][a] = (out[i].args[k][a] - (lo[a]+hi[a])/2) / size
			}
		}
	}
	return out
}

// warp is a random change of shape: an affine map, then waves along both axes.
type warp struct {
	matrix      [2][2]float64
	shift       [2]float64
	wave, phase [2]float64
	pitch       [2]float64
}

// newWarp draws a change of shape of the given strength; lengths are in units of the image's side.
func newWarp(strength float64, r *rand.Rand) warp {
	within := func(a float64) float64 { return strength * a * (2*r.Float64() - 1) }
	turn, shear, size := within(0.35), within(0.35), 0.72*math.Exp(within(0.18))
	stretch := math.Exp(within(0.25))
	sin, cos := math.Sincos(turn)
	w := warp{matrix: [2][2]float64{
		{size * stretch * cos, size * (stretch*shear*cos - sin/stretch)},
		{size * stretch * sin, size * (stretch*shear*sin + cos/stretch)},
	}}
	for a := range 2 {
		w.shift[a] = 0.5 + within(0.09)
		w.wave[a] = within(0.07)
		w.pitch[a] = 4 + 5*r.Float64()
		w.phase[a] = 2 * math.Pi * r.Float64()
	}
	return w
}

func (w *warp) at(p [2]float64) [2]float64 {
	var q [2]float64
	for a := range 2 {
		q[a] = w.shift[a] + w.matrix[a][0]*p[0] + w.matrix[a][1]*p[1] +
			w.wave[a]*math.Sin(w.pitch[a]*p[1-a]+w.phase[a])
	}
	return q
}

// pen draws letters onto small images.
type pen struct {
	side int
	ink  *vector.Rasterizer
	mask *image.Alpha
}

// letter draws the outline as changed by the warp, as thick as several copies displaced by up to
// thick make it, and writes the pixels to row.
func (p *pen) letter(row []float64, o outline, w *warp, thick, darkness float64) {
	p.ink.Reset(p.side, p.side)
	p.ink.DrawOp = draw.Src
	side := float64(p.side)
	for _, d := range [...][2]float64{{0, 0}, {thick, 0}, {0, thick}, {thick, thick}} {
		for _, s := range o {
			var v [3][2]float32
			for k := range points[s.op] {
				q := w.at(s.args[k])
				v[k] = [2]float32{float32(side * (q[0] + d[0])), float32(side * (q[1] + d[1]))}
			}
			switch s.op {
			case sfnt.SegmentOpMoveTo:
				p.ink.ClosePath()
				p.ink.MoveTo(v[0][0], v[0][1])
			case sfnt.SegmentOpLineTo:
				p.ink.LineTo(v[0][0], v[0][1])
			case sfnt.SegmentOpQuadTo:
				p.ink.QuadTo(v[0][0], v[0][1], v[1][0], v[1][1])
			case sfnt.SegmentOpCubeTo:
				p.ink.CubeTo(v[0][0], v[0][1], v[1][0], v[1][1], v[2][0], v[2][1])
			}
		}
		p.ink.ClosePath()
		if thick == 0 {
			break
		}
	}
	p.ink.Draw(p.mask, p.mask.Bounds(), image.Opaque, image.Point{})
	for k, v := range p.mask.Pix {
		row[k] = darkness * float64(v) / 255
	}
}

// Draw draws capital letters: every image a random one of twelve type faces under a random affine
// map and waves, with a random stroke width, darkness and grain. Image k of a class is a function
// of the key, the class and k alone. Row c·PerClass+k of the table is image k of class c.
func Draw(d Drawing, key keyed.Key) (*problems.Table, error) {
	for _, f := range []struct {
		v            *int
		name         string
		preset, most int
	}{{&d.Side, "a side of the images", 28, 512},
		{&d.Classes, "the number of letters", capitals, capitals},
		{&d.PerClass, "the number of images of a letter", 100, 1 << 20}} {
		if *f.v == 0 {
			*f.v = f.preset
		}
		if *f.v < 1 || *f.v > f.most {
			return nil, fmt.Errorf("letters: %s must be between 1 and %d, got %d", f.name,
				f.most, *f.v)
		}
	}
	if d.Distortion == 0 {
		d.Distortion = 1
	}
	if !(d.Distortion <= 4) {
		return nil, fmt.Errorf("letters: the distortion must be at most 4, got %v", d.Distortion)
	}
	width, rows := d.Side*d.Side, d.Classes*d.PerClass
	t := &problems.Table{Width: width, Start: make([]int, rows+1),
		Value: make([]float64, rows*width), Target: make([]float64, rows)}
	for k := range rows {
		t.Start[k+1], t.Target[k] = (k+1)*width, float64(k/d.PerClass)
	}
	for c := range d.Classes {
		t.Classes = append(t.Classes, string(rune('A'+c)))
	}
	faces := alphabet()
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), rows)
	for worker := range workers {
		wg.Go(func() {
			p := &pen{side: d.Side, ink: vector.NewRasterizer(d.Side, d.Side),
				mask: image.NewAlpha(image.Rect(0, 0, d.Side, d.Side))}
			for row := worker; row < rows; row += workers {
				c := row / d.PerClass
				r := key.At(c).At(row % d.PerClass).Rand()
				face := faces[c][r.IntN(len(faces[c]))]
				w := newWarp(max(0, d.Distortion), r)
				thick := 0.06 * max(0, 2*r.Float64()-1)
				pixels := t.Value[row*width : (row+1)*width]
				p.letter(pixels, face, &w, thick, 0.6+0.4*r.Float64())
				for k, v := range pixels { // grain, in the ink only: the paper stays white
					pixels[k] = min(1, max(0, v*(1+0.2*r.NormFloat64())))
				}
			}
		})
	}
	wg.Wait()
	return t, nil
}
