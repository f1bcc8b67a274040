// The README's session with curl: every command is run as it is printed, by bash, against a real bin/eventlog serve. Only the service's address, the
// path of the command and the times are put back to what a reader would see.
//
// A machine without curl gets a stand-in that knows the options used here, so that what is generated can be checked everywhere. With NO_CURL=1 the
// stand-in is used although there is a curl, to see that both say the same.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const standIn = `#!${process.execPath}
const [headers, rest, body] = [{}, [], []];
for (let args = process.argv.slice(2); args.length > 0; ) {
  const arg = args.shift();
  if (arg === "-H") { const [name, value] = args.shift().split(/: (.*)/); headers[name] = value; }
  else if (arg === "-d") body.push(args.shift());
  else if (/^-[sN]+$/.test(arg)) continue;
  else if (arg.startsWith("-")) { console.error("the stand-in for curl does not know " + arg); process.exit(2); }
  else rest.push(arg);
}
const cut = () => process.exit(18);
require("node:http").request("http://" + rest[0], { method: body.length > 0 ? "POST" : "GET", headers }, (answer) => {
  answer.on("error", cut).on("aborted", cut).pipe(process.stdout);
}).on("error", () => process.exit(7)).end(body.join("&"));
`;

const shown = "localhost:8080";
const json = "-H 'Content-Type: application/json'";
const message = `curl -s ${shown}/sessions/support-42/messages ${json} \\
    -H 'Idempotency-Key: message-1' -d '{"content":"Forget me not"}'`;

/** The transcript, by the name of each of its parts. @param {string} root of the repository */
export async function transcript(root) {
  const dir = mkdtempSync(join(tmpdir(), "forgetmenot-transcript-"));
  const shell = new Shell(root, dir);
  try {
    const start = [
      await shell.serve(),
      await shell.run(`curl -s ${shown}/sessions ${json} -d '{"id":"support-42","title":"Orders"}'`),
      await shell.run(message),
    ];
    const last = Number(/"lastEventId":(\d+)/.exec(start[2])[1]);
    const stream = await shell.stream(`curl -sN ${shown}/sessions/support-42/stream`, last);
    const broken = [
      await shell.kill(stream.ended),
      await shell.run(`bin/eventlog append support-42 --type note --payload '{"text":"nobody serves"}' --db demo.db`),
      await shell.serve(),
    ];
    const resumed = await shell.stream(`curl -sN ${shown}/sessions/support-42/stream -H 'Last-Event-ID: ${last - 1}'`, 2);
    const again = await shell.run(message);
    if (again !== start[2]) throw new Error(`the same message with the same key got another answer:\n${start[2]}\n${again}`);
    await shell.stop(resumed.ended);
    const block = (...commands) => ["```console", commands.join("\n\n"), "```"].join("\n");
    return { "curl-start": block(...start, stream.text), "curl-resume": block(...broken, resumed.text), "curl-repeat": block(again) };
  } finally {
    shell.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

class Shell {
  #root;
  #dir;
  #env;
  #address = "";
  #service;
  #children = new Set();

  constructor(root, dir) {
    this.#root = root;
    this.#dir = dir;
    // Behind everything that is on the PATH: the real curl comes first.
    writeFileSync(join(dir, "curl"), standIn);
    chmodSync(join(dir, "curl"), 0o755);
    const path = process.env.NO_CURL ? [dir, process.env.PATH] : [process.env.PATH, dir];
    this.#env = { PATH: path.join(delimiter), LC_ALL: "C" };
  }

  #spawn(command) {
    const real = command.replaceAll(shown, this.#address).replaceAll("bin/eventlog", join(this.#root, "bin/eventlog"));
    const child = spawn("bash", ["-c", `exec ${real}`], { cwd: this.#dir, env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
    this.#children.add(child);
    const output = { text: "", errors: "" };
    child.stdout.on("data", (data) => (output.text += data));
    child.stderr.on("data", (data) => (output.errors += data));
    const ended = once(child, "close").then(([status]) => {
      this.#children.delete(child);
      return status;
    });
    return { child, output, ended };
  }

  /** Waits until what a child has said is enough. */
  async #until(running, enough) {
    while (!enough(running.output.text)) {
      const more = await Promise.race([once(running.child.stdout, "data").then(() => true), running.ended.then(() => false)]);
      if (!more && !enough(running.output.text)) throw new Error(`it ended too early: ${running.child.spawnargs.at(-1)}\n${running.output.text}${running.output.errors}`);
    }
  }

  #print(command, text) {
    const told = text
      .replaceAll(this.#address, shown)
      .replaceAll(/"createdAt":\d+/g, '"createdAt":1796101200000')
      .trimEnd();
    return `$ ${command}${told === "" ? "" : `\n${told}`}`;
  }

  async serve() {
    const address = this.#address || "127.0.0.1:0";
    const running = this.#spawn(`bin/eventlog serve --db demo.db --address ${address}`);
    await this.#until(running, (text) => text.includes("\n"));
    this.#address = /127\.0\.0\.1:\d+/.exec(running.output.text)[0];
    this.#service = running;
    return this.#print("bin/eventlog serve --db demo.db 2>serve.log &", running.output.text);
  }

  async run(command) {
    const { output, ended } = this.#spawn(command);
    const status = await ended;
    if (status !== 0) throw new Error(`exit status ${status}: ${command}\n${output.text}${output.errors}`);
    return this.#print(command, output.text);
  }

  /** Runs a stream until it has brought so many events; it goes on until the service ends. */
  async stream(command, events) {
    const running = this.#spawn(command);
    await this.#until(running, (text) => text.split(/^data: .*\n\n/m).length > events);
    const text = this.#print(command, running.output.text);
    return { text, ended: running.ended };
  }

  /** SIGKILL. The open stream breaks off. */
  async kill(stream) {
    this.#service.child.kill("SIGKILL");
    await this.#service.ended;
    if ((await stream) === 0) throw new Error("the stream of a service that was killed ended as if all were well");
    return "$ kill -9 %1";
  }

  /** SIGTERM. The open stream ends whole. */
  async stop(stream) {
    this.#service.child.kill("SIGTERM");
    const statuses = [await this.#service.ended, await stream];
    if (statuses.some((status) => status !== 0)) throw new Error(`service and stream ended with ${statuses.join(" and ")}, not with 0`);
  }

  close() {
    for (const child of this.#children) child.kill("SIGKILL");
  }
}
