// One submission in a plain node process, for the benchmark beside this file: no sandbox, no limits. It reads a message a line and answers
// a line: L loads a file, O opens it anew, R runs an encoded program and answers the transcript.
import { readFileSync, readSync, writeSync } from "node:fs";

const harness = readFileSync(new URL("../jsrun/harness.js", import.meta.url), "utf8");
const api = (0, eval)(harness)({
  memory() {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  },
});

let source = "";
let functions = "[]";
let opened = 0;

// Each opening is another module to node, so the file's top level runs again.
async function open() {
  opened += 1;
  const module = await import(`data:text/javascript;base64,${Buffer.from(`${source}\n// ${opened}`).toString("base64")}`);
  api.bind(functions, module, undefined);
}

function answer(text) {
  const bytes = Buffer.from(`${text}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

const chunk = Buffer.alloc(1 << 16);
let rest = [];
for (;;) {
  const n = readSync(0, chunk);
  if (n === 0) break;
  let from = 0;
  for (let end; (end = chunk.subarray(0, n).indexOf(10, from)) >= 0; from = end + 1) {
    const line = Buffer.concat([...rest, chunk.subarray(from, end)]).toString();
    rest = [];
    const body = line.slice(1);
    switch (line[0]) {
      case "L": {
        const request = JSON.parse(body);
        source = request.source;
        functions = JSON.stringify(request.functions);
        answer("loaded");
        break;
      }
      case "O":
        await open();
        answer("open");
        break;
      case "R":
        answer(api.run(body));
        break;
    }
  }
  if (from < n) rest.push(Buffer.from(chunk.subarray(from, n)));
}
