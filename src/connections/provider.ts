import {
  ApiResponseTooLarge,
  ApiUnreachable,
  sendApiRequest,
  type ApiHttp,
  type ApiRequest,
  type ApiResponse,
} from '../network/api-requests.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import type { ImportFormat } from '../meetings/importing/format-names.ts'
import type { MicrosoftCloud } from '../network/microsoft-hosts.ts'
import type { Connection, ConnectionKind, CredentialKind } from './connection.ts'
import { ReadProblem } from './problems.ts'

/** What a kind of connection supplies. Everything else about connections is the same for all kinds. */
export interface TranscriptProvider {
  /** Reads a credential from a request; null if it has none. Throws `invalid_request` if it cannot be used. */
  readCredential(fields: CredentialFields, now: Date): ReadCredential | null
  /** Signs in as one connection, for one poll or one check. Sends nothing before it is used. */
  open(access: ConnectionAccess, signal: AbortSignal): ProviderSession
}

export type TranscriptProviders = Readonly<Record<ConnectionKind, TranscriptProvider>>

/** The fields of a request that say who the application is, and prove it. */
export type CredentialFields = {
  cloud?: MicrosoftCloud | undefined
  tenant?: string | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
  certificate?: string | undefined
  serviceAccountKey?: string | undefined
}

/** A credential, and what people may see of it. */
export type ReadCredential = Pick<Connection, 'thumbprint'> & {
  credential: { kind: CredentialKind } & Readonly<Record<string, string>>
  expiresAt: Date | null
  /** Whose credential it is; null if it does not say. */
  identity: ConnectionIdentity | null
}

export type ConnectionIdentity = Pick<Connection, 'cloud' | 'tenant' | 'clientId'>

/** What a provider has to know about a connection. `credential` is what was sealed for it. */
export type ConnectionAccess = Pick<
  Connection,
  'cloud' | 'tenant' | 'clientId' | 'readsFrom' | 'readsCalendar'
> & {
  credential: unknown
}

/** Each request throws a `ReadProblem` if it has no usable answer. */
export interface ProviderSession {
  /** Tries to sign in, and which permissions are granted. Lines about people follow unless `isBlocked`. */
  checkAccess(
    attempt: CheckAttempt,
    addresses: readonly string[],
  ): Promise<{ lines: CheckLine[]; isBlocked: boolean }>
  /** The provider's id of the person with this address. */
  findPersonId(address: string): Promise<string>
  /** Tries to read the person's transcripts. */
  checkPerson(personId: string): Promise<unknown>
  /**
   * Lists a person's transcripts that are new since the cursor; null for the first page. A transcript that is listed
   * again may have changed. Throws `CursorLost` if everything has to be listed again.
   */
  listTranscripts(personId: string, cursor: string | null): Promise<TranscriptPage>
  /** Read before the content, because it decides whether the content may be read. */
  readMeeting(key: TranscriptKey): Promise<MeetingDetails> | MeetingDetails
  readContent(key: TranscriptKey): Promise<TranscriptContent>
  /** Absent if the provider cannot report new transcripts. */
  reports?: TranscriptReports
}

/** Requests about reports of new transcripts. */
export interface TranscriptReports {
  start(
    personId: string,
    request: {
      /** The address that the provider sends reports to. */
      url: string
      /** Sent with each report. */
      token: string
      expiresAt: Date
    },
  ): Promise<{ providerId: string; expiresAt: Date }>
  /** Returns when it ends; null if it has already ended. */
  renew(providerId: string, expiresAt: Date): Promise<Date | null>
  /** Succeeds even if there is nothing to stop. */
  stop(providerId: string): Promise<void>
}

export type ListedTranscript = {
  id: string
  meetingId: string
  beganAt: Date
  endedAt: Date | null
  /** The content may have changed if this differs. Null if each listing may be a change. */
  revision: string | null
}

export type MeetingDetails = {
  /** Empty if it has none. */
  title: string
  isPrivate: boolean
  /** Links that lead to the meeting. Absent if the provider does not say. */
  links?: readonly string[]
}

export type TranscriptPage = {
  transcripts: ListedTranscript[]
  /** Where the list continues: the next page, or what is new after this round. */
  cursor: string
  isLastPage: boolean
}

export type TranscriptKey = {
  userId: string
  onlineMeetingId: string
  transcriptId: string
  beganAt: Date
  endedAt: Date | null
}

export type TranscriptContent = {
  /** A file whose times begin at 0. */
  content: string
  format: ImportFormat
  startedAt: Date
  /** SHA-256 of what the provider sent. */
  sha256: Buffer
  /** The product of the provider, for people. */
  source: string
  /** For a meeting without a title. Null to let the import choose one. */
  fallbackTitle: string | null
}

/** The provider no longer knows a cursor. Everything has to be listed again. */
export class CursorLost extends Error {
  override readonly name = 'CursorLost'
}

/** One line of a check: what was tried, and how it went. */
export type CheckLine = { name: string; ok: boolean; text: string }

/** Returns a line with the text for success, or with the problem that `run` throws. */
export type CheckAttempt = (
  name: string,
  success: string,
  run: () => Promise<unknown>,
) => Promise<CheckLine>

/** Sends a request to a provider. Throws a `ReadProblem` if there is no complete response of the allowed size. */
export async function sendRequest(
  http: ApiHttp,
  url: string,
  request: ApiRequest & {
    /** The problem of a larger body. */
    tooLarge?: ReadProblem
  },
  signal: AbortSignal,
): Promise<ApiResponse> {
  const { tooLarge = new ReadProblem('bad_answer', 'larger than allowed'), ...init } = request
  try {
    return await sendApiRequest(http, url, init, signal)
  } catch (error) {
    if (error instanceof ApiUnreachable) throw new ReadProblem('unreachable', error.message)
    throw error instanceof ApiResponseTooLarge ? tooLarge : error
  }
}

/** A smaller difference of clocks does no harm. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * MINUTE_MS

/** How much this machine's clock differs from the provider's, as a text; null if it does not matter. */
export function describeClockDifference(serverTime: Date | null, now: Date): string | null {
  if (serverTime === null) return null
  const difference = Math.abs(serverTime.getTime() - now.getTime())
  if (difference < MAX_CLOCK_DIFFERENCE_MS) return null
  const minutes = Math.round(difference / MINUTE_MS)
  return difference < 2 * HOUR_MS ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
