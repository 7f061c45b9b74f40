/** The error codes of RFC 6749, 7591 and 8707 that this service uses, with their HTTP status at the token endpoint. */
const STATUSES = {
  invalid_request: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  invalid_target: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  access_denied: 403,
} as const
export type OAuthErrorCode = keyof typeof STATUSES

/** An error that an OAuth client gets. The description is for its developers. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly status: number

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.code = code
    this.status = STATUSES[code]
  }
}
