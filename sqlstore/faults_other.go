//go:build !unix

package sqlstore

import "syscall"

const errQuota = syscall.ENOSPC
