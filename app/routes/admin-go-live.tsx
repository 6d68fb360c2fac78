import RotateCw from "lucide-react/icons/rotate-cw";
import { useRevalidator } from "react-router";
import { countsSentence } from "../../domain/go-live/go-live.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { CheckList } from "../features/admin/go-live/check-list.tsx";
import { useRestartSteps } from "../features/admin/go-live/steps.tsx";
import { trialOf } from "../features/admin/go-live/trials.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-go-live";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Go-live check");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  const [{ data: report }, { data: channels }] = await Promise.all([
    read("GET /api/admin/go-live"),
    read("GET /api/notifications/sms-settings"),
  ]);
  return { report, phoneNumber: channels.texts.isConfigured ? channels.phoneNumber : null };
});

export default function AdminGoLive({ loaderData: { report, phoneNumber } }: Route.ComponentProps) {
  useRestartSteps();
  const { revalidate, state: loading } = useRevalidator();
  // With simulated payments there is no line about signed events; the line about the keys offers the test.
  const webhookLine = report.checks.some(({ id }) => id === "webhook_signed") ? "webhook_signed" : "payments";
  return (
    <AdminPage
      title="Go-live check"
      actions={
        <Button
          variant="secondary"
          size="small"
          busy={loading === "loading"}
          busyText="Checking..."
          onClick={() => void revalidate()}
        >
          <Icon glyph={RotateCw} size="small" /> Run again
        </Button>
      }
    >
      <p className="mb-6 max-w-160 text-ink-muted">
        <strong className="font-semibold text-ink" role="status">
          {countsSentence(report.counts)}
        </strong>{" "}
        What has to be right before the shop takes money, and after every move.
      </p>
      <CheckList checks={report.checks} actionOf={(check) => trialOf(check, webhookLine, phoneNumber)} />
      <p className="mt-7 text-small text-ink-muted">
        The same check runs on the machine as <code>palmira doctor</code>, or as <code>npm run doctor</code>{" "}
        in a checkout.
      </p>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Go-live check", "The check could not be run");
