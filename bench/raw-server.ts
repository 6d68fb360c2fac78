import { createServer } from "node:http";
import { text } from "node:stream/consumers";

// The baseline: responds to every request with the headers and body from stdin. Prints its port.

const { headers, body } = JSON.parse(await text(process.stdin)) as {
  headers: Record<string, string>;
  body: string;
};
const bytes = Buffer.from(body, "latin1");
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(address.port);
});
