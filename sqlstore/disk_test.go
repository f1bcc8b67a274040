package sqlstore_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// A tape is what SQLite did to its files, in order.
type tape struct {
	mu  sync.Mutex
	ops []recorded
}

type recorded struct {
	sqlstore.Op
	failed bool // of a sync: what it should have written through may never arrive
}

// tap records what passes through inner, which may make it fail.
func (t *tape) tap(inner sqlstore.Tap) sqlstore.Tap {
	return func(op *sqlstore.Op, do func() error) error {
		if op.Kind == "read" {
			return inner(op, do)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		done := false
		err := inner(op, func() (err error) {
			if op.Kind != "sync" { // which is for the model: this machine stays on
				err = do()
			}
			done = err == nil
			return err
		})
		if done || op.Kind == "sync" {
			r := recorded{*op, err != nil}
			r.Name, r.Data = filepath.Base(op.Name), bytes.Clone(op.Data)
			t.ops = append(t.ops, r)
		}
		return err
	}
}

func works(_ *sqlstore.Op, do func() error) error { return do() }

// now is the number of operations so far.
func (t *tape) now() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.ops)
}

// A disk is a model of one that loses its power. What has been written through to it is there afterwards. Of everything else each sector of a
// write may have arrived, in any order, as may each change of a file's size; names are made and removed in their order, as a file system's journal
// keeps it, up to any of them.
type disk struct {
	lies  bool // it says that it has written through, and does not
	files map[int]*diskFile
	names map[string]int // written through
	named []recorded     // opens and deletes on their way
	last  *diskFile      // to which the last operation wrote
}

type diskFile struct {
	content []byte // written through
	writes  []recorded
}

// A sector is written wholly or not at all. SQLite relies on no more, but for that a write does not damage what is beside it, which
// disks are careful of since they exist: https://sqlite.org/psow.html
const sector = 512

func newDisk(lies bool) *disk {
	return &disk{lies: lies, files: map[int]*diskFile{}, names: map[string]int{}}
}

// do does the next operation of a tape. Chance decides what a failed sync has written.
func (d *disk) do(op recorded, chance *rand.Rand) {
	f := d.files[op.File]
	d.last = nil
	switch op.Kind {
	case "open":
		if op.New {
			d.files[op.File] = &diskFile{}
			d.named = append(d.named, op)
		}
	case "delete":
		d.named = append(d.named, op)
		d.sync(nil, op.Folder)
	case "write":
		d.last = f
		f.writes = append(f.writes, op)
	case "grow", "truncate":
		f.writes = append(f.writes, op)
	case "sync":
		if op.failed {
			// The system forgets what it could not write, and says so once: the next sync does not try it again.
			// https://lwn.net/Articles/752063/
			f.content = f.after(arrival{names: 0, sectors: some(chance)})
			f.writes = nil
			return
		}
		d.sync(f, op.Folder)
	}
}

func (d *disk) sync(f *diskFile, folder bool) {
	if d.lies {
		return
	}
	if f != nil {
		f.content, f.writes = f.after(everything), nil
	}
	if folder {
		d.names, d.named = d.namesAfter(len(d.named)), nil
	}
}

// An arrival is what has arrived of what was on its way.
type arrival struct {
	names   int // of the names; less than 0 is all
	torn    *diskFile
	keep    int                     // of the last write to torn, so many sectors
	sectors func(r recorded) []bool // of one operation; nil is all of them
}

var (
	everything = arrival{names: -1}
	nothing    = arrival{sectors: func(r recorded) []bool { return make([]bool, sectorsOf(r)) }}
)

// some lets each sector arrive by chance.
func some(chance *rand.Rand) func(recorded) []bool {
	odds := []float64{0, 0.1, 0.5, 0.9, 1}[chance.IntN(5)]
	return func(r recorded) []bool {
		arrive := make([]bool, sectorsOf(r))
		for i := range arrive {
			arrive[i] = chance.Float64() < odds
		}
		return arrive
	}
}

func sectorsOf(r recorded) int {
	if r.Kind != "write" {
		return 1
	}
	return int((r.At+int64(len(r.Data))-1)/sector - r.At/sector + 1)
}

// An image is what a cut leaves.
type image struct {
	way   string
	files map[string][]byte
}

// images are the ways in which a cut after the last operation can end.
func (d *disk) images(chance *rand.Rand) []image {
	images := []image{
		{"all arrived", d.image(everything)},
		{"none arrived", d.image(nothing)},
		{"all names and some sectors arrived", d.image(arrival{names: -1, sectors: some(chance)})},
		{"some names and sectors arrived", d.image(arrival{names: chance.IntN(len(d.named) + 1), sectors: some(chance)})},
	}
	if d.last != nil {
		if n := sectorsOf(d.last.writes[len(d.last.writes)-1]); n > 1 {
			images = append(images, image{"the last write is torn", d.image(arrival{names: -1, torn: d.last, keep: 1 + chance.IntN(n-1)})})
		}
	}
	return images
}

