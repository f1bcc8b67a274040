package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"forgetmenot/grader"
)

// readUnder reads a file of a folder, or of a folder in it, following no link out of where it lies.
func readUnder(dir, folder, name string) ([]byte, *grader.Trouble) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, unreadable(err)
	}
	defer root.Close()
	if folder != "" {
		sub, err := root.OpenRoot(folder)
		if err != nil {
			return nil, unreadable(err)
		}
		defer sub.Close()
		root = sub
	}
	if info, err := root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if _, trouble := follow(root, filepath.Join(dir, folder), name); trouble != nil {
			return nil, trouble
		}
	}
	return readFile(root.Stat, root.OpenFile, name)
}

// readFile reads a regular file. It opens nothing that could make it wait, and reads no more than is ever graded.
func readFile(stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error), name string) ([]byte, *grader.Trouble) {
	info, err := stat(name)
	if err != nil {
		return nil, unreadable(err)
	}
	if t := irregular(info); t != nil {
		return nil, t
	}
	f, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil { // what was opened, which need not be what stood there before
		return nil, unreadable(err)
	}
	if t := irregular(info); t != nil {
		return nil, t
	}
	if info.Size() > grader.MaxSource {
		return nil, grader.TooLarge(info.Size())
	}
	source, err := io.ReadAll(io.LimitReader(f, grader.MaxSource+1))
	if err != nil {
		return nil, unreadable(err)
	}
	return source, nil
}

func irregular(info fs.FileInfo) *grader.Trouble {
	what, cn := "a device", "设备"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what, cn = "a folder", "文件夹"
	case mode&fs.ModeNamedPipe != 0:
		what, cn = "a pipe", "管道"
	case mode&fs.ModeSocket != 0:
		what, cn = "a socket", "套接字"
	}
	return grader.Blame("not-a-file",
		fmt.Sprintf("This is not a file but %s. Submit the JavaScript file itself.", what),
		fmt.Sprintf("这不是文件，而是%s。请提交 JavaScript 文件本身。", cn))
}

func unreadable(err error) *grader.Trouble {
	why := cause(err).Error()
	switch {
	case errors.Is(err, fs.ErrPermission):
		why = "you have no permission to read it"
	case errors.Is(err, fs.ErrNotExist):
		why = "it is not there any more"
	}
	return grader.Blame("unreadable", fmt.Sprintf("The file cannot be read: %s.", why), fmt.Sprintf("无法读取文件：%s。", why))
}

// leaves tells whether a link leads out of the folder.
func leaves(dir, name string) bool {
	home, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return true
	}
	target, err := filepath.EvalSymlinks(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		// It leads to nothing; where to, the link itself says.
		if target, err = os.Readlink(filepath.Join(dir, name)); err == nil && !filepath.IsAbs(target) {
			target = filepath.Join(home, target)
		}
	}
	if err != nil {
		return true
	}
	inside, err := filepath.Rel(home, target)
	return err != nil || !filepath.IsLocal(inside)
}

func linkTrouble() *grader.Trouble {
	return grader.Blame("link",
		"This is a symbolic link that leads out of the submission's folder, which is not followed. Submit the file itself.",
		"这是一个指向提交文件夹之外的符号链接，不会被跟随。请提交文件本身。")
}
