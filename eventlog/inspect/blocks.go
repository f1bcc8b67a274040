package inspect

import "slices"

// Blocks are the parts of a message's content as most tools write it: objects, each with its type, most with a text.
type blocks struct {
	scanner
	want []member
}

const (
	blockType = iota
	blockText
	blockSlots // more may follow, of a format's own
)

func newBlocks(more ...string) *blocks {
	return &blocks{scanner: scanner{trusted: true}, want: wanted(append([]string{"type", "text"}, more...)...)}
}

// each calls f for each block, while its members are in b.slots.
func (b *blocks) each(content []byte, more int, f func(block []byte)) {
	elements(content, func(block []byte) {
		if b.scan(block, b.want, blockSlots+more) {
			f(block)
		}
	})
}

// prose is what a message says beside calls, results and thoughts, which have these types: the text itself when it is but one, else the blocks
// that remain; nil for nothing.
func (b *blocks) prose(content []byte, more int, without ...string) []byte {
	switch kind(content) {
	case '"':
		return content
	case '{':
		if !b.scan(content, b.want, blockSlots+more) || kind(b.slots[blockText]) != '"' {
			return content
		}
		return b.slots[blockText]
	case '[':
	default:
		return nil
	}
	var rest [][]byte
	var text []byte
	all := true
	b.each(content, more, func(block []byte) {
		if slices.ContainsFunc(without, func(w string) bool { return is(b.slots[blockType], w) }) {
			all = false
			return
		}
		rest = append(rest, block)
		text = b.slots[blockText]
	})
	switch {
	case len(rest) == 0:
		return nil
	case len(rest) == 1 && kind(text) == '"':
		return text
	case all:
		return content
	}
	joined := []byte{'['}
	for i, block := range rest {
		if i > 0 {
			joined = append(joined, ',')
		}
		joined = append(joined, block...)
	}
	return append(joined, ']')
}
