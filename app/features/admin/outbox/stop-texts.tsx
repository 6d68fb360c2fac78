import { AskFirst } from "../kit/ask-first.tsx";

/** Takes the number out, after asking: a missing alert is not noticed. */
export function StopTexts({ path, onStopped }: { path: string; onStopped: () => void }) {
  return (
    <AskFirst
      label="Remove number"
      variant="danger-quiet"
      path={path}
      title="Stop texts about new orders?"
      description="The number is removed. You can set one again at any time."
      confirmLabel="Remove number"
      busyText="Removing..."
      success={{ title: "Texts stopped", description: "No number is stored any more." }}
      onDone={onStopped}
    />
  );
}
