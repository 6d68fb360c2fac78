import { describe, expect, test } from "vitest";
import { clientAddressReader, networkPrefix } from "./client-address.ts";

describe("the caller's address", () => {
  const reader = clientAddressReader(["127.0.0.1", "10.0.0.0/8", "::1"]);

  test.each([
    ["is the connection's own without a proxy", "203.0.113.9", null, "203.0.113.9"],
    ["does not believe a header from a stranger", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["is what a trusted proxy says", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    [
      "ignores addresses that the caller wrote to the left",
      "127.0.0.1",
      "1.2.3.4, 198.51.100.1, 10.1.2.3",
      "198.51.100.1",
    ],
    ["is the last address that can be read", "127.0.0.1", "nonsense, 10.1.2.3", "10.1.2.3"],
    ["reads an IPv4 address written as IPv6", "::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["reads IPv6", "::1", "2001:db8::5", "2001:db8::5"],
  ])("%s", (_, peer, forwardedFor, address) => {
    expect(reader.clientAddress(peer, forwardedFor)).toBe(address);
  });
});

test("limits count an IPv6 /64 network as one caller, and each IPv4 address as one", () => {
  expect(networkPrefix("2001:db8:1:2:aaaa::1")).toBe(networkPrefix("2001:db8:1:2:bbbb::9"));
  expect(networkPrefix("2001:db8:1:2::1")).not.toBe(networkPrefix("2001:db8:1:3::1"));
  expect(networkPrefix("203.0.113.9")).toBe("203.0.113.9");
});
