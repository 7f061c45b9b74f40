/** A problem that only the operator can fix. The command line prints text and fix, without a stack trace. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly fix: string | undefined

  constructor(text: string, fix?: string, cause?: unknown) {
    super(text, { cause })
    this.fix = fix
  }
}

/** Happens again at every start until a person changes the settings, the data folder or the installation. */
export class PermanentError extends OperatorError {}
