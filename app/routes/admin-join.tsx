import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { roleNames } from "../../domain/people/roles.ts";
import { FrontDoor } from "../features/admin/front-door.tsx";
import { rememberUnlocked } from "../features/admin/unlocked-flag.ts";
import { callApi } from "../features/api.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { apiContext } from "../shop-context.ts";
import { Button } from "../ui/button.tsx";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/admin-join";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Join");

/** The URL contains the invitation's token, so no referrer sends it to other sites and no cache stores the page. */
export const headers: Route.HeadersFunction = () => ({
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
});

export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const response = await context.get(apiContext).call("GET /api/admin/invitation", { query: { token } });
  return { token, invitation: response.ok ? response.body.data : null };
}

/** Accepts an invitation. Opening the link does not use it up, because mail scanners open links too. */
export default function AdminJoin({ loaderData: { token, invitation } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function join() {
    setIsBusy(true);
    setProblem(null);
    const response = await callApi("POST /api/admin/invitation", { body: { token } });
    if (response.ok) {
      rememberUnlocked(true);
      await navigate("/admin/account", { replace: true });
      return;
    }
    setProblem(response.problem.message);
    setIsBusy(false);
  }
  if (invitation === null) {
    return (
      <FrontDoor
        title="This link no longer works"
        intro="It was already used, was withdrawn, or is too old. Ask the person who invited you for a new one."
      >
        <Link className="link mt-5 inline-flex min-h-11 items-center" to="/admin">
          Sign in with your passkey
        </Link>
      </FrontDoor>
    );
  }
  return (
    <FrontDoor
      title={`Hello, ${invitation.name}`}
      intro={`You are joining as ${roleNames[invitation.role].toLowerCase()}. Next, add a passkey: it signs you in from then on.`}
    >
      <div className="mt-5 grid gap-4">
        {problem && <Banner title="That did not work.">{problem}</Banner>}
        <Button block busy={isBusy} busyText="Opening..." onClick={() => void join()}>
          Open the panel
        </Button>
      </div>
    </FrontDoor>
  );
}
