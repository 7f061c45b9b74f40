/** The findings of one row of the table. Without problems, the row has passed. */
export type RowResult =
  | { figure: string; values: Record<string, number>; problems: string[] }
  | { skipped: string }

export type RowContext = {
  /** Runs fewer repetitions with less load. */
  isShort: boolean
  /** Saves a text under a name, to analyse a failure. */
  saveLog(name: string, text: string): void
}

/** One fault: what happens to the nodes, the database or the receivers while meetings or tasks run. */
export type FaultRow = {
  about: string
  run(context: RowContext): Promise<RowResult>
}
