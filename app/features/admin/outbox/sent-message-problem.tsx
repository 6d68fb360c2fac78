import { isRouteErrorResponse, useLocation, useRouteError } from "react-router";
import { Banner } from "../../../ui/error-banner.tsx";
import { Drawer } from "../kit/drawer.tsx";

/** In a message's place; the list behind it stays. */
export function SentMessageProblem() {
  const { search } = useLocation();
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Drawer title="Sent message" closeTo={`/admin/messages/sent${search}`}>
      <Banner title={isMissing ? "There is no such message." : "Failed to load the message."}>
        {isMissing
          ? "It may have been deleted with what it was about."
          : "Close this and open the message again in a moment."}
      </Banner>
    </Drawer>
  );
}
