import { firstName } from "../../domain/orders/first-name.ts";
import { oneLine } from "./one-line.ts";

/** "Hello Ada," for a whole name or a first one; "Hello," where none is known. */
export function hello(name: string): string {
  const first = oneLine(firstName(name));
  return first === "" ? "Hello," : `Hello ${first},`;
}
