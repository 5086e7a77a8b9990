// Does a trace of calls with the TypeScript SDK's client: client.mjs URL TOKEN TRACE. Prints one line of JSON.
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, token, trace] = process.argv.slice(2);
const client = new Client({ name: "assay-test", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }));
const { tools } = await client.listTools(); // from here on the client holds results against the output schemas
const { resources } = await client.listResources();
let structured = 0;
for (const line of readFileSync(trace, "utf8").split("\n").filter(Boolean)) {
  const step = JSON.parse(line);
  const r = await client.callTool({ name: step.tool, arguments: step.args });
  if (r.isError) throw new Error(`${step.tool}: ${JSON.stringify(r.content)}`);
  if (r.structuredContent) structured++;
}
const refused = await client.callTool({ name: "maint.orders.get", arguments: { order_no: "X" } });
const unknown = await client.callTool({ name: "maint.orders.fetch", arguments: {} });
await client.close();
console.log(JSON.stringify({ tools: tools.length, resources: resources.length, structured, refused: refused.isError, unknown: unknown.isError }));
