package grader

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"forgetmenot/grader/property"
)

// Trouble says why nothing of a submission could be run.
type Trouble struct {
	Fault        Fault
	Kind         string // stable, for programs: "empty", "syntax", …
	Message      property.Words
	Line, Column int // 1-based; 0 when not known
}

// Blame makes a trouble of the submission's.
func Blame(kind, en, zh string) *Trouble {
	return &Trouble{Fault: SubmissionFault, Kind: kind, Message: property.Words{En: en, Zh: zh}}
}

// unreadable looks at the bytes before anything runs.
func unreadable(source []byte) *Trouble {
	switch {
	case len(source) > MaxSource:
		return Blame("too-large",
			fmt.Sprintf("The file is %d KiB; at most %d KiB are graded. A solution needs a few KiB: is this the right file?", len(source)>>10, MaxSource>>10),
			fmt.Sprintf("文件有 %d KiB，最多只评 %d KiB。一份解答只需要几 KiB：是不是选错了文件？", len(source)>>10, MaxSource>>10))
	case len(bytes.TrimSpace(bytes.TrimPrefix(source, []byte("\ufeff")))) == 0:
		return Blame("empty", "The file is empty. Write the five functions in it.", "文件是空的。请在里面写出五个函数。")
	case bytes.IndexByte(source, 0) >= 0:
		return Blame("binary", "This is not a text file (it holds a zero byte). Is it the right file, saved as UTF-8?", "这不是文本文件（含有零字节）。文件选对了吗？是否以 UTF-8 保存？")
	case !utf8.Valid(source):
		at := invalidAt(source)
		line := 1 + bytes.Count(source[:at], []byte("\n"))
		t := Blame("encoding",
			fmt.Sprintf("The file is not valid UTF-8 (line %d). Save it as UTF-8.", line),
			fmt.Sprintf("文件不是有效的 UTF-8（第 %d 行）。请以 UTF-8 保存。", line))
		t.Line = line
		return t
	}
	return nil
}

func invalidAt(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(b)
}

// troubleOf words why a submission did not load.
func troubleOf(err error, source string) *Trouble {
	var load *property.LoadError
	if !errors.As(err, &load) {
		return &Trouble{Fault: GraderFault, Kind: "grader", Message: property.Words{En: "The grader failed: " + err.Error(), Zh: "评分程序出错：" + err.Error()}}
	}
	shown := ShowLine(source, load.Line, load.Column)
	if shown != "" {
		shown = "\n" + shown
	}
	at := property.Words{}
	if load.Line > 0 {
		at.En, at.Zh = fmt.Sprintf(" in line %d", load.Line), fmt.Sprintf("第 %d 行", load.Line)
		if load.Column > 0 {
			at.En, at.Zh = fmt.Sprintf("%s, column %d", at.En, load.Column), fmt.Sprintf("%s第 %d 列", at.Zh, load.Column)
		}
	}
	what := load.Text
	if load.Name != "" && load.Kind != property.LoadSyntax {
		what = load.Name + ": " + load.Text
	}
	var t *Trouble
	switch load.Kind {
	case property.LoadSyntax:
		t = Blame("syntax", fmt.Sprintf("There is a syntax error%s: %s%s", at.En, what, shown), fmt.Sprintf("%s有语法错误：%s%s", at.Zh, what, shown))
	case property.LoadImport:
		t = Blame("import",
			fmt.Sprintf("The file imports %q. A submission stands alone: remove the import, and write what you need yourself.", load.Text),
			fmt.Sprintf("文件导入了 %q。提交的文件必须独立：请去掉导入，自己写出需要的代码。", load.Text))
	case property.LoadEnding:
		t = Blame("ending",
			"The file itself does not come to an end: there is an endless loop, or an await that waits for ever, outside the five functions.",
			"文件本身的代码一直不结束：五个函数之外有一个无尽的循环，或者一个永远等待的 await。")
	case property.LoadMemory:
		t = Blame("memory", "Loading the file used up all memory: look at the code outside the five functions.", "加载文件时用光了内存：请检查五个函数之外的代码。")
	case property.LoadStack:
		t = Blame("stack", "Loading the file ran out of stack: look for a recursion outside the five functions.", "加载文件时耗尽了栈：请检查五个函数之外的递归。")
	default:
		hint := property.Words{}
		if strings.Contains(load.Text, "require is not defined") || strings.Contains(load.Text, "process is not defined") || strings.Contains(load.Text, "fetch is not defined") {
			hint = property.Words{En: " There is no file system, network or module loader here: a submission stands alone.", Zh: " 这里没有文件系统、网络或模块加载器：提交的文件必须独立。"}
		}
		t = Blame("threw",
			fmt.Sprintf("The file throws an error while it is loaded%s: %s.%s%s", at.En, strings.TrimSuffix(what, "."), hint.En, shown),
			fmt.Sprintf("加载文件时%s抛出了错误：%s。%s%s", at.Zh, strings.TrimSuffix(what, "."), hint.Zh, shown))
	}
	t.Line, t.Column = load.Line, load.Column
	return t
}
