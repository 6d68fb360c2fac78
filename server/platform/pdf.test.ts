import { expect, test } from "vitest";
import { type TextPart, textDocument } from "./pdf.ts";

test("a link to the shop loses its token in a document", async () => {
  const details = { title: "Messages", author: "Palmira", date: new Date("2026-11-20T10:00:00Z") };
  const link = "https://shop.example/orders/7?token=";
  const withLink = (token: string): TextPart[] => [
    { heading: `Ada ${link}${token}` },
    { small: `${link}${token}` },
    { text: `See ${link}${token}, please.` },
  ];
  const withToken = await textDocument({ ...details, parts: withLink(`1.t4x9ab.${"Ab-_9".repeat(8)}xyz`) });
  const withoutToken = await textDocument({ ...details, parts: withLink("removed") });
  expect(withToken.equals(withoutToken)).toBe(true);
});
