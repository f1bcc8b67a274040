// The subject in JavaScript: better-sqlite3. It obeys the commands that child.go lists, those from open to sessions, and answers each with a line
// of JSON. What it prepares and sets it reads from the files "statements" and "pragmas" in its working directory, in the order of statements.go.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";

const linesOf = (file) => readFileSync(file, "utf8").split("\n").filter((line) => line !== "");

let db, work;
let begin, commit, logEnd, findSession, putMessage, putCall, openCall, answerCall, putEvent, moveSession, readMessages, readEvents, readSessions;

function open(file) {
  db?.close();
  db = new Database(file);
  for (const line of linesOf("pragmas")) {
    const [name, value] = line.split(" ");
    db.pragma(`${name} = ${value}`);
    const got = String(db.pragma(name, { simple: true }));
    if (got !== value) throw new Error(`pragma ${name} is ${got}, it should be ${value}`);
  }
  [begin, commit, logEnd, findSession, putMessage, putCall, openCall, answerCall, putEvent, moveSession, readMessages, readEvents, readSessions] =
    linesOf("statements").map((sql) => db.prepare(sql));
  return { version: db.prepare("SELECT sqlite_version()").pluck().get() };
}

function load(file) {
  work = [];
  for (const line of linesOf(file)) {
    const f = line.split("\t");
    if (f[0] === "@") work.push({ session: f[1], rows: [] });
    else
      work.at(-1).rows.push({
        eventId: Number(f[0]), type: f[1], payload: f[2], createdAt: Number(f[3]), hash: Buffer.from(f[4], "hex"),
        role: f[5], content: f[6], callId: f[7] || null, name: f[8] || null, arguments: f[9] || null,
      });
  }
}

function put(session, r) {
  putMessage.run(r.eventId, session, r.role, r.content, r.callId, r.name, r.arguments);
  if (r.name !== null) putCall.run(r.eventId, session, r.callId);
  else if (r.callId !== null) answerCall.run(r.eventId, openCall.get(session, r.callId, "open").event_id);
  putEvent.run(r.eventId, session, r.type, r.payload, r.createdAt, r.hash);
}

function write(from, count) {
  for (const append of work.slice(from, from + count)) {
    begin.run();
    let last = Object.values(logEnd.get())[0];
    const session = findSession.get(append.session).number;
    for (const r of append.rows) {
      if (++last !== r.eventId) throw new Error(`the file goes on with event ${last}, the work with ${r.eventId}`);
      put(session, r);
    }
    moveSession.run(last, append.rows.length, session);
    commit.run();
  }
}

// All texts are ASCII, so that a string's length is its number of bytes.
const length = (text) => (text === null ? 0 : text.length);

function read(rows, id, bytes) {
  const tally = { rows: 0, bytes: 0, order: 0 };
  for (const r of rows) {
    tally.rows++;
    tally.bytes += bytes(r);
    tally.order = (tally.order * 31 + id(r)) % 1_000_003;
  }
  return tally;
}

const commands = {
  open, load,
  write: (from, count) => write(Number(from), Number(count)),
  messages: (session) =>
    read(readMessages.iterate(findSession.get(session).number), (r) => r.event_id,
      (r) => r.role.length + r.content.length + length(r.tool_call_id) + length(r.name) + length(r.arguments)),
  events: (session) =>
    read(readEvents.iterate(findSession.get(session).number), (r) => r.event_id + r.created_at, (r) => r.type.length + r.payload.length),
  sessions: () =>
    read(readSessions.iterate(), (r) => r.number + r.created_at + r.last_event_id + r.event_count, (r) => r.id.length + r.title.length),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...words] = line.split(" ");
  let answer;
  try {
    const start = process.hrtime.bigint();
    const before = process.cpuUsage();
    const said = commands[what](...words);
    const worked = process.cpuUsage(before);
    answer = { ns: Number(process.hrtime.bigint() - start), cpu: (worked.user + worked.system) * 1000, ...said };
  } catch (e) {
    answer = { error: e.message };
  }
  console.log(JSON.stringify(answer));
}
db?.close();
