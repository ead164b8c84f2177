package props

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
)

// Num is a number that JSON can hold: NaN and the infinities are written as null, and null is read
// as NaN.
type Num float64

// MarshalJSON writes the number in full precision, or null.
func (n Num) MarshalJSON() ([]byte, error) {
	if n.Known() {
		return json.Marshal(float64(n))
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads a number or null.
func (n *Num) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*n = Num(nan)
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// Known reports whether the number applies and is finite.
func (n Num) Known() bool { return !math.IsNaN(float64(n)) && !math.IsInf(float64(n), 0) }

// String writes the number to four significant digits, as [Number] does.
func (n Num) String() string { return Number(float64(n), 4) }

// Series is a list of numbers that is written to JSON as a list of [Num] is.
type Series []float64

// MarshalJSON writes the numbers in full precision, or null.
func (s Series) MarshalJSON() ([]byte, error) {
	unknown := func(x float64) bool { return !Num(x).Known() }
	if len(s) > 0 && !slices.ContainsFunc(s, unknown) {
		return json.Marshal([]float64(s))
	}
	out := make([]Num, len(s))
	for i, x := range s {
		out[i] = Num(x)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads a list of numbers and nulls.
func (s *Series) UnmarshalJSON(b []byte) error {
	var in []Num
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*s = make(Series, len(in))
	for i, x := range in {
		(*s)[i] = float64(x)
	}
	return nil
}

// numbers calls f for each number of the evidence itself, with its name in JSON.
func (e *Evidence) numbers(f func(name string, x *float64)) {
	v := reflect.ValueOf(e).Elem()
	for i := range v.NumField() {
		if x := v.Field(i); x.Kind() == reflect.Float64 {
			f(v.Type().Field(i).Tag.Get("json"), x.Addr().Interface().(*float64))
		}
	}
}

// written is an Evidence as JSON holds it: with its outcome, the signs of its infinite numbers, and
// then its fields, which stand at those places, numbers as Num.
var written, places = func() (reflect.Type, [][]int) {
	var places [][]int
	fields := []reflect.StructField{
		{Name: "Outcome", Type: reflect.TypeFor[Verdict](), Tag: `json:"outcome"`},
		{Name: "Infinite", Type: reflect.TypeFor[map[string]int](),
			Tag: `json:"infinite,omitempty"`},
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Evidence]()) {
		if f.Type == reflect.TypeFor[float64]() {
			f.Type = reflect.TypeFor[Num]()
		}
		if f.IsExported() {
			fields, places = append(fields, f), append(places, f.Index)
		}
	}
	return reflect.StructOf(fields), places
}()

// MarshalJSON writes the evidence with its outcome. Numbers that are not finite are written as
// null; which of them are infinite is said besides.
func (e Evidence) MarshalJSON() ([]byte, error) {
	infinite := map[string]int{}
	e.numbers(func(name string, x *float64) {
		if math.IsInf(*x, 0) {
			infinite[name] = int(math.Copysign(1, *x))
		}
	})
	out := reflect.New(written).Elem()
	out.Field(0).Set(reflect.ValueOf(e.outcome))
	out.Field(1).Set(reflect.ValueOf(infinite))
	v := reflect.ValueOf(e)
	for i, at := range places {
		f := out.Field(2 + i)
		f.Set(v.FieldByIndex(at).Convert(f.Type()))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // left to the encoder that asks
	err := enc.Encode(out.Interface())
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON has written. Numbers that are absent are NaN.
func (e *Evidence) UnmarshalJSON(b []byte) error {
	type plain Evidence
	*e = Evidence{}
	e.numbers(func(_ string, x *float64) { *x = nan })
	var more struct {
		Outcome  Verdict        `json:"outcome"`
		Infinite map[string]int `json:"infinite"`
	}
	for _, into := range []any{(*plain)(e), &more} {
		if err := json.Unmarshal(b, into); err != nil {
			return err
		}
	}
	e.outcome = more.Outcome
	e.numbers(func(name string, x *float64) {
		if sign := more.Infinite[name]; sign != 0 {
			*x = math.Inf(sign)
		}
	})
	return nil
}
