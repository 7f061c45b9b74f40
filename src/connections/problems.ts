import type { ConnectionKind } from './connection.ts'

/**
 * Why something of a connection cannot be read. The scope is what stops: the whole connection, one organizer, or one
 * transcript. `{}` in a text is replaced by the details, and `{provider}` by the name of the provider.
 */
const PROBLEMS = {
  connection: {
    secret_wrong:
      'Microsoft refuses the client secret. Create a new one in the app registration, and save its value here, not its ID',
    secret_expired:
      'The client secret has expired. Create a new one in the app registration and save it here',
    certificate_refused:
      'Microsoft does not accept the certificate. Upload the same certificate to the app registration, or save another one here',
    app_not_found:
      'The tenant has no application with this client ID, or it is disabled. Check the client ID and the tenant ID',
    tenant_not_found:
      'Microsoft knows no tenant with this ID in the chosen cloud. Check the tenant ID and the cloud',
    token_refused:
      'Microsoft does not let the application sign in ({}). Search for this code at login.microsoftonline.com/error',
    key_refused:
      'Google does not accept the key of the service account: it was deleted or disabled. Create a new key in the Google Cloud console and save it here',
    delegation_missing:
      'Domain-wide delegation does not grant the scope {} to the service account. Add it to the client ID in the Google Admin console under Security > Access and data control > API controls. A change can take up to 24 hours',
    api_disabled:
      'The {} is not enabled in the Google Cloud project of the service account. Enable it under APIs & Services > Library',
    clock_wrong:
      'The clock of this machine differs from {provider}’s by {}. Set it with a time service (NTP)',
    access_revoked:
      '{provider} refuses the requests, although Hansard could sign in. Check that an administrator has not disabled the application or service account',
    permission_missing: 'Admin consent for the application permission {} is not granted',
    transcripts_disabled:
      'The organization does not let apps read transcripts. Turn on Microsoft Graph access in the Teams admin center under Meetings > Meeting settings > Transcript API access',
    speaker_names_disabled:
      'The organization does not let apps read who said what. Turn on Include speaker attribution in the Teams admin center under Meetings > Meeting settings > Transcript API access',
    payment_required:
      'Microsoft asks for a payment before it hands out transcripts. Check the licences and the billing of the app registration',
    throttled: '{provider} limits the requests. Hansard waits as long as {provider} asks',
    unreachable: '{provider} cannot be reached: {}',
    unavailable: '{provider} has a problem (status {}). Hansard tries again',
    bad_answer: '{provider} sent an answer that Hansard does not understand ({})',
    project_missing: 'The project of this connection no longer exists. Choose another one',
    storage_full: 'The disk of this service is full',
    internal: 'An error in this service stopped the reading. The log has the details',
  },
  organizer: {
    organizer_not_found: 'The organization has no active user with this address',
    policy_missing:
      'No application access policy lets the application read this person’s meetings. A new policy takes effect within 30 minutes',
    not_delegated:
      'Google does not let the service account act for this person. Domain-wide delegation does not grant the scope {}, or the person is not in the organization',
    sign_in_refused:
      'Google does not let the service account sign in for this person ({}). Check in the Google Admin console that no policy blocks the application',
    service_refused:
      'Google does not let this person use {}. Check in the Google Admin console that the service is turned on for them, and that they have a licence',
    no_transcripts:
      'None of the last {} meetings of this person has a transcript. Nobody turned on transcription, or their edition of Google Workspace does not include it',
    no_account:
      'This person has no account here, so there is no private project for the transcripts. Invite the person, or choose a project for the connection',
  },
  transcript: {
    event_private: 'The event is private in the organizer’s calendar',
    no_entries: 'The transcript has no lines: nothing was said, or Google did not recognize it',
    title_excluded: 'The title has a text that the connection excludes',
    calendar_excluded: 'The calendar of the organizer leaves the meeting out: {}',
    bot_attending: 'A bot still attends the meeting. The transcript is read when it has left',
    not_ready: '{provider} does not hand out the transcript yet',
    not_found: '{provider} no longer has the transcript: it expired, or somebody deleted it',
    unreadable: 'The transcript cannot be read: {}',
    too_large: 'The transcript is larger than 8 MB',
  },
} as const satisfies Record<string, Record<string, string>>
const TEXTS = { ...PROBLEMS.connection, ...PROBLEMS.organizer, ...PROBLEMS.transcript }

type ProblemScope = keyof typeof PROBLEMS

export type ProblemCode = keyof typeof TEXTS
export const PROBLEM_CODES = Object.keys(TEXTS) as [ProblemCode, ...ProblemCode[]]

/** A problem with its text for people. The text contains nothing that a meeting's title or content says. */
export type ConnectionProblem = { code: ProblemCode; text: string }

const MAX_DETAIL_CHARS = 300

export const PROVIDER_NAMES: Readonly<Record<ConnectionKind, string>> = {
  microsoft: 'Microsoft',
  google: 'Google',
}

export function describeProblem(
  code: ProblemCode,
  detail: string | null,
  kind: ConnectionKind,
): ConnectionProblem {
  const text = TEXTS[code].replaceAll('{provider}', PROVIDER_NAMES[kind])
  return { code, text: text.replace('{}', () => detail ?? 'no details') }
}

/** Reading stopped for a reason that people can understand. `describeProblem` gives the text for them. */
export class ReadProblem extends Error {
  override readonly name = 'ReadProblem'
  readonly code: ProblemCode
  readonly detail: string | null
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | null

  constructor(code: ProblemCode, detail: string | null = null, retryAfterMs: number | null = null) {
    super(detail === null ? code : `${code}: ${detail}`)
    this.code = code
    this.detail = detail === null ? null : detail.slice(0, MAX_DETAIL_CHARS)
    this.retryAfterMs = retryAfterMs
  }

  get scope(): ProblemScope {
    if (this.code in PROBLEMS.organizer) return 'organizer'
    return this.code in PROBLEMS.transcript ? 'transcript' : 'connection'
  }
}
