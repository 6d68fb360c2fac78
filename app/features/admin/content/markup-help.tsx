/** Lists the markup that a text field accepts, below the field. `after`: explains a sign that is not obvious. */
export function MarkupHelp({
  signs,
}: {
  signs: readonly (string | readonly [sign: string, after: string])[];
}) {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {signs.map((each) => {
        const [sign, after] = typeof each === "string" ? [each, ""] : each;
        return (
          <span key={sign}>
            <code className="rounded-[3px] bg-cream px-1 py-px">{sign}</code>
            {after && ` ${after}`}
            <span className="sr-only">, </span>
          </span>
        );
      })}
    </span>
  );
}
