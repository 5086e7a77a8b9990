// A real llama.cpp behind the HTTP forms that model clients speak, for tests.
//
//   node server.mjs manifest.json
//
// The manifest is {"models": {NAME: FILE.gguf}, "context": TOKENS, "modules": FOLDER, "ollama": VERSION}; FOLDER holds
// node_modules. Models may be added to it and files replaced while the server runs, each by renaming a new file over the
// old one. Two ports are opened, since no server speaks both protocols: one answers as llama.cpp's own server
// does (llamacpp.mjs), one as Ollama of that version (ollama.mjs). When they are open one line goes to standard output:
// {"port": N, "ollama": N}. The server ends when its standard input does, so it cannot outlive the test that started it.
//
// Requests run one at a time over both ports, on one thread, from an empty cache: equal requests do equal work. What a
// request asks for and this server cannot do is refused, never ignored, unless the real server ignores it too.
import {readFileSync} from "node:fs";
import http from "node:http";
import {Engine} from "./engine.mjs";
import {HttpError, readBody} from "./http.mjs";
import {LlamaCpp} from "./llamacpp.mjs";
import {Ollama} from "./ollama.mjs";

const engine = await Engine.start(process.argv[2]);
const {ollama: version} = JSON.parse(readFileSync(process.argv[2], "utf8"));

let tail = Promise.resolve();
function queued(work) {
    const run = tail.then(work);
    tail = run.catch(() => {});
    return run;
}

// Runs one request: the wire says which handler a route has, and how its errors look.
async function handle(wire, req, res) {
    const arrived = performance.now();
    const url = new URL(req.url, "http://localhost");
    const handlers = wire.routes[url.pathname];
    if (handlers === undefined) throw wire.noRoute(req.method, url.pathname);
    const handler = handlers[req.method];
    if (handler === undefined) throw wire.noMethod(req.method, url.pathname);
    const body = req.method === "POST" ? await readBody(req) : null;
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    if (res.destroyed) return;
    await queued(() => gone.signal.aborted ? undefined : handler({body, url, res, arrived, signal: gone.signal}));
}

function listen(wire) {
    const server = http.createServer((req, res) => {
        handle(wire, req, res).catch((error) => {
            if (!(error instanceof HttpError)) process.stderr.write(`${req.method} ${req.url}: ${error?.stack ?? error}\n`);
            if (res.headersSent) wire.sendLate(res, error);
            else wire.sendError(res, error);
        });
    });
    server.keepAliveTimeout = 0; // a client must not meet a connection that was closed while it was idle
    return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}

const port = await listen(new LlamaCpp(engine));
const ollama = await listen(new Ollama(engine, version));
process.stdout.write(JSON.stringify({port, ollama}) + "\n");
process.stdin.on("end", () => process.exit(0)).resume();
