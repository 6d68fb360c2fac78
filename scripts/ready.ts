import { runCommand } from "./commands/shop-command.ts";

// `node scripts/ready.ts`: checks whether this machine's shop is open. Exit code 1 if it is not.

const responseTimeoutMs = 3_000;

await runCommand(async ({ host, port, publicUrl }) => {
  const hostname = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const url = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  const request = (path: string) =>
    fetch(url + path, { signal: AbortSignal.timeout(responseTimeoutMs) }).catch(() => null);
  const pages = await request("/readyz?for=pages");
  const sales = await request("/readyz");
  if (pages === null || sales === null) {
    console.log(`No answer at ${url}.`);
    process.exitCode = 1;
    return;
  }
  if (!pages.ok) process.exitCode = 1;
  // While the shop is starting, it responds in plain text.
  const { degraded = {} } = (await sales.json().catch(() => ({}))) as { degraded?: Record<string, string> };
  const failures = Object.entries(degraded).map(([part, reason]) => `${part} (${reason})`);
  console.log(
    sales.ok
      ? `Open at ${publicUrl}, and sells.`
      : [pages.ok ? `Open at ${publicUrl}, but cannot sell` : "Not open yet", ...failures].join("; "),
  );
});
