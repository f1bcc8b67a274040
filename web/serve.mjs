// Serves web/dist, to this machine only.
//
//   node serve.mjs [--base /some/path/] [--dir FOLDER]      PORT=8080 HOST=127.0.0.1
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createStaticServer } from "./tools/server.mjs";

async function main(args) {
  const option = (name, otherwise) => (args.includes(name) ? (args[args.indexOf(name) + 1] ?? otherwise) : otherwise);
  const dir = option("--dir", join(dirname(fileURLToPath(import.meta.url)), "dist"));
  const base = `/${option("--base", "/")}/`.replace(/\/+/g, "/");
  const port = Number(process.env.PORT || 8080);
  const host = process.env.HOST || "127.0.0.1";

  if (!Number.isInteger(port) || port < 0 || port > 65535) stop(`PORT=${process.env.PORT} is not a port number.`);
  if (!(await stat(join(dir, "index.html")).catch(() => undefined))) {
    stop(`There is no built page in ${dir}. Run \`make build\` first.`);
  }
  const server = createStaticServer(dir, base);
  server.on("error", (error) => {
    if (error.code === "EADDRINUSE") stop(`Port ${port} is taken. Choose another one: PORT=${port + 1} make run`);
    if (error.code === "EACCES") stop(`Port ${port} needs more rights. Choose one above 1023: PORT=8080 make run`);
    stop(String(error.message));
  });
  server.listen(port, host, () => {
    const name = host === "127.0.0.1" ? "localhost" : host;
    console.log(`Forget-Me-Not is at http://${name}:${server.address().port}${base}  (Ctrl-C ends it)`);
  });
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

await main(process.argv.slice(2));
