/** A template is invalid or exceeds a limit. The message is for people and usually names the line. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure'
  /** The line in the prompt file; null if unknown. */
  readonly line: number | null

  constructor(
    message: string,
    { line = null, cause }: { line?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.line = line
  }
}
