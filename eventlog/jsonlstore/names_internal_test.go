package jsonlstore

import (
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFileNames(t *testing.T) {
	for id, want := range map[string]string{
		"support-42": "support-42", "a/b": "a%2fb", "a:b": "a%3ab", "a_b": "a_b", ".": "%2e", "..": "%2e%2e", "A": "%41", "a": "a", "CON": "%43%4f%4e", "con": "%63on",
		"com1": "%63om1", "com10": "com10", "lpt9": "%6cpt9", "con.x": "con%2ex", "%41": "%2541", "a+b": "a%2bb", "\u00e9": "%c3%a9", "e\u0301": "e%cc%81", "\x00": "%00", " ": "%20", "x~1": "x%7e1",
	} {
		require.Equal(t, want, fileStem(id))
	}
}

// stemID reads a short name back.
func stemID(stem string) (string, error) {
	var id strings.Builder
	for i := 0; i < len(stem); i++ {
		if stem[i] != '%' {
			id.WriteByte(stem[i])
			continue
		}
		c, err := hex.DecodeString(stem[i+1 : i+3])
		if err != nil {
			return "", err
		}
		id.Write(c)
		i += 2
	}
	return id.String(), nil
}

var goodStem = regexp.MustCompile(`^[a-z0-9_%+-]{1,180}$`)

func checkStem(t require.TestingT, id string) {
	stem := fileStem(id)
	require.Regexp(t, goodStem, stem)
	require.False(t, isDevice(stem))
	if strings.Contains(stem, "+") {
		require.Len(t, stem, mostName)
		return // its hash is its own
	}
	back, err := stemID(stem)
	require.NoError(t, err)
	require.Equal(t, id, back)
}

// A short name can be read back, so that no two ids have the same; and there is nothing in it that a file system could see otherwise.
func TestFileNamesAreInjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(
			rapid.StringN(1, -1, 512),
			rapid.StringMatching(`(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])([./: ]x)?`),
			rapid.StringMatching(`[.%+/\\:~A-Ca-c0]{1,70}`),
		).Draw(t, "id")
		checkStem(t, id)
		other := rapid.OneOf(
			rapid.Just(strings.ToUpper(id)), rapid.Just(strings.ToLower(id)), rapid.Just(id+" "), rapid.Just(id+"."), rapid.Just(fileStem(id)),
			rapid.Just(strings.Repeat("x", 400)+id), rapid.Just(strings.Repeat("x", 400)+id+"y"),
		).Draw(t, "other")
		if other != id {
			require.NotEqual(t, fileStem(id), fileStem(other))
		}
	})
}

func FuzzFileName(f *testing.F) {
	for _, id := range []string{"a", "CON", "con", "a/b", strings.Repeat("x", 400)} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		if id != "" {
			checkStem(t, id)
		}
	})
}
