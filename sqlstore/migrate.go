package sqlstore

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations are the steps from an empty file to today's, in their order: 0001.sql makes version 1 of an empty one.
func migrations() []string {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // in the order of names
	if err != nil {
		panic(err)
	}
	steps := make([]string, len(names))
	for i, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil || name != fmt.Sprintf("migrations/%04d.sql", i+1) {
			panic(fmt.Sprintf("sqlstore: migrations are numbered from 1: %s %v", name, err))
		}
		steps[i] = string(text)
	}
	return steps
}

// migrate takes the steps that a file has not seen yet, each in a transaction of its own, which sets the version as well. Of two processes that
// open a file at once one takes a step, and the other finds it taken.
//
// https://sqlite.org/lang_transaction.html
func (c *conn) migrate(steps []string) error {
	for {
		_, version, err := c.version()
		if err != nil || version >= int64(len(steps)) {
			return err
		}
		if err := c.migrateOnce(steps); err != nil {
			return err
		}
	}
}

func (c *conn) migrateOnce(steps []string) error {
	if err := c.db.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer c.rollback()
	// Nobody else changes it from here on.
	_, version, err := c.version()
	if err != nil || version >= int64(len(steps)) {
		return err
	}
	if err := c.db.Exec(steps[version]); err != nil {
		return fmt.Errorf("migration %d: %w", version+1, err)
	}
	if err := c.db.Exec(fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version+1)); err != nil {
		return err
	}
	return c.db.Exec("COMMIT")
}
