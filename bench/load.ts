import { acceptEncoding, openClient, requestText } from "./keep-alive-client.ts";

// Program that requests one URL over several connections and prints the responses per second.

const [url = "", connections = "1", seconds = "1"] = process.argv.slice(2);
const headers = { "Accept-Encoding": acceptEncoding };
const request = requestText("GET", new URL(url).pathname, { headers });
const until = performance.now() + Number(seconds) * 1_000;
let responses = 0;

async function sendRequests(): Promise<void> {
  const client = await openClient(url);
  while (performance.now() < until) {
    const { status } = await client.send(request);
    if (status !== 200) throw new Error(`${url} answered ${status}`);
    responses += 1;
  }
  client.close();
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, sendRequests));
console.log(responses / ((performance.now() - startedAt) / 1_000));
