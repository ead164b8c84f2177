package linear_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"sledge/algos/linear"
	"sledge/algos/problems"
)

// A model from a file with a header and words, kept, and used again.
func Example() {
	dir, err := os.MkdirTemp("", "linear")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	data, kept := filepath.Join(dir, "people.csv"), filepath.Join(dir, "model.json")
	if err := os.WriteFile(data, []byte(people), 0o666); err != nil {
		log.Fatal(err)
	}

	table, notes, err := problems.ReadFile(data, problems.FileOptions{})
	if err != nil {
		log.Fatal(err)
	}
	model, err := linear.Fit(context.Background(), table, linear.Options{Ridge: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.Save(kept); err != nil {
		log.Fatal(err)
	}
	again, err := linear.Load(kept)
	if err != nil {
		log.Fatal(err)
	}

	fmt.Println("label:", notes[0].Said)
	fmt.Println("columns:", again.Names, "ended by", again.Stopped)
	fmt.Printf("a young one in debt %.2f, an old one without %.2f\n",
		again.Predict([]float64{22, 18000, 9000}), again.Predict([]float64{60, 70000, 0}))
	// Output:
	// label: default, the only one with words; "yes" counts as 1
	// columns: [age income debt] ended by tolerance
	// a young one in debt 0.95, an old one without 0.06
}

const people = `age,income,debt,default
31,52000,2100,yes
45,81000,0,no
22,18000,7500,yes
51,64000,320,no
28,23000,5200,yes
60,70000,900,no
35,41000,4000,no
40,30000,8000,yes
`

// A fit goes on from the model of another on more rows, and ends when rows that are held out get no
// better.
func ExampleFit_warm() {
	table, _ := problems.NewTable(
		[][]float64{{1, 2}, {2, 1}, {3, 5}, {4, 3}, {5, 8}, {6, 4}, {7, 9}, {8, 8}},
		[]float64{3.1, 3.9, 7.8, 7.2, 12.9, 10.1, 16.2, 16})
	ctx := context.Background()
	cold, err := linear.Fit(ctx, table, linear.Options{Loss: linear.Squares, Tolerance: 1e-8})
	if err != nil {
		log.Fatal(err)
	}
	warm, err := linear.Fit(ctx, table,
		linear.Options{Loss: linear.Squares, Tolerance: 1e-6, Start: cold})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("cold more than 20 passes: %v; warm: %.0f\n", cold.Last.Passes > 20,
		warm.Last.Passes)
	fmt.Printf("%.2f\n", warm.Predict([]float64{4, 4}))
	// Output:
	// cold more than 20 passes: true; warm: 1
	// 8.22
}
