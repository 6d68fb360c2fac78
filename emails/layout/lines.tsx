export function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that never changes
    <span key={index}>
      {line}
      <br />
    </span>
  ));
}
