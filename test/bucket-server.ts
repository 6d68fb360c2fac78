import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";

/** The server's only access key id, and its secret. */
const accessKey = "S3RVER";

/** A simulated fault: may respond to a request instead of the server; returns whether it did. */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** An S3 server in this process with one bucket on disk. */
export async function openBucketServer(bucket = "shop-backups") {
  const directory = mkdtempSync(join(tmpdir(), "palmira-bucket-"));
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] });
  await s3.configureBuckets();
  const handle = s3.callback();
  let fault: Fault | null = null;
  let writes = 0;
  const server = createServer((request, response) => {
    if (fault?.(request, response)) return;
    if (!isSigned(request)) return void refuse(response, 403, "SignatureDoesNotMatch");
    if (request.method === "PUT") writes += 1;
    handle(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has no port");
  const endpoint = `http://127.0.0.1:${address.port}`;
  const folder = join(directory, bucket);
  const suffix = "._S3rver_object";
  return {
    /** Valid entries for the panel's form. */
    form: {
      endpoint,
      region: "us-east-1",
      bucket,
      prefix: "palmira",
      accessKeyId: accessKey,
      secretAccessKey: accessKey,
      isPathStyle: true,
    },
    folder,
    /** Names of the stored objects, sorted. */
    names: () =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(suffix))
        .map((name) => name.slice(0, -suffix.length))
        .toSorted(),
    read: (name: string) => readFileSync(join(folder, name + suffix)),
    filePath: (name: string) => join(folder, name + suffix),
    /** Number of correctly signed PUT requests so far. */
    writes: () => writes,
    /** Simulates a fault until the next call of this function; null ends it. */
    fail(newFault: Fault | null) {
      fault = newFault;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      rmSync(directory, { recursive: true });
    },
  };
}

/** S3's response to a refused request. */
export function refuse(response: ServerResponse, status: number, code: string, headers = {}): true {
  response.writeHead(status, { "Content-Type": "application/xml", ...headers });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused</Message></Error>`);
  return true;
}

/** Whether the request is signed as AWS specifies; s3rver does not check signatures. */
function isSigned({ method, url = "", headers }: IncomingMessage): boolean {
  const [, key = "", scope = "", names = "", signature] =
    /Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)/.exec(headers.authorization ?? "") ?? [];
  // The server itself refuses other key ids.
  if (key !== accessKey) return true;
  const { pathname, searchParams } = new URL(url, "http://bucket");
  searchParams.sort();
  const canonical = [
    method,
    pathname,
    searchParams.toString().replaceAll("+", "%20"),
    ...names.split(";").map((name) => `${name}:${headers[name]}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const sign = (signingKey: string | Buffer, text: string) =>
    createHmac("sha256", signingKey).update(text).digest();
  const signingKey = scope.split("/").reduce<string | Buffer>(sign, `AWS4${accessKey}`);
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash].join("\n");
  return sign(signingKey, text).toString("hex") === signature;
}
