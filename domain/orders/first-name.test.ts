import { expect, test } from "vitest";
import { firstName } from "./first-name.ts";

test.each([
  ["Ada Obi", "Ada"],
  ["  Ada  ", "Ada"],
  ["Anne-Marie de la Cruz", "Anne-Marie"],
  ["Dr. Ada Obi", "Dr. Ada Obi"],
  ["Mrs Obi", "Mrs Obi"],
  ["A. Obi", "A. Obi"],
  ["J Obi", "J Obi"],
  ["王小明", "王小明"],
  ["", ""],
])("a customer named %s is greeted as %s", (name, greeted) => {
  expect(firstName(name)).toBe(greeted);
});
