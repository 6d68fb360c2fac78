import { Field } from "../../ui/field.tsx";

/** The address that a link is to be sent to. */
export function AddressField({
  id,
  problem,
  defaultValue,
}: {
  id: string;
  problem: string | null;
  defaultValue: string | undefined;
}) {
  return (
    <Field
      name="email"
      id={id}
      label="Email Address"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="name@example.com"
      defaultValue={defaultValue}
      error={problem}
    />
  );
}
