import { ReadProblem } from '../problems.ts'
import { sha256 } from '../../lib/crypto.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time/durations.ts'
import type { ApiHttp } from '../../network/api-requests.ts'
import { ServiceError } from '../../errors.ts'
import type {
  ConnectionAccess,
  ListedTranscript,
  MeetingDetails,
  ProviderSession,
  TranscriptContent,
  TranscriptKey,
  TranscriptPage,
  TranscriptProvider,
} from '../provider.ts'
import { findEvent } from './calendar-requests.ts'
import { checkGoogleAccess } from './check-google.ts'
import { continueRound, endRound, parseCursor } from './conference-cursor.ts'
import { openGoogleSession, type GoogleSession } from './google-session.ts'
import type { GoogleHosts } from '../../network/google-hosts.ts'
import {
  listConferences,
  listEntries,
  listParticipants,
  listTranscripts,
  readConference,
  readMeetingCode,
  readTranscript,
  type Conference,
  type MeetTranscript,
  type TranscriptEntry,
} from './meet-requests.ts'
import { GoogleCredential, readServiceAccountKey } from './service-account-key.ts'

type Parts = { http: ApiHttp; hosts: GoogleHosts; timeZone: string }

/** After this time, a transcript that is still not complete is read as it is. */
const COMPLETE_AFTER_MS = 2 * HOUR_MS
/** Google deletes the lines this long after the conference. */
const ENTRIES_KEPT_MS = 30 * DAY_MS

/** Transcripts of Google Meet. The service account acts for each organizer with domain-wide delegation. */
export function createGoogleProvider(parts: Parts): TranscriptProvider {
  return {
    readCredential({ serviceAccountKey, cloud, tenant, clientId, clientSecret, certificate }) {
      const unused = Object.entries({
        cloud,
        tenant,
        clientId,
        clientSecret,
        certificate,
      }).find(([, value]) => value !== undefined)
      if (unused !== undefined) throw refuseField(unused[0], 'Only for Microsoft 365')
      if (serviceAccountKey === undefined) return null
      const read = readServiceAccountKey(serviceAccountKey)
      if (typeof read === 'string') throw refuseField('serviceAccountKey', read)
      return read
    },
    open: (access, signal) => openSession(parts, access, signal),
  }
}

function refuseField(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', { details: [{ path, message }] })
}

function openSession(
  { http, hosts, timeZone }: Parts,
  { credential, readsFrom, readsCalendar }: ConnectionAccess,
  signal: AbortSignal,
): ProviderSession {
  const app = { credential: GoogleCredential.parse(credential), hosts }
  const session = openGoogleSession(http, app, signal)
  const now = () => http.clock.now()
  return {
    checkAccess: (attempt, addresses) =>
      checkGoogleAccess(session, { attempt, addresses, readsCalendar, now: now() }),
    findPersonId: (address) => requireDelegation(session, address),
    checkPerson: (person) => requireTranscripts(session, person, now()),
    listTranscripts: (person, cursor) =>
      listPage(session, person, cursor ?? JSON.stringify({ from: readsFrom }), now()),
    readMeeting: (key) => readMeeting(session, key, readsCalendar),
    readContent: (key) => readContent(session, key, { now: now(), timeZone }),
  }
}

/** Google refuses people of other organizations as it refuses a missing scope, which must not stop the others. */
async function requireDelegation(session: GoogleSession, address: string): Promise<string> {
  try {
    await session.token(address, 'meetings.space.readonly')
    return address
  } catch (error) {
    const isRefused = error instanceof ReadProblem && error.code === 'delegation_missing'
    throw isRefused ? new ReadProblem('not_delegated', error.detail) : error
  }
}

const UNKNOWN_MEETING: MeetingDetails = { title: '', isPrivate: false }

async function readMeeting(
  session: GoogleSession,
  key: TranscriptKey,
  readsCalendar: boolean,
): Promise<MeetingDetails> {
  const code = await findMeetingCode(session, key)
  if (code === '') return UNKNOWN_MEETING
  const event = readsCalendar ? await findEvent(session, key.userId, code, key.beganAt) : null
  const link = `https://meet.google.com/${encodeURIComponent(code)}`
  return { ...(event ?? UNKNOWN_MEETING), links: [link] }
}

