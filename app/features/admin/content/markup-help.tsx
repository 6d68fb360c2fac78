import { Fragment } from "react";

/** Help below a text field: the signs that format its text, each as it is typed. `after`: a word on each, if it needs one. */
export function MarkupHelp({
  signs,
}: {
  signs: readonly (string | readonly [sign: string, after: string])[];
}) {
  return signs.map((each, index) => {
    const [sign, after] = typeof each === "string" ? [each, ""] : each;
    return (
      <Fragment key={sign}>
        {index > 0 && ", "}
        <code className="rounded-[3px] bg-cream px-1 whitespace-nowrap">{sign}</code>
        {after && ` ${after}`}
      </Fragment>
    );
  });
}
