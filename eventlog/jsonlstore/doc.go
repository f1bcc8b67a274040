// Package jsonlstore keeps event logs in plain files, one for each session, in a folder.
package jsonlstore
