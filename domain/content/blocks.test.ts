import { expect, test } from "vitest";
import { answerGroups, type Block } from "./blocks.ts";

const heading = (level: 1 | 2, text: string): Block => ({
  kind: "heading",
  level,
  id: text.toLowerCase(),
  words: [{ text }],
});
const words = (text: string): Block => ({ kind: "paragraph", isSmall: false, words: [{ text }] });

test("questions are grouped by the headings above them; questions before the first heading are kept", () => {
  const blocks = [
    heading(2, "First?"),
    words("Yes."),
    heading(1, "Oil"),
    heading(2, "Second?"),
    words("No."),
    heading(2, "Third?"),
  ];
  expect(
    answerGroups(blocks).map(({ title, answers }) => [title, answers.map(({ question }) => question)]),
  ).toEqual([
    ["", ["First?"]],
    ["Oil", ["Second?", "Third?"]],
  ]);
});
