package grader

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"forgetmenot/grader/property"
)

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
		hint := syntaxHint(load, source)
		t = Blame("syntax", fmt.Sprintf("There is a syntax error%s: %s.%s%s", at.En, what, hint.En, shown), fmt.Sprintf("%s有语法错误：%s。%s%s", at.Zh, what, hint.Zh, shown))
	case property.LoadImport:
		t = Blame("import",
			fmt.Sprintf("The file imports %q. A submission stands alone: remove the import, and write what you need yourself.", load.Text),
			fmt.Sprintf("文件导入了 %q。提交的文件必须独立：请去掉导入，自己写出需要的代码。", load.Text))
	case property.LoadEnding:
		t = Endless()
	case property.LoadMemory:
		t = Blame("memory", "Loading the file used up all memory: look at the code outside the five functions.", "加载文件时用光了内存：请检查五个函数之外的代码。")
	case property.LoadStack:
		t = Blame("stack", "Loading the file ran out of stack: look for a recursion outside the five functions.", "加载文件时耗尽了栈：请检查五个函数之外的递归。")
	default:
		hint := thrownHint(load)
		t = Blame("threw",
			fmt.Sprintf("The file throws an error while it is loaded%s: %s.%s%s", at.En, strings.TrimSuffix(what, "."), hint.En, shown),
			fmt.Sprintf("加载文件时%s抛出了错误：%s。%s%s", at.Zh, strings.TrimSuffix(what, "."), hint.Zh, shown))
	}
	t.Line, t.Column = load.Line, load.Column
	return t
}

// otherLanguages are recognised by how a line of theirs begins, since people do submit the wrong file.
var otherLanguages = []struct {
	starts *regexp.Regexp
	words  property.Words
}{
	{regexp.MustCompile(`(?m)^(def \w+\(.*\).*:|from \w+ import |class \w+.*:)\s*$`), property.Words{En: " This looks like Python; the exercise is written in JavaScript.", Zh: "这看起来是 Python；本练习用 JavaScript 编写。"}},
	{regexp.MustCompile(`(?im)^\s*<(!doctype|html|head|body|script|\?xml)\b`), property.Words{En: " This looks like HTML; submit the JavaScript alone.", Zh: "这看起来是 HTML；请只提交 JavaScript。"}},
	{regexp.MustCompile(`(?m)^(package \w+|func \w+\()`), property.Words{En: " This looks like Go; the exercise is written in JavaScript.", Zh: "这看起来是 Go；本练习用 JavaScript 编写。"}},
	{regexp.MustCompile("(?m)^(#{1,6} \\w|```)"), property.Words{En: " This looks like Markdown; submit the JavaScript alone.", Zh: "这看起来是 Markdown；请只提交 JavaScript。"}},
	{regexp.MustCompile(`(?m)^\s*(export )?(interface|type|enum|declare) \w+|\w\??: (string|number|boolean|unknown|any|void)\b`), property.Words{En: " This looks like TypeScript; remove the types, the exercise is written in JavaScript.", Zh: "这看起来是 TypeScript；请去掉类型，本练习用 JavaScript 编写。"}},
	{regexp.MustCompile(`^\s*[{\[]\s*["{\[]`), property.Words{En: " This looks like JSON data, not a program.", Zh: "这看起来是 JSON 数据，不是程序。"}},
}

// syntaxHint says what most often stands behind a syntax error like this one.
func syntaxHint(load *property.LoadError, source string) property.Words {
	for _, l := range otherLanguages {
		if l.starts.MatchString(source) {
			return l.words
		}
	}
	switch text := load.Text; {
	case strings.Contains(text, "unexpected end of string"):
		return property.Words{En: " A text that begins with a quote has no quote at its end, or a line break in it.", Zh: "有一个字符串缺少结尾的引号，或者中间换了行。"}
	case strings.Contains(text, "unexpected end") || strings.HasSuffix(text, "''") || strings.Contains(text, "end of input"):
		return property.Words{En: " The file ends too early: a closing } or ) or ` is missing somewhere above.", Zh: "文件结束得太早：前面某处缺少 }、) 或 `。"}
	case strings.Contains(text, "redefinition"):
		return property.Words{En: " This name has been declared before: give one of the two another name.", Zh: "这个名字之前已经声明过：请给其中一个换个名字。"}
	case strings.HasPrefix(text, "expecting"):
		return property.Words{En: " Something is missing there, or there is something too much just before.", Zh: "这里缺了什么，或者前面多了什么。"}
	}
	return property.Words{}
}

// worldly are names that exist in browsers and in Node, and not in a realm.
var worldly = []string{"require", "process", "fetch", "window", "document", "setTimeout", "setInterval", "localStorage", "Buffer", "crypto", "Intl", "__dirname", "self"}

func thrownHint(load *property.LoadError) property.Words {
	name, undefined := strings.CutSuffix(load.Text, " is not defined")
	switch {
	case !undefined:
		return property.Words{}
	case slices.Contains(worldly, strings.Trim(name, "'")):
		return property.Words{En: " There is no file system, network, timer or module loader here: a submission stands alone.", Zh: " 这里没有文件系统、网络、定时器或模块加载器：提交的文件必须独立。"}
	}
	return property.Words{En: " Is the name spelt as where it is declared?", Zh: " 这个名字和声明它的地方拼写一致吗？"}
}
