/** Finds changed documents for the index. */
export interface ChangeSource extends Disposable {
  /** Compares all documents with the index. */
  reconcile(): Promise<void>
  /** Indexes what has been reported as changed since the last call. */
  applyChanges(): Promise<void>
  /** The shortest pause between two reconciliations. */
  minPauseMs: number
  unreadableFolderCount(): number
}
