import { useId } from "react";
import { type Role, roleNames, roles, roleTexts } from "../../../../domain/people/roles.ts";

/** The roles with what each may do. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const id = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-small font-medium">Role</legend>
      {roles.map((one) => (
        <label
          key={one}
          className="flex cursor-pointer gap-3 rounded-sm border border-line bg-surface px-3.5 py-2.5 has-checked:border-forest-700 has-checked:bg-cream-soft"
        >
          <input
            type="radio"
            name="role"
            value={one}
            checked={value === one}
            onChange={() => onChange(one)}
            aria-labelledby={`${id}-${one}`}
            aria-describedby={`${id}-${one}-may`}
            className="mt-1 size-4.5 shrink-0 accent-forest-800"
          />
          <span>
            <span id={`${id}-${one}`} className="block text-ui font-medium">
              {roleNames[one]}
            </span>
            <span id={`${id}-${one}-may`} className="block text-small text-ink-muted">
              {roleTexts[one]}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
