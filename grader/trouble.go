package grader

import (
	"bytes"
	"fmt"
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
		return TooLarge(int64(len(source)))
	case len(bytes.TrimSpace(bytes.TrimPrefix(source, []byte("\ufeff")))) == 0:
		return Blame("empty", "The file is empty. Write the five functions in it.", "文件是空的。请在里面写出五个函数。")
	case bytes.HasPrefix(source, []byte("\xff\xfe")) || bytes.HasPrefix(source, []byte("\xfe\xff")):
		return Blame("encoding", "The file is saved as UTF-16. Save it as UTF-8.", "文件以 UTF-16 保存。请改以 UTF-8 保存。")
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

// TooLarge is the trouble of a file of this many bytes.
func TooLarge(size int64) *Trouble {
	return Blame("too-large",
		fmt.Sprintf("The file is %d KiB; at most %d KiB are graded. A solution needs a few KiB: is this the right file?", (size+1023)>>10, MaxSource>>10),
		fmt.Sprintf("文件有 %d KiB，最多只评 %d KiB。一份解答只需要几 KiB：是不是选错了文件？", (size+1023)>>10, MaxSource>>10))
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

// Endless is the trouble of a file whose top level does not come to an end.
func Endless() *Trouble {
	return Blame("ending",
		"The file itself does not come to an end: there is an endless loop, or an await that waits for ever, outside the five functions.",
		"文件本身的代码一直不结束：五个函数之外有一个无尽的循环，或者一个永远等待的 await。")
}
