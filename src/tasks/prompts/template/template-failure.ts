/** A template is invalid or exceeds a limit. The message is for people and usually names the line. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure'
  /** The line of the prompt file; null when it is not known. */
  readonly line: number | null

  constructor(
    message: string,
    { line = null, cause }: { line?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.line = line
  }
}
