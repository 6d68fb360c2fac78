import * as v from "valibot";
import { expect, test } from "vitest";
import { giftRequestSchema } from "./gift.ts";

const read = (gift: unknown) => v.safeParse(giftRequestSchema, gift);
const giftProblems = (gift: unknown) => read(gift).issues?.map(({ message }) => message);

test("a note keeps line breaks and no other invisible characters", () => {
  const note = "  Dear Ben,\t\r\n\r\n\r\n\r\nhappy\u0007 birthday\u2028🎂 \n";
  expect(read({ from: "Ada\r\nObi\u001b", note })).toMatchObject({
    success: true,
    output: { from: "Ada Obi", note: "Dear Ben,\n\nhappy birthday\n🎂" },
  });
});

test.each([{}, { from: null, note: null }, { from: " ", note: "\n\u200b\n" }])(
  "a gift of %j has neither sender nor note",
  (gift) => {
    expect(read(gift)).toMatchObject({ success: true, output: { from: null, note: null } });
  },
);

test.each([
  [{ note: "x".repeat(300), from: "x".repeat(100) }, undefined],
  [{ note: "x".repeat(301) }, ["At most 300 characters"]],
  [{ from: "x".repeat(101) }, ["At most 100 characters"]],
  [{ note: "x\n".repeat(12) }, undefined],
  [{ note: "x\n".repeat(13) }, ["At most 12 lines"]],
  [{ note: "\u202egnp" }, ["Contains characters that change the direction of text"]],
  [{ note: 5 }, ["Must be text"]],
  [{ to: "Ben" }, ["There is no such field"]],
])("a gift of %j is accepted or refused with its problems", (gift, problems) => {
  expect(giftProblems(gift)).toEqual(problems);
});
