import { Field, type Framed } from "./field.tsx";

/** An input for an e-mail address: with the keys that it takes, and nothing corrected in it. */
export function EmailField(props: Omit<Framed<"input">, "label"> & { label?: string }) {
  return (
    <Field
      label="Email Address"
      type="email"
      inputMode="email"
      autoComplete="email"
      spellCheck={false}
      {...props}
    />
  );
}
