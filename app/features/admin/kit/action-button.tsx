import { type ComponentProps, type ReactNode, useState } from "react";
import type { ApiBody, ApiKeys } from "../../../shop-context.ts";
import { Button } from "../../../ui/button.tsx";
import { type ActionTexts, type AdminAction, useAdminAction } from "./use-admin-action.ts";

/** A button of the panel: a small secondary one, unless it has another size or variant. */
export function PanelButton({
  size = "small",
  variant = "secondary",
  ...button
}: ComponentProps<typeof Button>) {
  return <Button size={size} variant={variant} {...button} />;
}

/** A button that opens a dialog. `dialog` renders it, and receives the function that closes it. */
export function DialogButton({
  dialog,
  ...button
}: Omit<ComponentProps<typeof Button>, "onClick"> & { dialog: (onClose: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PanelButton {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

/** A button that makes one API call; `send` calls `run` with the parameters. */
export function ActionButton<K extends ApiKeys>({
  call,
  success,
  failure,
  send,
  ...button
}: Omit<ComponentProps<typeof Button>, "busy" | "onClick"> &
  Pick<ActionTexts<ApiBody<K>>, "success" | "failure"> & {
    call: K;
    send: (run: AdminAction<K>["run"]) => unknown;
  }) {
  const { busy, run } = useAdminAction(call, {
    ...(success && { success }),
    ...(failure !== undefined && { failure }),
  });
  return <PanelButton busyText="Saving..." {...button} busy={busy} onClick={() => void send(run)} />;
}
