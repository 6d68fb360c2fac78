import { Fragment } from "react";

/** An e-mail address, which breaks before "@" and "." where it is too long for its place. */
export function EmailAddress({ children }: { children: string }) {
  return (
    <span className="min-w-0 wrap-anywhere">
      {children.split(/(?=[@.])/).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts may be equal and never move
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
