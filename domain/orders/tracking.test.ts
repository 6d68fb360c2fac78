import { expect, test } from "vitest";
import { recognizeCarrier, trackingUrl } from "./tracking.ts";

test.each([
  ["USPS", "9400 1000", "https://tools.usps.com/go/TrackConfirmAction?tLabels=94001000"],
  [" ups ", "1Z999", "https://www.ups.com/track?tracknum=1Z999"],
  ["FedEx", "12", "https://www.fedex.com/fedextrack/?trknbr=12"],
  ["DHL", "12", "https://www.dhl.com/en/express/tracking.html?AWB=12"],
  ["Royal Mail", "AB1", "https://www.royalmail.com/track-your-item#/tracking-results/AB1"],
  ["canada post", "12", "https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=12"],
])("a parcel of %s has a link to its tracking page", (carrier, trackingNumber, url) => {
  expect(trackingUrl(carrier, trackingNumber)).toBe(url);
});

test("a typed tracking number cannot change the link's target", () => {
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

test.each([
  [
    "an unknown carrier, but a number whose format belongs to a single carrier",
    "Letter post",
    "LN123456785US",
    "usps",
  ],
  ["no carrier", "", "1Z5R89390357567127", "ups"],
])("%s: the number determines the carrier of the link", (_case, carrier, number, host) => {
  expect(trackingUrl(carrier, number)).toContain(`${host}.com/`);
});

/** Tracking numbers published by carriers, or in collections of their formats. */
const published = {
  USPS: [
    "9400 1112 0108 0805 4830 16",
    "9361289878700317633795",
    "9505 5110 6960 5048 6006 24",
    "420 22153 9101026837331000039521",
    "4201002334249200190132607600833457",
    "92748931507708513018050063",
    "0307 1790 0005 2348 3741",
    "7196 9010 7560 0307 7385",
    "EE123456785US",
  ],
  UPS: ["1Z5R89390357567127", "1z879e930346834440", "1Z410E7W0392751591", "1Z999AA10123456784"],
  FedEx: [
    "9865 7878 8855",
    "799531274483",
    "0414 4176 0228 964",
    "9611020987654312345672",
    "9622001900000000000000776632517510",
    "1001921334250001000300779017972697",
    "61299998820821171811",
    "9261292700768711948021",
  ],
  DHL: ["3318810025", "73891051146", "JVGL0999999990", "JJD0099999999", "GM2951173225174494"],
  "Royal Mail": ["RB 123 456 785 GB", "AA473124829GB"],
  "Canada Post": ["0073 9380 0054 9297", "RB123456785CA"],
};

test.each(
  Object.entries(published).flatMap(([carrier, numbers]) => numbers.map((number) => [carrier, number])),
)("%s is recognized by %s", (carrier, number) => {
  expect(recognizeCarrier(number)).toBe(carrier);
});

test.each([
  "9400 1112 0108 0805 4830 17",
  "1Z5R89390357567128",
  "996578788855",
  "0414 4176 0228 965",
  "9611020987654312345671",
  "3318810010",
  "RB123456784GB",
  "RB123456784CA",
  "RB123456785FR",
  "0073938000549292",
  "12",
  "",
])("%j, with a wrong check digit or an unknown format, belongs to no known carrier", (number) => {
  expect(recognizeCarrier(number)).toBeNull();
});
