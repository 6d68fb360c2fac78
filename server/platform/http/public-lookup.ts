import { lookup } from "node:dns";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIPv6, type LookupFunction } from "node:net";

/** Networks without public hosts: private, loopback, shared, documentation, multicast. */
const notPublic = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  notPublic.addSubnet(network, bits);
}
// Within the public block of IPv6: documentation, and networks that embed IPv4 addresses.
notPublic.addSubnet("2001::", 23, "ipv6");
notPublic.addSubnet("2001:db8::", 32, "ipv6");
notPublic.addSubnet("2002::", 16, "ipv6");
const publicIpv6 = new BlockList();
publicIpv6.addSubnet("2000::", 3, "ipv6");

export function isPublicAddress(address: string): boolean {
  if (!isIPv6(address)) return !notPublic.check(address);
  return publicIpv6.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}

/**
 * DNS lookup for connections to addresses provided by others. Refuses private addresses at the moment of connecting, so
 * that a name server cannot change its response after the check.
 */
export const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first] = error ? [] : addresses;
    const privateAddress = error ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
    if (error) callback(error, "", 0);
    else if (privateAddress || !first)
      callback(new Error(`${host} does not lead to a public address`), "", 0);
    else if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

const causes: Record<string, string> = {
  ENOTFOUND: "no server has this name",
  EAI_AGAIN: "its name could not be looked up",
  ECONNREFUSED: "nothing answers at this address",
  ECONNRESET: "it broke off the connection",
  ETIMEDOUT: "it did not answer in time",
  EHOSTUNREACH: "no network leads there",
  ENETUNREACH: "no network leads there",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

/** Why a connection failed, in words, with the cause's code: "no server has this name (ENOTFOUND)". */
export function connectionCause(error: Error & { code?: unknown }): string {
  const { code, message } = error;
  if (typeof code !== "string") return message || "the connection failed";
  const cause = causes[code] ?? (/CERT|SIGNATURE/.test(code) ? "its certificate is not valid" : message);
  return `${cause || "the connection failed"} (${code})`;
}

/**
 * Sends a request to a URL provided by others, and returns the response, whose body the caller reads or destroys. A response
 * that switches to another protocol has no body. `isTrusted`: the host may be private.
 */
export function requestExternal(
  url: URL,
  { body, isTrusted, ...options }: RequestOptions & { body?: string | Uint8Array; isTrusted: boolean },
): Promise<IncomingMessage> {
  const sendRequest = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { ...options, ...(!isTrusted && { lookup: publicLookup }) }, resolve);
    request.on("error", reject);
    // Without a listener, Node closes the connection and reports neither a response nor an error.
    request.on("upgrade", (response: IncomingMessage, socket) => {
      socket.destroy();
      response.push(null);
      resolve(response);
    });
    request.end(body);
  });
}
