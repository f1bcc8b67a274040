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
func (p *packer) unpack(data []byte, atEnd bool) (lines []byte, size int, err error) {
	size, err = frameSize(data)
	if err == nil {
		if lines, err = p.decoder.DecodeAll(data[:size], nil); err == nil {
			return lines, size, nil
		}
	}
	if atEnd && (errors.Is(err, errTornFrame) || p.endsInZeros(data, size)) {
		return unpackTorn(data), 0, errTornFrame
	}
	return nil, 0, err
}

// endsInZeros tells whether a frame that cannot be unpacked, at the end of a file, is one that was cut off: a file can have its new length before it has its
// content, and until then there are zeros. When only the checksum is cut, it must be right as far as it goes; and behind a write that was cut off there is
// no other frame.
func (p *packer) endsInZeros(data []byte, size int) bool {
	zeros := len(data) - len(bytes.TrimRight(data, "\x00"))
	if zeros == 0 || bytes.Contains(data[1:], []byte("\x28\xb5\x2f\xfd")) {
		return false
	}
	if zeros >= checksumSize {
		return true
	}
	whole := p.pack(unpackTorn(data)) // which ends with the checksum of the same text
	return size == len(data) && bytes.HasPrefix(whole[len(whole)-checksumSize:], data[size-checksumSize:size-zeros])
}

// checksumSize is that of the checksum at the end of a frame.
const checksumSize = 4

// unpackTorn reads as far as it can: blocks before the tear are whole. Zeros at the end may be no part of one.
func unpackTorn(data []byte) []byte {
	d, err := zstd.NewReader(bytes.NewReader(bytes.TrimRight(data, "\x00")), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked))
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
	if at += checksumSize; len(data) < at {
		return 0, errTornFrame
	}
	return at, nil
}
