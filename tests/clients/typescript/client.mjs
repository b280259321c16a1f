// Lists, calls and reads errors through a router; prints what it saw as one JSON object.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const failure = async (work) => {
  try {
    await work();
    return null;
  } catch (error) {
    return { code: error.code, message: error.message };
  }
};

const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]));
const client = new Client({ name: "typescript-test", version: "1.0.0" });
await client.connect(transport);

const heard = [];
const seen = {
  version: transport.protocolVersion,
  server: client.getServerVersion().name,
  instructions: client.getInstructions(),
  tools: (await client.listTools()).tools.map((tool) => tool.name),
  resources: (await client.listResources()).resources.map((resource) => resource.uri),
  templates: (await client.listResourceTemplates()).resourceTemplates.map((t) => t.uriTemplate),
  prompts: (await client.listPrompts()).prompts.map((prompt) => prompt.name),
  echo: await client.callTool({ name: "echo", arguments: { text: "hello" } }),
  count: await client.callTool({ name: "count", arguments: { steps: 2 } }, undefined, {
    onprogress: (progress) => heard.push(progress.progress),
  }),
  heard,
  resource: (await client.readResource({ uri: "sample://item/7" })).contents[0].text,
  prompt: (await client.getPrompt({ name: "greet", arguments: { name: "Ada" } })).messages[0]
    .content.text,
  toolError: await client.callTool({ name: "fail", arguments: {} }),
  badArgument: await client.callTool({ name: "count", arguments: { steps: 0 } }),
  unknownTool: await failure(() => client.callTool({ name: "ecco", arguments: {} })),
  unknownResource: await failure(() => client.readResource({ uri: "nothing://here" })),
};
await client.ping();
await client.close();
console.log(JSON.stringify(seen));
