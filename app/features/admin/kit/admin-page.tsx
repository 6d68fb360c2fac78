import ArrowLeft from "lucide-react/icons/arrow-left";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "../../../ui/icon.tsx";

/** A tab's page: its h1, what can be done with all of it, and below that its content. `back`: the page it belongs to. */
export function AdminPage({
  title,
  actions,
  back,
  children,
}: {
  title: ReactNode;
  actions?: ReactNode;
  back?: { to: string; label: string };
  children: ReactNode;
}) {
  return (
    <>
      {back && (
        <Link to={back.to} className="link -mt-2 mb-1 inline-flex min-h-11 items-center gap-1.5 text-small">
          <Icon glyph={ArrowLeft} size="small" /> {back.label}
        </Link>
      )}
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-[clamp(1.75rem,1.5rem+1vw,2.25rem)]">{title}</h1>
        {actions && (
          <div className="flex max-w-full flex-wrap items-center gap-2 print:hidden">{actions}</div>
        )}
      </div>
      {children}
    </>
  );
}
