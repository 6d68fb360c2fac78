import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const root = join(import.meta.dirname, "../..");
const readFile = (path: string) => readFileSync(join(root, path), "utf8");

test("the Kubernetes example sends visitors to every pod that can serve pages, and restarts none while the database is down", () => {
  const [deployment] = parseAllDocuments(readFile("deploy/kubernetes/palmira.yaml")).map((each) =>
    each.toJSON(),
  );
  const { metadata, spec } = deployment.spec.template;
  const [{ readinessProbe, livenessProbe, startupProbe }] = spec.containers;
  expect([readinessProbe, livenessProbe, startupProbe].map(({ httpGet }) => httpGet.path)).toEqual([
    "/readyz?for=pages",
    "/healthz",
    "/healthz",
  ]);
  // The comment in the alert rules selects the pods by this label.
  expect(readFile("deploy/observability/rules.yaml")).toContain(
    `pod_label_app], regex: ${metadata.labels.app}, action: keep`,
  );
});

test("the HAProxy example falls back to servers that can only show pages once no server can sell", () => {
  const [, shops = "", pages = ""] = readFile("deploy/haproxy.cfg").split(/^backend \w+$/m);
  const serverLines = (backend: string) => backend.match(/^\tserver .*$/gm);
  expect(serverLines(pages)).toEqual(serverLines(shops));
  expect(serverLines(pages)).toHaveLength(3);
  expect(shops).toMatch(/httpchk GET \/readyz$/m);
  expect(pages).toMatch(/httpchk GET \/readyz\?for=pages$/m);
  expect(readFile("deploy/haproxy.cfg")).toContain("use_backend pages if { nbsrv(shops) lt 1 }");
});

test("the nginx example never removes a server, and the Caddy example uses any server once none can sell", () => {
  const upstream = /^upstream palmira \{(.*?)^\}/ms.exec(readFile("deploy/nginx.conf"))?.[1] ?? "";
  const servers = upstream.match(/\bserver \d.*$/gm) ?? [];
  expect(servers).toHaveLength(3);
  expect(servers.filter((line) => !line.endsWith(" max_fails=0;"))).toEqual([]);
  const [mainBlock = "", errorBlock = ""] = readFile("deploy/Caddyfile").split("handle_errors {");
  expect(mainBlock).toMatch(/health_uri \/readyz$/m);
  expect(errorBlock).toContain("reverse_proxy @unsent");
  expect(errorBlock).not.toContain("health_uri");
});

test("the compose example limits memory and logs, accepts any password, and requires SECRETS_KEY", () => {
  type Service = { mem_limit?: string; logging?: unknown; environment: Record<string, string> };
  const { services } = parse(readFile("compose.yaml"), { merge: true }) as {
    services: Record<string, Service>;
  };
  for (const [name, { mem_limit, logging }] of Object.entries(services)) {
    expect([name, mem_limit, logging]).toEqual([
      name,
      expect.any(String),
      expect.objectContaining({ options: { "max-size": "20m", "max-file": "5" } }),
    ]);
  }
  const { environment = {} } = services.shop ?? {};
  expect(environment.DATABASE_URL).not.toContain(":$");
  expect(environment.PGPASSWORD).toContain("POSTGRES_PASSWORD:?");
  expect(environment.SECRETS_KEY).toContain("SECRETS_KEY:?");
});