func (d *disk) image(a arrival) map[string][]byte {
	image := map[string][]byte{}
	if a.names < 0 {
		a.names = len(d.named)
	}
	names := d.namesAfter(a.names)
	for _, name := range slices.Sorted(maps.Keys(names)) { // in order, for chance's sake
		image[name] = d.files[names[name]].after(a)
	}
	return image
}

func (d *disk) namesAfter(n int) map[string]int {
	names := maps.Clone(d.names)
	for _, op := range d.named[:n] {
		if op.Kind == "open" {
			names[op.Name] = op.File
		} else {
			delete(names, op.Name)
		}
	}
	return names
}

// after is what is in a file when that has arrived.
func (f *diskFile) after(a arrival) []byte {
	content := slices.Clone(f.content)
	for i, w := range f.writes {
		arrived := func(int) bool { return true }
		if a.sectors != nil {
			which := a.sectors(w)
			arrived = func(sector int) bool { return which[sector] }
		}
		if a.torn == f && i == len(f.writes)-1 {
			arrived = func(sector int) bool { return sector < a.keep }
		}
		content = w.applied(content, arrived)
	}
	return content
}

func (r recorded) applied(content []byte, arrived func(sector int) bool) []byte {
	resized := func(size int64) []byte {
		if size <= int64(len(content)) {
			return content[:size]
		}
		return append(content, make([]byte, size-int64(len(content)))...)
	}
	switch {
	case r.Kind == "write":
		for i, at := 0, r.At; at < r.At+int64(len(r.Data)); i++ {
			end := min(r.At+int64(len(r.Data)), (at/sector+1)*sector)
			if arrived(i) {
				content = resized(max(end, int64(len(content))))
				copy(content[at:end], r.Data[at-r.At:])
			}
			at = end
		}
	case !arrived(0):
	case r.Kind == "truncate":
		return resized(r.At)
	default: // grow
		return resized(max(r.At, int64(len(content))))
	}
	return content
}

// The model itself: what it keeps, what it loses.
func TestDisk(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 1))
	op := func(kind string, file int, at int64, data string) recorded {
		return recorded{Op: sqlstore.Op{Kind: kind, Name: "f", File: file, New: kind == "open", At: at, Data: []byte(data)}}
	}
	folder := func(r recorded) recorded { r.Folder = true; return r }
	failed := func(r recorded) recorded { r.failed = true; return r }
	d := newDisk(false)
	for _, o := range []recorded{op("open", 1, 0, ""), op("write", 1, 0, "abc"), op("sync", 1, 0, "")} {
		d.do(o, chance)
	}
	require.Empty(t, d.image(nothing), "the name was not written through")
	require.Equal(t, map[string][]byte{"f": []byte("abc")}, d.image(everything))
	d.do(folder(op("sync", 1, 0, "")), chance)
	d.do(op("write", 1, 1, "X"), chance)
	require.Equal(t, map[string][]byte{"f": []byte("abc")}, d.image(nothing))
	require.Equal(t, map[string][]byte{"f": []byte("aXc")}, d.image(everything))
	require.Len(t, d.images(chance), 4, "a write within a sector is whole")

	// A write over three sectors, of which the first arrives.
	d.do(op("write", 1, 500, string(bytes.Repeat([]byte("y"), 600))), chance)
	torn := d.image(arrival{names: -1, torn: d.last, keep: 1})["f"]
	require.Equal(t, "aXc"+string(make([]byte, 497))+string(bytes.Repeat([]byte("y"), 12)), string(torn))
	require.Len(t, d.images(chance), 5)
	d.do(op("truncate", 1, 2, ""), chance)
	require.Equal(t, "aX", string(d.image(everything)["f"]))

	// A new file by the same name is another one.
	d.do(op("delete", 0, 0, ""), chance)
	d.do(op("open", 2, 0, ""), chance)
	require.Equal(t, "abc", string(d.image(nothing)["f"]))
	require.Empty(t, d.image(arrival{names: 1}))
	require.Equal(t, map[string][]byte{"f": nil}, d.image(everything))

	// A failed sync is not made up for by the next one, unless what was lost is written again.
	never := rand.New(rand.NewPCG(0, 0))
	for d.do(op("write", 2, 0, "new"), never); ; d.do(op("write", 2, 0, "new"), never) {
		d.do(failed(op("sync", 2, 0, "")), never)
		if len(d.files[2].content) == 0 {
			break // chance had it that nothing arrived
		}
		d.files[2].content = nil
	}
	d.do(folder(op("sync", 2, 0, "")), never)
	require.Equal(t, map[string][]byte{"f": nil}, d.image(everything))
	d.do(op("write", 2, 0, "new"), never)
	d.do(op("sync", 2, 0, ""), never)
	require.Equal(t, "new", string(d.image(nothing)["f"]))

	d = newDisk(true)
	for _, o := range []recorded{op("open", 1, 0, ""), op("write", 1, 0, "abc"), folder(op("sync", 1, 0, ""))} {
		d.do(o, chance)
	}
	require.Empty(t, d.image(nothing), "it lies")
}
