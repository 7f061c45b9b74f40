/** A template is invalid or exceeds a limit. The message is for people and usually names the line. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure'
}
