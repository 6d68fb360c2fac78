/** Help below a text field: the markup for its text, as it is typed. `after`: what a sign is for, where that is not obvious. */
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
