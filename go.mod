module forgetmenot

go 1.26.8

require (
	github.com/klauspost/compress v1.20.4 // zstd: reads session logs that are compressed, and keeps session files small: eventlog/inspect, eventlog/jsonlstore
	github.com/ncruces/go-sqlite3 v0.37.0 // SQLite without C, for the reference store: sqlstore
	github.com/openai/openai-go/v3 v3.98.0 // asks models behind OpenAI-compatible endpoints: eventlog/agent/openai
	github.com/prometheus/client_golang v1.25.0 // counts what the agent service does, for Prometheus: eventlog/agent
	github.com/stretchr/testify v1.12.1 // assertions, in tests only
	github.com/tetratelabs/wazero v1.12.0 // runs the JavaScript sandbox in the command: grader/jsrun
	golang.org/x/sys v0.49.0 // file locks and fdatasync: eventlog/jsonlstore; whether a command writes to a terminal, and how wide it is: grader/cmd/grader, sqlstore/cmd/eventlog
	pgregory.net/rapid v1.3.0 // draws the programs that try to refute a submission: grader/property
)

require (
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/coder/websocket v1.8.15 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/ncruces/go-sqlite3-wasm/v6 v6.5.35401 // indirect
	github.com/ncruces/julianday v1.0.0 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/common v0.72.0 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

// npm packages may hold Go files, which are none of ours.
ignore ./web
