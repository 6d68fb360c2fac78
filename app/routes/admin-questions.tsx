import ChevronDown from "lucide-react/icons/chevron-down";
import MessageCircleQuestion from "lucide-react/icons/message-circle-question";
import { useRouteLoaderData } from "react-router";
import type { AskedQuestion } from "../../domain/questions/question.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../features/admin/kit/confirm-dialog.tsx";
import { FilterBar } from "../features/admin/kit/list/filter-bar.tsx";
import { Pager } from "../features/admin/kit/list/pager.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { useAdminAction, useAdminForm } from "../features/admin/kit/use-admin-action.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { TextArea } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-questions";
import type { loader as adminFrameLoader } from "./admin.tsx";

const pageSize = 25;

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Questions");

export const loader = adminLoader(({ request }: Route.LoaderArgs, read) => {
  const params = new URL(request.url).searchParams;
  const query = { limit: pageSize, status: params.get("status"), cursor: params.get("cursor") };
  return read("GET /api/admin/questions", { query });
});

/** Shoppers' questions about products: open, published, hidden. */
export default function AdminQuestions({ loaderData: { data, nextCursor } }: Route.ComponentProps) {
  const openCount = useRouteLoaderData<typeof adminFrameLoader>("routes/admin")?.openQuestions ?? 0;
  return (
    <AdminPage title="Questions">
      <div className="mb-4 flex">
        <FilterBar
          groups={[
            {
              title: "Questions",
              label: "Filter questions",
              param: "status",
              options: [
                { value: null, label: "All" },
                { value: "open", label: "Open", ...(openCount > 0 ? { count: openCount } : {}) },
                { value: "published", label: "Published" },
                { value: "hidden", label: "Hidden" },
              ],
            },
          ]}
        />
      </div>
      {data.length === 0 ? (
        <EmptyState glyph={MessageCircleQuestion} boxed title="No questions here">
          Questions from a product’s page appear here, and you are notified by email. Your answers appear on
          that page.
        </EmptyState>
      ) : (
        <QuestionList questions={data} />
      )}
      <Pager nextCursor={nextCursor} />
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Questions", "Failed to load questions");

const statusBadges = {
  open: { tone: "yellow", label: "Open" },
  published: { tone: "green", label: "Published" },
  hidden: { tone: "red", label: "Hidden" },
} as const;

/** Questions with their answers, which can be written, published or hidden. */
function QuestionList({ questions }: { questions: readonly AskedQuestion[] }) {
  return (
    <ul className="grid gap-4">
      {questions.map((question) => (
        <li key={question.id}>
          <QuestionCard question={question} />
        </li>
      ))}
    </ul>
  );
}

/** A question; opening it shows the answer, which can be written or changed. */
function QuestionCard({ question }: { question: AskedQuestion }) {
  const { id, name, email, status, productName, askedAt, isSuspicious } = question;
  const form = useAdminForm(
    "PATCH /api/admin/questions/:id",
    { answer: question.answer ?? "" },
    { success: { title: "Answer published" } },
  );
  const { answer } = form.values;
  const saveHidden = useAdminAction("PATCH /api/admin/questions/:id", {
    success: { title: "Answer saved, still hidden" },
    failure: null,
  });
  const hide = useAdminAction("PATCH /api/admin/questions/:id", { success: { title: "Question hidden" } });
  const { tone, label } = statusBadges[status];
  const isBusy = form.busy || saveHidden.busy || hide.busy;
  const isChanged = answer.trim() !== "" && answer.trim() !== question.answer;
  const canPublish = answer.trim() !== "" && (isChanged || status !== "published");
  const problem =
    form.fields.answer ?? saveHidden.fields.answer ?? (form.problem ?? saveHidden.problem)?.message;
  return (
    <Card>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-start justify-between gap-4 p-4 md:p-5 [&::-webkit-details-marker]:hidden">
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-muted">
              <Badge tone={tone}>{label}</Badge>
              {isSuspicious && <Badge tone="yellow">Looks automatic</Badge>}
              <span className="wrap-anywhere">{name ?? "Anonymous"}</span>
              {email && <span className="wrap-anywhere">{email}</span>}
              <ShortDay iso={askedAt} />
              <span>{productName}</span>
            </span>
            <span className="mt-1.5 block max-w-text whitespace-pre-line wrap-anywhere">
              {question.question}
            </span>
          </span>
          <Icon glyph={ChevronDown} className="mt-0.5 text-ink-muted group-open:rotate-180" />
        </summary>
        <div className="grid gap-4 px-4 pb-4 md:px-5 md:pb-5">
          <TextArea
            {...form.field("answer")}
            id={`answer-${id}`}
            label="Your answer"
            maxLength={2000}
            hint={
              question.answer === null && email
                ? "It is also sent to the email address above, once."
                : undefined
            }
            error={problem}
          />
          <div className="flex flex-wrap gap-3">
            <PanelButton
              variant="primary"
              disabled={!canPublish || isBusy}
              busy={form.busy}
              busyText="Publishing..."
              onClick={() => form.run({ params: { id }, body: { answer, status: "published" } })}
            >
              {status === "published" ? "Save answer" : "Publish answer"}
            </PanelButton>
            {status !== "published" && (
              <PanelButton
                disabled={!isChanged || isBusy}
                busy={saveHidden.busy}
                busyText="Saving..."
                onClick={() => saveHidden.run({ params: { id }, body: { answer, status: "hidden" } })}
              >
                {email ? "Answer by email only" : "Save without publishing"}
              </PanelButton>
            )}
            {status !== "hidden" && (
              <PanelButton
                disabled={isBusy}
                busy={hide.busy}
                busyText="Hiding..."
                onClick={() => hide.run({ params: { id }, body: { status: "hidden" } })}
              >
                Hide
              </PanelButton>
            )}
            <ButtonWithConfirmation
              label="Delete"
              variant="quiet"
              className="text-ink-muted!"
              disabled={isBusy}
              call="DELETE /api/admin/questions/:id"
              success={{ title: "Question deleted" }}
              title="Delete this question?"
              description="It is deleted with its answer and the emails about it. This cannot be undone; hiding can."
              confirmLabel="Delete question"
              busyText="Deleting..."
              send={(run) => run({ params: { id } })}
            />
          </div>
        </div>
      </details>
    </Card>
  );
}
