import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestShop, type TestShop } from "./shop.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ PUBLIC_URL: "https://palmira.example", PAYMENTS: "sandbox" });
});
afterAll(() => shop.stop());

test("the description of the API passes Redocly’s linter", async () => {
  const source = await (await shop.app.request("/api/openapi.json")).text();
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      // The API is for the shop's own pages and its owner's programs.
      "info-license": "off",
      // `GET /api/orders/user/{user}` and `POST /api/orders/{id}/cancel` differ by their methods, which the rule overlooks.
      "no-ambiguous-paths": "off",
      // There is nothing about `GET /api/products` that could be refused.
      "operation-4xx-response": "off",
      // Groups are called what they are: "Reviews".
      "tag-description": "off",
      "operation-operationId-unique": "error",
      "path-parameters-defined": "error",
    },
  });
  const problems = await lintFromString({ source, config });
  const found = problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
  );
  expect(found).toEqual([]);
});
