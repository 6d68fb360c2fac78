/** Lists the markup that a text field accepts, below the field, with an explanation of the signs that are not obvious. */
export function MarkupHelp({
  signs,
}: {
  signs: readonly (string | readonly [sign: string, explanation: string])[];
}) {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {signs.map((entry) => {
        const [sign, explanation] = typeof entry === "string" ? [entry, ""] : entry;
        return (
          <span key={sign}>
            <code className="rounded-[3px] bg-cream px-1 py-px">{sign}</code>
            {explanation && ` ${explanation}`}
            <span className="sr-only">, </span>
          </span>
        );
      })}
    </span>
  );
}
