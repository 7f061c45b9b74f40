/**
 * Every error a client can receive. `text` is the sentence for a person, `status` the HTTP answer,
 * `hint` the next step where one is always the same. docs/api.md is checked against this table.
 */
export const ERRORS = {
  invalid_json: { status: 400, text: 'The request body is not valid JSON' },
  unsupported_meeting_url: {
    status: 400,
    text: 'This is not the address of a meeting on a supported platform',
  },
  callback_url_blocked: {
    status: 400,
    text: 'Callbacks may not go to this address',
    hint: 'HANSARD_CALLBACK_POLICY, HANSARD_CALLBACK_ALLOW and HANSARD_CALLBACK_DENY decide it',
  },
  invalid_request: { status: 400, text: 'The request has invalid fields' },
  invalid_prompt: {
    status: 400,
    text: 'The prompt has problems',
    hint: '`hansard prompt check` and GET /api/v1/prompts list them',
  },
  task_not_scheduled: {
    status: 400,
    text: 'The task has no schedule',
    hint: 'Give it one with PUT and cronExpression',
  },
  invalid_api_key: { status: 401, text: 'Invalid API key' },
  not_signed_in: { status: 401, text: 'Sign in first' },
  wrong_credentials: { status: 401, text: 'E-mail or password is wrong' },
  missing_scope: { status: 403, text: 'This API key may not do that' },
  forbidden: { status: 403, text: 'You may not do that' },
  document_protected: {
    status: 403,
    text: 'Transcripts are written by the service alone',
    hint: 'DELETE /api/v1/meetings/{meetingId} removes a meeting with its transcript',
  },
  cross_site: { status: 403, text: 'The request did not come from a page of this service' },
  setup_closed: {
    status: 403,
    text: 'This instance already has its first user',
    hint: 'Sign in, or ask an admin for an invitation',
  },
  invalid_code: {
    status: 403,
    text: 'This link is unknown, used or expired',
    hint: 'Ask for a new one: on the machine itself, `hansard user invite` prints a link',
  },
  not_found: { status: 404, text: 'There is nothing at this path' },
  meeting_not_found: { status: 404, text: 'There is no such meeting' },
  nothing_to_replay: { status: 404, text: 'No stored event of this meeting is in that range' },
  project_not_found: { status: 404, text: 'There is no such project' },
  document_not_found: { status: 404, text: 'There is no such document in this project' },
  delivery_not_kept: {
    status: 404,
    text: 'The event of this delivery is no longer kept, or it was a test',
  },
  document_not_saved: { status: 404, text: 'No saved document exists for this meeting' },
  evidence_not_found: { status: 404, text: 'There is no such screenshot' },
  task_not_found: { status: 404, text: 'There is no such task' },
  prompt_not_found: {
    status: 404,
    text: 'There is no such prompt',
    hint: 'Prompts are the .md files in scheduled-prompts, in the data folder',
  },
  execution_not_found: { status: 404, text: 'There is no such execution' },
  token_not_found: { status: 404, text: 'There is no such token' },
  user_not_found: { status: 404, text: 'There is no such user' },
  session_not_found: { status: 404, text: 'There is no such session' },
  invitation_not_found: { status: 404, text: 'There is no such invitation' },
  bot_account_not_found: { status: 404, text: 'There is no such bot account' },
  method_not_allowed: { status: 405, text: 'This path does not take that method' },
  request_timeout: { status: 408, text: 'The request did not arrive in time' },
  email_taken: { status: 409, text: 'A user with this e-mail exists already' },
  last_admin: { status: 409, text: 'The last admin cannot be removed' },
  meeting_active: { status: 409, text: 'The meeting is not over yet' },
  bot_account_taken: {
    status: 409,
    text: 'A bot account of this name exists already on another platform',
  },
  bot_account_in_use: {
    status: 409,
    text: 'Meetings that are not over need this bot account',
    hint: 'Stop them first, or wait for their end',
  },
  path_taken: { status: 409, text: 'Something that is no document is in the way of this path' },
  task_exists: {
    status: 409,
    text: 'A task with this name exists already',
    hint: 'PUT changes it',
  },
  execution_over: { status: 409, text: 'The execution is over already' },
  document_busy: { status: 409, text: 'Others are writing this document at the moment' },
  token_revoked: { status: 409, text: 'This token is revoked' },
  secret_pending: {
    status: 409,
    text: 'The next signing secret of this token is pending already',
    hint: 'Activate it, or cancel the rotation first',
  },
  no_secret_pending: { status: 409, text: 'This token has no pending signing secret' },
  request_in_progress: {
    status: 409,
    text: 'A request with this Idempotency-Key is still running',
  },
  precondition_failed: { status: 412, text: 'A condition in the request headers does not hold' },
  body_too_large: { status: 413, text: 'The request body is larger than 64 KiB' },
  url_too_long: { status: 414, text: 'The request address is too long' },
  unsupported_media_type: {
    status: 415,
    text: 'The request body must be JSON',
    hint: 'Send the header Content-Type: application/json',
  },
  range_not_satisfiable: { status: 416, text: 'There is no such range in this file' },
  unknown_expectation: { status: 417, text: 'The header Expect asks for something unknown' },
  idempotency_mismatch: {
    status: 422,
    text: 'This Idempotency-Key was used before with another request',
  },
  too_many_requests: { status: 429, text: 'Too many requests' },
  too_many_executions: { status: 429, text: 'Too many executions wait already' },
  over_budget: {
    status: 429,
    text: 'The budget for language models is used up',
    hint: 'HANSARD_AI_DAILY_TOKENS and HANSARD_AI_MONTHLY_USD set it; GET /api/v1/usage shows what was used',
  },
  too_many_attempts: { status: 429, text: 'Too many failed attempts to sign in' },
  headers_too_large: { status: 431, text: 'The request headers are larger than 16 KiB' },
  internal: { status: 500, text: 'Something went wrong inside the service' },
  shutting_down: { status: 503, text: 'The service is shutting down' },
  database_unavailable: { status: 503, text: 'The database does not answer at the moment' },
  at_capacity: { status: 503, text: 'All bots are busy and the queue is full' },
  storage_full: { status: 503, text: 'The disk of the service is full' },
} as const satisfies Record<string, { status: number; text: string; hint?: string }>

export type ErrorCode = keyof typeof ERRORS

export type ErrorDetail = { path: string; message: string }

type ErrorExtras = {
  /** Says it better than the table's sentence where the case is known exactly. */
  text?: string
  hint?: string
  details?: ErrorDetail[]
  retryAfterSeconds?: number
  allow?: string[]
  cause?: unknown
}

/** An error whose code, text and hint may leave the process. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly extras: ErrorExtras

  constructor(code: ErrorCode, extras: ErrorExtras = {}) {
    super(extras.text ?? ERRORS[code].text, { cause: extras.cause })
    this.code = code
    this.extras = extras
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  get hint(): string | undefined {
    if (this.extras.hint !== undefined) return this.extras.hint
    const row: { text: string; hint?: string } = ERRORS[this.code]
    return row.hint
  }
}

/** Something only the operator can mend; the command line prints the text and the mend, never a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly fix: string | undefined

  constructor(text: string, fix?: string, cause?: unknown) {
    super(text, { cause })
    this.fix = fix
  }
}
