/**
 * Something the operator must fix before the shop can start: a wrong setting, a taken port, a database of another
 * version. main.ts prints the message without a stack and exits with 1.
 */
export class StartProblem extends Error {
  override name = "StartProblem";
}
