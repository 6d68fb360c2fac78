import type { Block, Run } from "../blocks.ts";

/** A field of an e-mail's text, read: facts are named in it still. */
export type ParsedField = { kind: "line"; runs: Run[] } | { kind: "words"; blocks: Block[] };
/** By field. */
export type ParsedEmail = Readonly<Record<string, ParsedField>>;
