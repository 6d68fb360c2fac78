import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * The caller's IP address: the connection's own, or, behind trusted proxies, the last address in `X-Forwarded-For` that is not
 * a proxy's. Addresses further left were sent by the caller and cannot be trusted.
 */
export function clientAddressReader(trustProxy: readonly string[]) {
  const trusted = new BlockList();
  for (const entry of trustProxy) {
    const [address = "", prefix] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string): boolean => {
    const hop = withoutIpv4Prefix(address);
    return isIP(hop) !== 0 && trusted.check(hop, isIPv6(hop) ? "ipv6" : "ipv4");
  };
  return {
    isTrusted,
    clientAddress(peer: string, forwardedFor: string | null): string {
      let address = withoutIpv4Prefix(peer);
      if (forwardedFor === null || !isTrusted(address)) return address;
      for (const hop of forwardedFor.split(",").map(withoutIpv4Prefix).reverse()) {
        if (isIP(hop) === 0) break;
        address = hop;
        if (!isTrusted(hop)) break;
      }
      return address;
    },
  };
}

export function isLoopback(address: string): boolean {
  return /^(127\.|::1$)/.test(withoutIpv4Prefix(address));
}

/** The network that limits are counted for: an IPv4 address, or the /64 of an IPv6 one, in a normalized form. */
export function networkPrefix(address: string): string {
  if (!isIPv6(address) || address.includes("%")) return address;
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const start = head.split(":").filter(Boolean);
  const end = (tail ?? "").split(":").filter(Boolean);
  const middle = tail === undefined ? [] : Array.from({ length: 8 - start.length - end.length }, () => "0");
  return `${[...start, ...middle, ...end].slice(0, 4).join(":")}::/64`;
}

/** The IPv6 /48 of an address, which may belong to a single customer; null for IPv4. */
export function sitePrefix(address: string): string | null {
  if (!isIPv6(address) || address.includes("%")) return null;
  return `${networkPrefix(address).split(":").slice(0, 3).join(":")}::/48`;
}

function withoutIpv4Prefix(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, "");
}
