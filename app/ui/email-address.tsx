import { Fragment } from "react";

/** An e-mail address, which breaks before "@" and "." if it is too long for one line. */
export function EmailAddress({ children }: { children: string }) {
  return (
    <span className="min-w-0 wrap-anywhere">
      {children.split(/(?=[@.])/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts may be equal and never move
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
