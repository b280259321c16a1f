// What both generations of the TypeScript SDK see; see tests/interaction/real_clients.py.
// Ways: v1, v1:sse, v2:legacy, v2:auto, v2:2026-07-28 (pinned), v2:sse.
import { createInterface } from "node:readline";
import * as v2 from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const v1 = { Client, SSEClientTransport, StreamableHTTPClientTransport };

const connect = async (url, how) => {
  const [generation, mode] = how.split(":");
  const sdk = generation === "v1" ? v1 : v2;
  const transport =
    mode === "sse"
      ? new sdk.SSEClientTransport(new URL(url.replace(/\/mcp$/, "/sse")))
      : new sdk.StreamableHTTPClientTransport(new URL(url));
  const modern = { auto: "auto", "2026-07-28": { pin: "2026-07-28" } }[mode];
  const options = modern ? { versionNegotiation: { mode: modern } } : {};
  const client = new sdk.Client({ name: "typescript-test", version: "1.0.0" }, options);
  await client.connect(transport);
  // The first generation tells its version over Streamable HTTP only.
  const version = () =>
    client.getNegotiatedProtocolVersion?.() ??
    transport.protocolVersion ??
    transport._protocolVersion;
  return { client, version };
};

const text = (result) => (result.isError ? result.content[0].text : "");

const refusal = async (work) => {
  try {
    await work();
    return "";
  } catch (error) {
    return `${error.code} ${error.message}`;
  }
};

const look = async ({ client, version }) => ({
  version: version(),
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  structured: (await client.callTool({ name: "echo", arguments: { text: "hello" } }))
    .structuredContent,
  failed: text(await client.callTool({ name: "fail", arguments: {} })),
  wrong: text(await client.callTool({ name: "count", arguments: { steps: 0 } })),
  refused: await refusal(() => client.callTool({ name: "ecco", arguments: {} })),
  resource: (await client.readResource({ uri: "sample://fixed" })).contents[0].text,
});

const [url, ...ways] = process.argv.slice(2);
const clients = {};
for (const how of ways) clients[how] = await connect(url, how);
for await (const _ of createInterface({ input: process.stdin })) {
  const seen = {};
  for (const how of ways) seen[how] = await look(clients[how]);
  console.log(JSON.stringify(seen));
}
for (const how of ways) await clients[how].client.close();
