import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, expect, test } from "vitest";
import { openTestShop } from "./shop.ts";

const shop = await openTestShop({ PUBLIC_URL: "https://palmira.example", PAYMENTS: "sandbox" });
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
      // The names of the groups, such as "Reviews", need no description.
      "tag-description": "off",
      "operation-operationId-unique": "error",
      "path-parameters-defined": "error",
    },
  });
  const problems = await lintFromString({ source, config });
  const messages = problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`,
  );
  expect(messages).toEqual([]);
});

test("every successful response of the API is described: JSON by a schema, or a file by its type", async () => {
  const { paths } = (await shop.browser().get("/api/openapi.json")).body as {
    paths: Record<string, Methods>;
  };
  const successes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith("2") && status !== "204")
        .map(([status, { content }]) => ({ response: `${method} ${path} ${status}`, content })),
    ),
  );
  expect(successes.length).toBeGreaterThan(150);
  const undescribed = successes.filter(({ content }) =>
    Object.values(content ?? {}).every(({ schema }) => !schema),
  );
  expect(undescribed.map(({ response }) => response)).toEqual([]);
});

type Methods = Record<
  string,
  { responses: Record<string, { content?: Record<string, { schema?: object }> }> }
>;
