import ExternalLink from "lucide-react/icons/external-link";
import type { IssueFacts } from "../../../../domain/payments/dispute.ts";
import { Icon } from "../../../ui/icon.tsx";

/** The way to where an issue is dealt with, at the payment provider. */
export function IssueLink({ dueAt, url }: Pick<IssueFacts, "dueAt" | "url">) {
  return (
    url && (
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="link inline-flex min-h-11 items-center gap-1.5"
      >
        {dueAt ? "Answer it in the Stripe dashboard" : "Open in the Stripe dashboard"}{" "}
        <Icon glyph={ExternalLink} size="small" />
      </a>
    )
  );
}
