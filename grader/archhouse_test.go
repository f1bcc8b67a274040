package grader_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A house is the project's Go code as arch_test.go's rules see it. It is read from the files themselves, so every build tag counts, and
// `go test` knows when to look again.
type house struct {
	packages map[string]*room
	folders  []string
}

// A room is one package, named by its folder.
type room struct {
	imports, testImports map[string]bool
	uses                 map[string]bool // "time.Now", by what was imported, outside tests
	globals              []string        // package variables that are not errors
	rapidFlags           bool
}

const module = "forgetmenot/"

func (h *house) room(name string) *room {
	if h.packages == nil {
		h.packages = map[string]*room{}
	}
	if h.packages[name] == nil {
		h.packages[name] = &room{imports: map[string]bool{}, testImports: map[string]bool{}, uses: map[string]bool{}}
	}
	return h.packages[name]
}

// readHouse reads every Go file under root, but for what is not ours.
func readHouse(root string) (*house, error) {
	h := &house{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != root && (base == "testdata" || base == "node_modules" || base == "bin" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(base) != ".go" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
			return nil
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			return err
		}
		h.room(filepath.ToSlash(folder)).read(file, strings.HasSuffix(base, "_test.go"))
		return nil
	})
	return h, err
}

func (r *room) read(file *ast.File, test bool) {
	byName := map[string]string{} // the name by which the file speaks of an import
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		imported = strings.TrimPrefix(imported, module)
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		byName[name] = imported
		if test {
			r.testImports[imported] = true
		} else {
			r.imports[imported] = true
		}
	}
	if test {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			// An identifier with an Obj was declared in this file, so it is not the import of that name.
			if id, ok := n.X.(*ast.Ident); ok && id.Obj == nil && byName[id.Name] != "" {
				r.uses[byName[id.Name]+"."+n.Sel.Name] = true
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && strings.HasPrefix(strings.TrimLeft(n.Value, "\"`-"), "rapid.") {
				r.rapidFlags = true
			}
		}
		return true
	})
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, spec := range gen.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				if name.Name != "_" && !strings.HasPrefix(name.Name, "Err") {
					r.globals = append(r.globals, name.Name)
				}
			}
		}
	}
}

// faults says what breaks the rules, sorted.
func (h *house) faults() []string {
	var out []string
	fault := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for name, r := range h.packages {
		allowed, planned := allowedFor(name)
		if !planned {
			fault("%s is no room of the design", name)
			continue
		}
		said := map[string]bool{} // an import is wrong once, by the rule that explains most
		for _, b := range bans {
			if !covers(b.rooms, name) {
				continue
			}
			for _, way := range h.ways(name, b.what) {
				said[way[0]] = true
				fault("%s imports %s: %s", name, strings.Join(way, " → "), b.why)
			}
		}
		for imported := range r.imports {
			if why := wrongImport(name, imported, allowed, false); why != "" && !said[imported] {
				fault("%s imports %s%s", name, imported, why)
			}
		}
		for imported := range r.testImports {
			if why := wrongImport(name, imported, append(slices.Clone(allowed), testsMay[name]...), true); why != "" {
				fault("%s's tests imports %s%s", name, imported, why)
			}
		}
		for _, b := range bannedNames {
			if !covers(b.rooms, name) {
				continue
			}
			for _, n := range b.names {
				if r.uses[b.pkg+"."+n] {
					fault("%s uses %s.%s: %s", name, b.pkg, n, b.why)
				}
			}
		}
		if name == "eventlog" {
			for _, g := range r.globals {
				fault("%s has the package variable %s: the log has no state outside its values", name, g)
			}
		}
		if r.rapidFlags && name != "grader/property" {
			fault("%s sets rapid's flags: only grader/property has to do with them", name)
		}
	}
	for _, f := range h.folders {
		if !slices.Contains(topLevel, f) {
			fault("the folder %s stands at the top level, where the design has none of that name", f)
		}
	}
	slices.Sort(out)
	return out
}

// allowedFor is what the room may import of the project; false when there is no such room.
func allowedFor(name string) ([]string, bool) {
	if allowed, ok := rooms[name]; ok {
		return allowed, true
	}
	allowed, ok := rooms[path.Dir(name)+"/*"]
	return allowed, ok
}

// wrongImport is what to say of an import that is not allowed; empty for one that is. A package may import itself, as its external tests do.
func wrongImport(name, imported string, allowed []string, test bool) string {
	switch first, _, _ := strings.Cut(imported, "/"); {
	case imported == name:
		return ""
	case imported == "C":
		return ", which is no Go"
	case slices.Contains([]string{"eventlog", "exercises", "grader", "sqlstore", "wasm"}, first):
		if !slices.Contains(allowed, imported) && !slices.Contains(allowed, path.Dir(imported)+"/*") {
			return ", which the design does not allow it"
		}
		return ""
	case !strings.Contains(first, "."):
		return "" // the standard library
	}
	for library, users := range libraries {
		if under(imported, library) {
			if slices.Contains(users, name) || test && slices.Contains(forTests, library) {
				return ""
			}
			return ", which is for others: " + strings.Join(users, ", ") + "."
		}
	}
	return ", a library that nothing names"
}

// ways finds how a room comes to what is forbidden: for each such package a shortest chain of imports, our own packages in between.
func (h *house) ways(from string, what []string) [][]string {
	var found [][]string
	seen := map[string]bool{from: true}
	queue := [][]string{{from}}
	for len(queue) > 0 {
		way := queue[0]
		queue = queue[1:]
		r := h.packages[way[len(way)-1]]
		if r == nil {
			continue
		}
		imports := make([]string, 0, len(r.imports))
		for i := range r.imports {
			imports = append(imports, i)
		}
		slices.Sort(imports)
		for _, i := range imports {
			if seen[i] {
				continue
			}
			seen[i] = true
			next := append(slices.Clone(way), i)
			if slices.ContainsFunc(what, func(w string) bool { return under(i, w) }) {
				found = append(found, next[1:])
			} else {
				queue = append(queue, next)
			}
		}
	}
	return found
}

func under(p, parent string) bool { return p == parent || strings.HasPrefix(p, parent+"/") }

// covers tells whether the list names the room; a list that begins with "!" names all others.
func covers(list []string, name string) bool {
	if len(list) > 0 && list[0] == "!" {
		return !covers(list[1:], name)
	}
	return slices.ContainsFunc(list, func(l string) bool {
		return l == name || strings.HasSuffix(l, "/*") && under(name, strings.TrimSuffix(l, "/*"))
	})
}

// houseOf builds a house from lines, for the tests of the rules.
func houseOf(lines []string) *house {
	h := &house{packages: map[string]*room{}}
	for _, line := range lines {
		if folder, ok := strings.CutPrefix(line, "folder "); ok {
			h.folders = append(h.folders, folder)
		} else if name, global, ok := strings.Cut(line, " has global "); ok {
			h.room(name).globals = append(h.room(name).globals, global)
		} else if name, ok := strings.CutSuffix(line, " has rapid flag"); ok {
			h.room(name).rapidFlags = true
		} else if name, use, ok := strings.Cut(line, " uses "); ok {
			if name, test := strings.CutSuffix(name, " test"); !test {
				h.room(name).uses[use] = true
			}
		} else if name, imports, ok := strings.Cut(line, ": "); ok {
			name, test := strings.CutSuffix(name, " test")
			for _, i := range strings.Fields(imports) {
				if test {
					h.room(name).testImports[i] = true
				} else {
					h.room(name).imports[i] = true
				}
			}
		}
	}
	return h
}
