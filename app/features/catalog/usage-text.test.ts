import { expect, test } from "vitest";
import { usageSteps } from "./usage-text.ts";

test("a paragraph of the usage text is a step with title, text and dose", () => {
  expect(usageSteps("Hair\nMassage in.\nWash out.\n5 drops\n\nFace\nPress on.\n2 drops")).toEqual([
    { title: "Hair", text: "Massage in. Wash out.", dose: "5 drops" },
    { title: "Face", text: "Press on.", dose: "2 drops" },
  ]);
});

test("a paragraph of two lines has no dose, and one of a single line no title", () => {
  expect(usageSteps("Body\nSmooth over skin.\r\n\r\nKeep cool.")).toEqual([
    { title: "Body", text: "Smooth over skin.", dose: null },
    { title: null, text: "Keep cool.", dose: null },
  ]);
});

test("an empty usage text has no steps", () => {
  expect(usageSteps(" \n\n \n")).toEqual([]);
});
