/**
 * Something the operator has to put right before the shop can start: a wrong setting, a taken port, a database of
 * another version. main.ts prints the message as it stands, without a stack, and ends with exit code 1.
 */
export class StartProblem extends Error {
  override name = "StartProblem";
}
