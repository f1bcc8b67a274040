package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"forgetmenot/grader"
)

// jsonWriter streams one document, valid however early the run ends: { "version": 1, "reports": [ … ] }.
type jsonWriter struct {
	w     io.Writer
	count int
}

func newJSON(w io.Writer, _ Options) Writer { return &jsonWriter{w: w} }

func (j *jsonWriter) Report(r *grader.Report) error {
	line, err := encode(r)
	if err != nil {
		return err
	}
	lead := ",\n"
	if j.count == 0 {
		lead = j.head()
	}
	j.count++
	_, err = io.WriteString(j.w, lead+line)
	return err
}

func (j *jsonWriter) head() string {
	return fmt.Sprintf("{\"version\":%d,\"reports\":[\n", grader.ReportVersion)
}

func (j *jsonWriter) Close() error {
	end := "\n]}\n"
	if j.count == 0 {
		end = j.head() + "]}\n"
	}
	_, err := io.WriteString(j.w, end)
	return err
}

// encode is the report on one line. It stands in a terminal as safely as in a file: characters that steer one are escaped.
func encode(r *grader.Report) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return "", err
	}
	var out bytes.Buffer
	for _, r := range string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))) {
		if steers(r) { // only ever inside a string
			fmt.Fprintf(&out, `\u%04x`, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String(), nil
}
