import { expect, test } from "vitest";
import { trackingUrl } from "./tracking.ts";

test.each([
  ["USPS", "9400 1000", "https://tools.usps.com/go/TrackConfirmAction?tLabels=94001000"],
  [" ups ", "1Z999", "https://www.ups.com/track?tracknum=1Z999"],
  ["FedEx", "12", "https://www.fedex.com/fedextrack/?trknbr=12"],
  ["DHL", "12", "https://www.dhl.com/en/express/tracking.html?AWB=12"],
  ["Royal Mail", "AB1", "https://www.royalmail.com/track-your-item#/tracking-results/AB1"],
  ["canada post", "12", "https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=12"],
])("a parcel of %s can be followed", (carrier, trackingNumber, url) => {
  expect(trackingUrl(carrier, trackingNumber)).toBe(url);
});

test("what an owner types as a number cannot change where the link leads", () => {
  expect(trackingUrl("ups", "1&x=/../#")).toBe("https://www.ups.com/track?tracknum=1%26x%3D%2F..%2F%23");
});

test.each([
  ["A neighbour", "12"],
  ["ups", ""],
  ["ups", "  "],
  ["constructor", "12"],
  ["__proto__", "12"],
])("carrier %s with number %j has no link", (carrier, trackingNumber) => {
  expect(trackingUrl(carrier, trackingNumber)).toBeNull();
});
