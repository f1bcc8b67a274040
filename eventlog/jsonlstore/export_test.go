package jsonlstore

// SyncData is what the store syncs a file with.
var SyncData = syncData
