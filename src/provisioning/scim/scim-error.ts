/** The error types of RFC 7644, section 3.12, that this server uses. */
export type ScimErrorType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

const DEFAULT_STATUS = 400

/** An error that a provisioning client receives in the form of RFC 7644. */
export class ScimError extends Error {
  override readonly name = 'ScimError'
  readonly status: number
  /** Null if only the status says what is wrong. */
  readonly scimType: ScimErrorType | null

  constructor(scimType: ScimErrorType | null, detail: string, status = DEFAULT_STATUS) {
    super(detail)
    this.scimType = scimType
    this.status = status
  }
}

export function notFoundError(what: string): ScimError {
  return new ScimError(null, `There is no such ${what}`, 404)
}
