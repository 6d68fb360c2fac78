import Star from "lucide-react/icons/star";
import { Link } from "react-router";
import { EmptyState } from "../../../ui/empty-state.tsx";

/** Why there is nothing here, and what would bring something. */
export function NoReviews({ status }: { status: string | null }) {
  if (status === "pending") {
    return (
      <EmptyState glyph={Star} boxed title="No review is held" heading="h2">
        New reviews wait here if you hold them for approval in Settings, or if one looks like a robot’s.{" "}
        <Link className="link" to="/admin/settings/marketing">
          Open Settings
        </Link>
      </EmptyState>
    );
  }
  if (status === "photos") {
    return (
      <EmptyState glyph={Star} boxed title="No photo waits for you" heading="h2">
        Photos that shoppers send with a review wait here until you approve them.
      </EmptyState>
    );
  }
  if (status === "hidden") {
    return (
      <EmptyState glyph={Star} boxed title="No review is hidden">
        What you hide stays here with its reason, and can be published again.
      </EmptyState>
    );
  }
  return (
    <EmptyState glyph={Star} boxed title="No reviews yet">
      Buyers are asked for a review by email some days after their order arrived.
    </EmptyState>
  );
}
