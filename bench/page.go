package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"runtime"
	"text/template"
	"time"
)

//go:embed page.md.tmpl
var pageText string

var pageTemplate = template.Must(
	template.New("page").Funcs(template.FuncMap{"unit": unit}).Parse(pageText))

// render writes the page of the results.
func render(b bench, results []result) ([]byte, error) {
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, struct {
		Peers, Go, Platform string
		Turns               int
		Turn                time.Duration
		Results             []result
	}{b.versions, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, b.turns, b.least,
		results})
	return out.Bytes(), err
}

// unit words a time in seconds.
func unit(seconds float64) string {
	for _, u := range []struct {
		name string
		size float64
	}{{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}} {
		if seconds >= u.size {
			return fmt.Sprintf("%.3g %s", seconds/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", seconds/1e-9)
}
