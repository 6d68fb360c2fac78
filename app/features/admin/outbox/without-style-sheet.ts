/** An e-mail's HTML for a frame of the panel: its style sheet has looks for the dark only, and the panel lets no page bring one. */
export const withoutStyleSheet = (html: string) => html.replace(/<style>.*?<\/style>/s, "");
