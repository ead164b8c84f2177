package verbs

import (
	"bufio"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"sledge/algos/problems"
	"sledge/algos/problems/letters"
)

// readExamples reads examples with classes as targets: a pair of IDX files, images and labels, with
// a comma between their names, or one CSV file, whose features rescale is to bring into a range fit
// for networks. It returns the names without their directories beside the examples.
func readExamples(names string, sel letters.Selection, opt problems.ReadOptions,
	rescale func(*problems.Table) error) (*problems.Table, string, error) {
	paths := strings.Split(names, ",")
	if len(paths) > 2 {
		return nil, "", fmt.Errorf("%d files, want IDX images and labels, or one CSV file",
			len(paths))
	}
	var files []letters.File
	var short []string
	for _, path := range paths {
		if path == "" {
			return nil, "", fmt.Errorf(
				"%q names no file on one side of the comma, want IDX images and labels", names)
		}
		file, err := problems.Open(path)
		if err != nil {
			return nil, "", err
		}
		defer file.Close()
		files, short = append(files, letters.File{Name: path, Reader: file}),
			append(short, filepath.Base(path))
	}
	var t *problems.Table
	var err error
	if len(files) == 2 {
		t, err = letters.ReadIDX(files[0], files[1], sel)
	} else {
		in := bufio.NewReader(files[0])
		if magic, _ := in.Peek(3); bytes.Equal(magic, []byte{0, 0, 8}) {
			return nil, "", fmt.Errorf(
				"%s is one IDX file, want images and labels with a comma between them", paths[0])
		}
		opt.Labels, opt.Most = problems.Classes, mostTable()
		if t, err = problems.ReadCSV(in, paths[0], opt); err == nil {
			err = rescale(t)
		}
	}
	return t, strings.Join(short, ", "), err
}

// withoutPackage is the message of an error of one of our packages without the package's name.
func withoutPackage(err error) string {
	message := err.Error()
	for _, p := range []string{"experiments: ", "letters: ", "problems: ", "network: "} {
		message = strings.TrimPrefix(message, p)
	}
	return message
}
