package jsonlstore

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A packed file is the same text in concatenated zstd frames with checksums: the header in the first, then one for each write. Any zstd tool
// unpacks it. https://datatracker.ietf.org/doc/html/rfc8878

// mostUnpacked bounds what a frame can grow to: more than any that is written here, less than what would take a machine down.
const mostUnpacked = 1 << 30

// A packer packs and unpacks frames, for several goroutines at once.
type packer struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

func newPacker() (*packer, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
	if err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(mostUnpacked))
	return &packer{encoder, decoder}, err
}

// pack makes a frame.
func (p *packer) pack(lines []byte) []byte { return p.encoder.EncodeAll(lines, nil) }

// errTornFrame is of a frame whose end is not there.
var errTornFrame = errors.New("the frame is not complete")

// unpack reads the frame at the beginning of data and tells how long it is. When the frame goes on behind data it answers errTornFrame; and if atEnd says that
// nothing comes behind data, what can be read of the frame all the same.
//
// A file can have its new length before it has its content; until then there are zeros.
func (p *packer) unpack(data []byte, atEnd bool) (lines []byte, size int, err error) {
	if atEnd && len(bytes.TrimLeft(data, "\x00")) == 0 {
		return nil, 0, errTornFrame
	}
	size, err = frameSize(data)
	if err == nil {
		if lines, err = p.decoder.DecodeAll(data[:size], nil); err == nil {
			return lines, size, nil
		}
		if atEnd && size == len(data) && bytes.HasSuffix(data, make([]byte, 4)) {
			err = errTornFrame
		}
	}
	if atEnd && errors.Is(err, errTornFrame) {
		lines = unpackTorn(data)
	}
	return lines, 0, err
}

// unpackTorn reads as far as it can: blocks before the tear are whole.
func unpackTorn(data []byte) []byte {
	d, err := zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked))
	if err != nil {
		return nil
	}
	defer d.Close()
	var lines bytes.Buffer
	io.Copy(&lines, d) // its error is that the frame is torn
	return lines.Bytes()
}

// frameSize finds the end of a frame: its blocks tell how long they are, the frame does not.
// https://datatracker.ietf.org/doc/html/rfc8878#section-3.1.1
func frameSize(data []byte) (int, error) {
	var h zstd.Header
	if err := h.Decode(data); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return 0, errTornFrame
		}
		return 0, err
	}
	if h.Skippable || !h.HasCheckSum {
		return 0, errors.New("it is no frame with a checksum")
	}
	at := h.HeaderSize
	for last := false; !last; {
		if len(data) < at+3 {
			return 0, errTornFrame
		}
		block := int(data[at]) | int(data[at+1])<<8 | int(data[at+2])<<16
		last = block&1 == 1
		size := block >> 3
		if block>>1&3 == 1 { // one byte, repeated
			size = 1
		}
		at += 3 + size
	}
	if at += 4; len(data) < at { // the checksum
		return 0, errTornFrame
	}
	return at, nil
}
