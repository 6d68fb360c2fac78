import { Field, type Framed } from "./field.tsx";

/** An input for an e-mail address, with a suitable on-screen keyboard and without automatic corrections. */
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
