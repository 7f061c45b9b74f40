/**
 * Every error that a client can receive. `text` is the message for people, `status` the HTTP status, `hint` the next
 * step if it is always the same. A test compares docs/api.md with this table.
 */
export const ERRORS = {
  invalid_json: { status: 400, text: 'The request body is not valid JSON' },
  unsupported_meeting_url: {
    status: 400,
    text: 'This is not a meeting link of a supported platform',
  },
  callback_url_blocked: { status: 400, text: 'Callbacks to this address are not allowed' },
  invalid_request: { status: 400, text: 'The request has invalid fields' },
  invalid_prompt: {
    status: 400,
    text: 'The prompt has problems',
    hint: '`hansard prompt check` and GET /api/v1/prompts list them',
  },
  task_not_scheduled: {
    status: 400,
    text: 'The task has no schedule',
    hint: 'Set cronExpression or trigger with PUT',
  },
  invalid_assistant_request: {
    status: 400,
    text: 'The request of the assistant is not valid',
    hint: 'Start the connection again in the assistant',
  },
  invalid_api_key: { status: 401, text: 'Invalid API key' },
  invalid_provisioning_token: { status: 401, text: 'Invalid provisioning token' },
  invalid_webhook_signature: {
    status: 401,
    text: 'The signature of this webhook is missing, wrong or too old',
  },
  not_signed_in: { status: 401, text: 'Sign in first' },
  wrong_credentials: { status: 401, text: 'The email address or password is wrong' },
  local_sign_in_off: {
    status: 403,
    text: 'Only the sign-in provider can be used to sign in here',
    hint: 'HANSARD_LOCAL_SIGN_IN=on allows passwords and passkeys again',
  },
  provisioning_off: {
    status: 403,
    text: 'Provisioning is turned off on this instance',
    hint: 'An admin turns it on: System → Provisioning, or `hansard provisioning on`',
  },
  account_deactivated: {
    status: 403,
    text: 'This account is deactivated',
    hint: 'Ask an admin, who can reactivate it',
  },
  recent_sign_in_needed: {
    status: 403,
    text: 'You signed in too long ago to do that',
    hint: 'Sign out and in again, then try again within 15 minutes',
  },
  passkey_rejected: {
    status: 403,
    text: 'This passkey was not accepted',
    hint: 'Try again, or sign in another way',
  },
  missing_scope: { status: 403, text: 'This API key does not have permission to do that' },
  forbidden: { status: 403, text: 'You do not have permission to do that' },
  admin_key_needed: {
    status: 403,
    text: 'This call needs the API key of an admin',
    hint: 'Use a service token or a personal token of an admin, without restricted scopes or projects',
  },
  callbacks_not_allowed: {
    status: 403,
    text: 'You may not start this meeting again and send its events to the other program',
    hint: 'They are signed with an API token that belongs to another person, was revoked, or may not use this project. Start without sending events, or ask the owner of the token',
  },
  document_protected: {
    status: 403,
    text: 'Only the service can write transcripts',
    hint: 'DELETE /api/v1/meetings/{meetingId} removes a meeting with its transcript',
  },
  prompt_read_only: { status: 403, text: 'You cannot change this prompt' },
  sharing_off: {
    status: 403,
    text: 'Share links are turned off on this instance',
    hint: 'An operator can turn them on with HANSARD_SHARING=on',
  },
  cross_site: { status: 403, text: 'The request did not come from a page of this service' },
  setup_closed: {
    status: 403,
    text: 'This instance already has its first user',
    hint: 'Sign in, or ask an admin for an invitation',
  },
  invalid_code: {
    status: 403,
    text: 'This link is invalid, already used or expired',
    hint: 'Ask for a new link. On the server, `hansard user invite` prints one',
  },
  not_found: { status: 404, text: 'There is nothing at this path' },
  meeting_not_found: { status: 404, text: 'There is no such meeting' },
  nothing_to_replay: { status: 404, text: 'This meeting has no stored events in that range' },
  project_not_found: { status: 404, text: 'There is no such project' },
  recording_not_found: { status: 404, text: 'There is no such recording' },
  document_not_found: { status: 404, text: 'There is no such document in this project' },
  delivery_not_kept: {
    status: 404,
    text: 'The event of this delivery has been deleted, or the delivery was a test',
  },
  document_not_saved: { status: 404, text: 'No saved document exists for this meeting' },
  recap_not_ready: { status: 404, text: 'This meeting has no recap yet' },
  action_not_found: { status: 404, text: 'There is no such action item' },
  recap_item_not_found: {
    status: 404,
    text: 'There is no such item in the recap of this meeting',
    hint: 'A new recap may have replaced it. Read the recap again',
  },
  line_not_found: { status: 404, text: 'This meeting has no line with this number' },
  comment_not_found: { status: 404, text: 'There is no such comment' },
  edit_not_found: { status: 404, text: 'There is no such edit' },
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
  member_not_found: { status: 404, text: 'This user is not a member of the project' },
  share_not_found: { status: 404, text: 'There is no such share link' },
  session_not_found: { status: 404, text: 'There is no such session' },
  group_not_found: { status: 404, text: 'There is no such group' },
  identity_not_found: { status: 404, text: 'There is no such linked account' },
  passkey_not_found: { status: 404, text: 'There is no such passkey' },
  invitation_not_found: { status: 404, text: 'There is no such invitation' },
  notification_not_found: { status: 404, text: 'There is no such notification' },
  calendar_not_found: { status: 404, text: 'There is no such calendar' },
  calendar_account_not_found: {
    status: 404,
    text: 'There is no such connected account',
    hint: 'A person connects an account in the console under Account > Calendars; service tokens have none',
  },
  calendar_app_not_found: {
    status: 404,
    text: 'This provider is not set up',
    hint: 'An administrator enters its application under System > Connections',
  },
  connection_not_found: { status: 404, text: 'There is no such connection' },
  mail_not_found: { status: 404, text: 'There is no such mail' },
  upcoming_not_found: { status: 404, text: 'There is no such upcoming meeting' },
  bot_account_not_found: { status: 404, text: 'There is no such bot account' },
  method_not_allowed: { status: 405, text: 'This path does not support that method' },
  request_timeout: { status: 408, text: 'The request did not arrive in time' },
  email_taken: { status: 409, text: 'A user with this email address already exists' },
  member_through_group: {
    status: 409,
    text: 'This user is a member through a group of the identity provider',
    hint: 'An admin can change what the group may do: docs/provisioning.md',
  },
  last_project_owner: {
    status: 409,
    text: 'A private project needs an owner',
    hint: 'Make someone else an owner first',
  },
  last_admin: {
    status: 409,
    text: 'The last admin cannot be removed, deactivated or made a member',
  },
  last_sign_in_method: {
    status: 409,
    text: 'This is your only way to sign in',
    hint: 'Add another one first',
  },
  passkeys_unavailable: {
    status: 409,
    text: 'Passkeys do not work at this address',
    hint: 'Browsers need https and a host name: set HANSARD_PUBLIC_URL',
  },
  consent_outdated: {
    status: 409,
    text: 'You are signed in differently than when this page was shown, or it is older than 10 minutes',
    hint: 'Reload the page and check again who asks for what',
  },
  passkey_exists: { status: 409, text: 'This passkey is already registered' },
  meeting_active: { status: 409, text: 'The meeting has not ended yet' },
  edit_not_newest: {
    status: 409,
    text: 'This change cannot be undone: it was undone already, or a newer one has to be undone first',
    hint: 'Undo the newest change first, or rename again',
  },
  meeting_not_scheduled: {
    status: 409,
    text: 'The meeting is not scheduled',
    hint: 'The join time can change only until the meeting begins',
  },
  too_many_scheduled: {
    status: 409,
    text: 'Too many meetings are scheduled',
    hint: 'Schedule more when some of them have begun, or stop some',
  },
  too_many_comments: {
    status: 409,
    text: 'This meeting has as many comments as it can have',
    hint: 'Delete comments that are no longer needed',
  },
  too_many_recap_items: {
    status: 409,
    text: 'The recap of this meeting has as many changes by people as it can have',
    hint: 'Change an item that exists already',
  },
  bot_account_taken: {
    status: 409,
    text: 'A bot account with this name already exists on another platform',
  },
  bot_account_in_use: {
    status: 409,
    text: 'Meetings that have not ended use this bot account',
    hint: 'Stop these meetings first, or wait until they end',
  },
  speech_unavailable: { status: 409, text: 'This instance cannot recognize speech now' },
  speech_installing: {
    status: 409,
    text: 'Speech recognition is being installed',
    hint: 'Wait until the installation has finished',
  },
  path_taken: {
    status: 409,
    text: 'A file or folder that is not a document already has this path',
  },
  task_exists: {
    status: 409,
    text: 'A task with this name already exists',
    hint: 'PUT changes it',
  },
  prompt_in_use: {
    status: 409,
    text: 'Tasks use this prompt',
    hint: 'Choose another prompt for these tasks, or delete them first',
  },
  too_many_prompts: {
    status: 409,
    text: 'There are too many prompts already',
    hint: 'Delete prompts that are no longer needed',
  },
  task_owner_removed: {
    status: 409,
    text: 'The user whose access this task used was removed',
    hint: 'POST /api/v1/tasks/{name}/take-over makes it run with your access',
  },
  execution_over: { status: 409, text: 'The execution has already ended' },
  document_busy: { status: 409, text: 'This document is being written by another request' },
  token_revoked: { status: 409, text: 'This token is revoked' },
  secret_pending: {
    status: 409,
    text: 'This token already has a pending signing secret',
    hint: 'Activate it, or cancel the rotation first',
  },
  no_secret_pending: { status: 409, text: 'This token has no pending signing secret' },
  too_many_notifications: {
    status: 409,
    text: 'The project has too many notifications already',
    hint: 'Remove one first',
  },
  too_many_terms: {
    status: 409,
    text: 'The vocabulary of a project has at most 1,000 entries',
    hint: 'Remove some first',
  },
  too_many_group_roles: { status: 409, text: 'This group has roles in too many projects already' },
  too_many_provisioning_tokens: {
    status: 409,
    text: 'There are too many provisioning tokens already',
    hint: 'Revoke one that is no longer used',
  },
  too_many_calendars: {
    status: 409,
    text: 'There are too many calendars already',
    hint: 'Remove one first',
  },
  mail_not_retryable: {
    status: 409,
    text: 'This mail cannot be sent again',
    hint: 'Only mail that failed or waits for its next attempt can, for a week',
  },
  mail_off: {
    status: 409,
    text: 'Mail is not set up on this instance',
    hint: 'An operator can set it up with HANSARD_SMTP_URL and HANSARD_MAIL_FROM',
  },
  too_many_connections: {
    status: 409,
    text: 'There are too many connections already',
    hint: 'Remove one first',
  },
  request_in_progress: {
    status: 409,
    text: 'A request with this Idempotency-Key is still running',
  },
  precondition_failed: { status: 412, text: 'A condition in the request headers is not met' },
  body_too_large: { status: 413, text: 'The request body is larger than 64 KiB' },
  url_too_long: { status: 414, text: 'The request URL is too long' },
  unsupported_media_type: {
    status: 415,
    text: 'The request body must be JSON',
    hint: 'Send the header Content-Type: application/json',
  },
  range_not_satisfiable: { status: 416, text: 'The file does not contain the requested range' },
  unknown_expectation: { status: 417, text: 'The Expect header has an unsupported value' },
  calendar_unreadable: {
    status: 422,
    text: 'The calendar could not be read',
    hint: 'Copy the secret address again, or reconnect the account of the calendar',
  },
  not_on_this_node: {
    status: 421,
    text: 'This node does not answer this request',
    hint: 'Send it to a node that has the role api: HANSARD_ROLES names the roles of a node',
  },
  recording_unreadable: { status: 422, text: 'The recording cannot be read' },
  idempotency_mismatch: {
    status: 422,
    text: 'This Idempotency-Key was already used for a different request',
  },
  too_many_requests: { status: 429, text: 'Too many requests' },
  too_many_recordings: {
    status: 429,
    text: 'Too many recordings are already waiting',
    hint: 'Wait until some are finished, or remove some',
  },
  too_many_executions: { status: 429, text: 'Too many executions are already waiting' },
  over_budget: {
    status: 429,
    text: 'The budget for language models is used up',
    hint: 'HANSARD_AI_DAILY_TOKENS and HANSARD_AI_MONTHLY_USD set the budget; GET /api/v1/usage shows the usage',
  },
  too_many_attempts: { status: 429, text: 'Too many failed sign-in attempts' },
  headers_too_large: { status: 431, text: 'The request headers are larger than 16 KiB' },
  internal: { status: 500, text: 'Something went wrong inside the service' },
  shutting_down: { status: 503, text: 'The service is shutting down' },
  database_unavailable: { status: 503, text: 'The database is not available right now' },
  sign_in_provider_unavailable: {
    status: 503,
    text: 'The sign-in provider is not responding correctly',
    hint: 'Try again in a minute. If it keeps happening, an admin can find the cause in the log',
  },
  at_capacity: { status: 503, text: 'All bots are busy and the queue is full' },
  storage_full: { status: 503, text: 'The disk of the service is full' },
  storage_not_writable: {
    status: 503,
    text: 'The service cannot write to its data folder',
    hint: '`hansard doctor` on the server shows what is wrong',
  },
} as const satisfies Record<string, { status: number; text: string; hint?: string }>

export type ErrorCode = keyof typeof ERRORS

export type ErrorDetail = { path: string; message: string }

type ErrorExtras = {
  /** Replaces the error code's text in ERRORS if more is known about this case. */
  text?: string
  hint?: string
  details?: ErrorDetail[]
  retryAfterSeconds?: number
  allow?: string[]
  cause?: unknown
}

/** An error whose code, text and hint may be sent to clients. */
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

/** The error for one field of a request. */
export function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', { details: [{ path, message }] })
}

/** One error for all problems of a request. The first decides code and text. Details and hints are collected. */
export function combineErrors(errors: readonly [ServiceError, ...ServiceError[]]): ServiceError {
  const [first] = errors
  if (errors.length === 1) return first
  const hints = errors.flatMap(({ hint }) => hint ?? [])
  return new ServiceError(first.code, {
    ...first.extras,
    text: first.message,
    details: errors.flatMap(({ extras }) => extras.details ?? []),
    ...(hints.length > 0 && { hint: [...new Set(hints)].join('. ') }),
  })
}

export function throwIfAnyErrors(errors: readonly ServiceError[]): void {
  const [first, ...others] = errors
  if (first !== undefined) throw combineErrors([first, ...others])
}
