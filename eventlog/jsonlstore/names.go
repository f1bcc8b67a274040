package jsonlstore

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// How the names of session files end.
const (
	plainSuffix  = ".jsonl"
	packedSuffix = ".jsonl.zst"
)

// mostName is how long the part before the suffix may be: names have at most 255 bytes on all common file systems, and on some of them fewer.
const mostName = 180

// fileStem is the name of a session's file without its suffix. No two ids have the same, on no file system: it is made of small letters, digits,
// "-", "_", "%" and "+" alone, so that case, accents in another form, separators and spaces cannot make two names one, nor mean something.
//
// Every other byte of the id stands there as "%" and two hexadecimal digits; so does the first letter of a name that Windows keeps for a device. Of
// an id that would become too long there is the beginning, "+", and a hash of the whole. The file's header tells the id.
//
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file
func fileStem(id string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := range len(id) {
		c := id[i]
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	stem := b.String()
	if isDevice(stem) {
		stem = "%" + hex.EncodeToString([]byte(stem[:1])) + stem[1:]
	}
	if len(stem) <= mostName {
		return stem
	}
	hash := sha256.Sum256([]byte(id))
	return stem[:mostName-1-2*len(hash)] + "+" + hex.EncodeToString(hash[:])
}

// isDevice tells whether Windows takes a name for a device, whatever its suffix.
func isDevice(stem string) bool {
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, stem) {
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' && stem[3] <= '9'
}

// isSessionFile tells whether a name is one of a session's file, and whether that is packed.
func isSessionFile(name string) (packed, ok bool) {
	packed = strings.HasSuffix(name, packedSuffix)
	return packed, packed || strings.HasSuffix(name, plainSuffix)
}