/** The code in the link of the meeting; empty if Google does not say. */
async function findMeetingCode(
  session: GoogleSession,
  { userId: person, onlineMeetingId }: TranscriptKey,
): Promise<string> {
  const { space } = await readConference(session, person, onlineMeetingId)
  return space === undefined ? '' : readMeetingCode(session, person, space)
}

async function listPage(
  session: GoogleSession,
  person: string,
  cursorText: string,
  now: Date,
): Promise<TranscriptPage> {
  const cursor = parseCursor(cursorText, now)
  const page = await listConferences(session, person, cursor.from, cursor.pageToken)
  const transcripts: ListedTranscript[] = []
  for (const conference of page.conferences) {
    const found = await listTranscriptsIfKept(session, person, conference)
    transcripts.push(...found.map((transcript) => toListed(conference, transcript)))
  }
  const { nextPageToken } = page
  return {
    transcripts,
    cursor: nextPageToken === undefined ? endRound(cursor) : continueRound(cursor, nextPageToken),
    isLastPage: nextPageToken === undefined,
  }
}

/** Google may delete the conference between both requests. */
async function listTranscriptsIfKept(
  session: GoogleSession,
  person: string,
  { name }: Conference,
): Promise<MeetTranscript[]> {
  try {
    return await listTranscripts(session, person, name)
  } catch (error) {
    if (error instanceof ReadProblem && error.code === 'not_found') return []
    throw error
  }
}

function toListed(
  { name: meetingId, startTime, endTime }: Conference,
  transcript: MeetTranscript,
): ListedTranscript {
  return {
    id: transcript.name,
    meetingId,
    beganAt: transcript.startTime ?? startTime,
    endedAt: transcript.endTime ?? endTime ?? null,
    revision: `${transcript.state} ${transcript.endTime?.toISOString() ?? ''}`,
  }
}

/** Throws a problem if the person had meetings and none has a transcript. */
async function requireTranscripts(
  session: GoogleSession,
  person: string,
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - ENTRIES_KEPT_MS)
  const { conferences } = await listConferences(session, person, since, undefined)
  for (const conference of conferences)
    if ((await listTranscriptsIfKept(session, person, conference)).length > 0) return
  if (conferences.length > 0) throw new ReadProblem('no_transcripts', String(conferences.length))
}

async function readContent(
  session: GoogleSession,
  { userId: person, onlineMeetingId, transcriptId, beganAt, endedAt }: TranscriptKey,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<TranscriptContent> {
  const transcript = await readTranscript(session, person, transcriptId)
  const age = now.getTime() - (endedAt ?? beganAt).getTime()
  if (transcript.state !== 'FILE_GENERATED' && age < COMPLETE_AFTER_MS)
    throw new ReadProblem('not_ready')
  const entries = await listEntries(session, person, transcriptId)
  if (entries.length === 0)
    throw new ReadProblem(age >= ENTRIES_KEPT_MS ? 'not_found' : 'no_entries')
  const names = await listParticipants(session, person, onlineMeetingId)
  const startedAt = entries.reduce(
    (first, { startTime }) => (startTime < first ? startTime : first),
    transcript.startTime ?? beganAt,
  )
  return {
    content: toHansardJson(startedAt, entries, names),
    format: 'hansard-json',
    startedAt,
    // Without the names, because people can change those of their accounts.
    sha256: sha256(JSON.stringify(entries)),
    source: 'Google Meet',
    fallbackTitle: `Google Meet, ${formatDate(startedAt, timeZone)}`,
  }
}

function toHansardJson(
  startedAt: Date,
  entries: readonly TranscriptEntry[],
  names: ReadonlyMap<string, string>,
): string {
  const lastEnd = entries.reduce((last, { startTime, endTime = startTime }) => {
    return endTime > last ? endTime : last
  }, startedAt)
  return JSON.stringify({
    startedAt,
    endedAt: lastEnd,
    participants: [...new Set(names.values())].filter((name) => name !== ''),
    segments: entries.map(({ participant, text, startTime }) => ({
      speaker: names.get(participant) ?? '',
      text,
      timestamp: startTime,
    })),
  })
}

function formatDate(at: Date, timeZone: string): string {
  return at.toLocaleDateString('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
}
