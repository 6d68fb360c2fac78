/** The shop's look (design tokens), for mail programs: no variables, no web fonts to load, light colors only. */
export const colors = {
  paper: "#FBF7EF",
  white: "#FFFDF9",
  creamSoft: "#F6EFE1",
  forest: "#233629",
  ink: "#1D2A21",
  inkMuted: "#565E53",
  copper: "#8A4B15",
  gold: "#A98850",
  line: "#E2D8C5",
  info: "#28597A",
  infoBackground: "#E3EDF2",
};

export const serif = "Fraunces, Georgia, 'Times New Roman', serif";
export const sans = "Figtree, 'Segoe UI', Helvetica, Arial, sans-serif";

export const styles = {
  heading: {
    color: colors.forest,
    fontFamily: serif,
    fontSize: 30,
    fontWeight: 400,
    letterSpacing: "-0.02em",
    lineHeight: "36px",
    margin: "0 0 16px",
  },
  subheading: {
    color: colors.forest,
    fontFamily: serif,
    fontSize: 20,
    fontWeight: 400,
    lineHeight: "26px",
    margin: "32px 0 8px",
  },
  text: { color: colors.ink, fontFamily: sans, fontSize: 16, lineHeight: "25px", margin: "0 0 12px" },
  small: { color: colors.inkMuted, fontFamily: sans, fontSize: 14, lineHeight: "21px", margin: "0 0 8px" },
  link: { color: colors.copper, textDecoration: "underline" },
  button: {
    backgroundColor: colors.forest,
    borderRadius: 4,
    color: colors.paper,
    fontFamily: sans,
    fontSize: 16,
    fontWeight: 500,
    padding: "15px 26px",
  },
} as const;
