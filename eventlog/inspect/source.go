package inspect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// A Source is a file to read, or anything else that can be read from its beginning as often as one likes.
type Source struct {
	Name string // of the file, for the report; formats are told by the content
	Open func() (io.ReadCloser, error)
}

// File is a file on disk. It is opened for reading only.
func File(name string) Source {
	return Source{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}
}

func (s Source) base() string { return filepath.Base(s.Name) }

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// A text is what a source holds, decompressed when it is compressed.
type text struct {
	file        io.ReadCloser
	from        errorKeeper // the file's own errors, which are none of the compression's
	plain       io.Reader
	decoder     *zstd.Decoder
	compression string
}

// errorKeeper remembers the error that reading ended with.
type errorKeeper struct {
	io.Reader
	err error
}

func (k *errorKeeper) Read(p []byte) (int, error) {
	n, err := k.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		k.err = err
	}
	return n, err
}

// mostWindow is how much memory a compressed frame may ask for, as zstd's own command allows it.
const mostWindow = 128 << 20

func (s Source) text() (*text, error) {
	file, err := s.Open()
	if err != nil {
		return nil, err
	}
	t := &text{file: file, from: errorKeeper{Reader: file}}
	head := make([]byte, len(zstdMagic))
	n, _ := io.ReadFull(&t.from, head) // an error comes again when it is read on
	t.plain = io.MultiReader(bytes.NewReader(head[:n]), &t.from)
	if !bytes.Equal(head, zstdMagic) {
		return t, nil
	}
	t.compression = "zstd"
	t.decoder, err = zstd.NewReader(bufio.NewReaderSize(t.plain, 64<<10), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostWindow))
	if err != nil {
		file.Close()
		return nil, err
	}
	t.plain = t.decoder
	return t, nil
}

func (t *text) close() {
	if t.decoder != nil {
		t.decoder.Close()
	}
	t.file.Close()
}
