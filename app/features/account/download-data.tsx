import FileDown from "lucide-react/icons/file-down";
import { useEffect, useRef, useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Banner } from "../../ui/error-banner.tsx";

/** Downloads the copy, which uses the link up. A plain form works the same without JavaScript. */
export function DownloadData({ token, email, isBusy }: { token: string; email: string; isBusy: boolean }) {
  const [isDownloaded, setDownloaded] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  // The focused button has been removed.
  useEffect(() => {
    if (isDownloaded) notice.current?.focus();
  }, [isDownloaded]);
  return (
    <EmptyState
      glyph={FileDown}
      heading="h1"
      title="Your data"
      action={
        isDownloaded ? (
          <ButtonLink to="/account" variant="secondary">
            Go to Account
          </ButtonLink>
        ) : (
          <form
            method="post"
            action="/account/data/file"
            onSubmit={() => setTimeout(() => setDownloaded(true))}
          >
            <input type="hidden" name="token" value={token} />
            <Button type="submit">Download my data</Button>
          </form>
        )
      }
    >
      <p>
        Everything the shop stores about <span className="wrap-anywhere text-ink">{email}</span>, as a file
        (JSON). The link works once.
      </p>
      {isBusy && (
        <Banner className="mt-4 text-left">
          Too many tries in a short time. Please wait a minute. Your link still works.
        </Banner>
      )}
      <div ref={notice} role="status" tabIndex={-1} className="outline-none">
        {isDownloaded && (
          <Banner tone="success" className="mt-4 text-left" title="Your download has started.">
            The link has now been used. If nothing was saved, ask for a new one on your account page.
          </Banner>
        )}
      </div>
    </EmptyState>
  );
}
