import { expect, test } from "vitest";
import { formFields, isSame, orNull } from "./use-form.ts";

type Values = {
  email: string;
  phone: string | null;
  cents: number | null;
  isOn: boolean;
  lines: { name: string; days: [number, number] }[];
};

function form() {
  const state: { values: Values } = {
    values: { email: "a@b.c", phone: null, cents: 5, isOn: false, lines: [{ name: "x", days: [1, 2] }] },
  };
  const field = formFields(state.values, { "lines.0.name": "Enter a name" }, (next) => {
    state.values = next(state.values);
  });
  return { state, field };
}

test("a field gets its value, its name and its error", () => {
  const { field } = form();
  expect(field("email")).toMatchObject({ name: "email", value: "a@b.c", error: undefined });
  expect(field("lines.0.name")).toMatchObject({ name: "lines.0.name", value: "x", error: "Enter a name" });
  expect(field("isOn")).toMatchObject({ name: "isOn", checked: false });
});

test("a field updates only the value at its path, from an event or a value", () => {
  const { state, field } = form();
  const before = state.values;
  field("email").onChange({ target: { value: "d@e.f" } });
  field("lines.0.days.1").onChange(9);
  field("isOn").onChange(true);
  expect(state.values).toEqual({
    ...before,
    email: "d@e.f",
    isOn: true,
    lines: [{ name: "x", days: [1, 9] }],
  });
  expect(before.lines[0]?.days).toEqual([1, 2]);
});

test("an optional text is displayed as empty and stored as null", () => {
  const { state, field } = form();
  expect(field("phone", orNull).value).toBe("");
  field("phone", orNull).onChange({ target: { value: "123" } });
  expect(state.values.phone).toBe("123");
  field("phone", orNull).onChange({ target: { value: " " } });
  expect(state.values.phone).toBeNull();
  field("cents").onChange(null);
  expect(state.values.cents).toBeNull();
});

test("an amount that is not yet valid (NaN) is distinguished from a missing one (null)", () => {
  expect(isSame({ cents: null }, { cents: Number.NaN })).toBe(false);
  expect(isSame({ cents: Number.NaN }, { cents: Number.NaN })).toBe(true);
  expect(isSame({ a: [1] }, { a: [1] })).toBe(true);
});
