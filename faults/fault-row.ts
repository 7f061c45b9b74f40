/** What one row of the table found. No problem means that it passed. */
export type RowResult =
  | { figure: string; values: Record<string, number>; problems: string[] }
  | { skipped: string }

export type RowContext = {
  /** Fewer repetitions and less load. */
  isShort: boolean
  /** Saves text for the analysis of a failure, under a name. */
  saveLog(name: string, text: string): void
}

/** One fault: what happens to the nodes, the database or the receivers while meetings or tasks run. */
export type FaultRow = {
  about: string
  run(context: RowContext): Promise<RowResult>
}
