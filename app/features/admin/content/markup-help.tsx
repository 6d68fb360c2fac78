/** Help below a text field: the signs that format its text, each as it is typed. `after`: a word on each, if it needs one. */
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
