import { isIP } from "node:net";
import { isPublicAddress } from "../platform/http/public-lookup.ts";

const allowedPorts = ["", "443", "8443"];
const privateNames = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|onion|arpa)$/;
const localHost = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Why a webhook's URL is not accepted; null if it is. Host names are resolved when connecting (`publicLookup`).
 * `allowsLocal`: this machine may be called over http (WEBHOOK_ALLOW_LOCAL).
 */
export function webhookUrlProblem(text: string, allowsLocal: boolean): string | null {
  if (!URL.canParse(text)) return "Enter a complete address, such as https://example.com/hook";
  const { protocol, hostname, port, username, password } = new URL(text);
  if (username !== "" || password !== "") return "The address must not contain a user name or password";
  if (allowsLocal && isLocal(text)) return null;
  if (protocol !== "https:") return "The address must begin with https://";
  if (!allowedPorts.includes(port)) return "The port must be 443 or 8443";
  const host = hostname.replace(/\.$/, "");
  const literal = host.replace(/^\[|\]$/g, "");
  const isPublic =
    isIP(literal) === 0 ? host.includes(".") && !privateNames.test(host) : isPublicAddress(literal);
  return isPublic ? null : "The address must be a public one";
}

/** Whether the URL is of this machine, over http. */
export function isLocal(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === "http:" && localHost.test(hostname);
}
