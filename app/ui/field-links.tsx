export type FieldLink = { controlId: string; problem: string };

/** A form's errors, each linked to its field. */
export function FieldLinks({ links }: { links: readonly FieldLink[] }) {
  return (
    <ul className="mt-1">
      {links.map(({ controlId, problem }) => (
        <li key={controlId}>
          <a
            href={`#${controlId}`}
            className="inline-flex min-h-11 items-center font-medium underline underline-offset-[.25em] md:min-h-6"
            onClick={(event) => {
              event.preventDefault();
              document.getElementById(controlId)?.focus();
            }}
          >
            {problem}
          </a>
        </li>
      ))}
    </ul>
  );
}
