import type { Block, Run } from "../blocks.ts";

/** A parsed text field, with placeholders. */
export type ParsedField = { kind: "line"; runs: Run[] } | { kind: "words"; blocks: Block[] };
export type ParsedEmail = Readonly<Record<string, ParsedField>>;
