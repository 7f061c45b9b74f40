import { generateKeyPairSync } from 'node:crypto'

/** What the test server of Google Workspace knows. Tests change it while a service reads it. */

export const SERVICE_ACCOUNT = 'hansard@example-project.iam.gserviceaccount.com'
/** Of all people of the organization. */
export const DOMAIN = 'example.com'
export const CLIENT_ID = '112233445566778899001'
export const MEET_SCOPE = 'https://www.googleapis.com/auth/meetings.space.readonly'
export const CALENDAR_SCOPE = 'https://www.googleapis.com/auth/calendar.events.readonly'

export type WorkspaceUser = {
  address: string
  isSuspended: boolean
  /** Google Meet is turned on for this person. */
  hasMeet: boolean
}

export type TranscriptLine = { participant: string; text: string; startAt: Date; endAt: Date }

export type WorkspaceTranscript = {
  id: string
  state: 'STARTED' | 'ENDED' | 'FILE_GENERATED'
  startAt: Date
  endAt: Date | null
  lines: TranscriptLine[]
}

export type Conference = {
  id: string
  organizer: string
  space: string
  meetingCode: string
  startAt: Date
  /** Null while it runs. */
  endAt: Date | null
  participants: Array<{
    id: string
    kind: 'signedinUser' | 'anonymousUser' | 'phoneUser'
    name: string
  }>
  transcripts: WorkspaceTranscript[]
}

export type CalendarEvent = {
  id: string
  calendar: string
  title: string | undefined
  visibility: 'default' | 'public' | 'private' | 'confidential'
  startAt: Date
  meetingCode: string
  /** True if the person of the calendar did not organize it. */
  isInvitation?: boolean
}

export type Workspace = {
  keys: Array<{ id: string; publicKeyPem: string; isDisabled: boolean }>
  /** The scopes that domain-wide delegation grants to the client ID. */
  delegatedScopes: string[]
  enabledApis: Array<'meet' | 'calendar'>
  users: WorkspaceUser[]
  conferences: Conference[]
  events: CalendarEvent[]
  /** Pages have at most so many items, even if a request asks for more. */
  pageSize: number
  /** Page tokens with another number are too old. */
  pageGeneration: number
  /** Access tokens with another number are revoked. */
  tokenGeneration: number
  /** Google's clock. */
  now(): Date
}

const KEY = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const OTHER_KEY = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const pem = (key: typeof KEY) => ({
  publicKeyPem: key.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  privateKeyPem: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
})
export const PRIVATE_KEY = pem(KEY).privateKeyPem

const KEY_ID = '8d1f0c2b3a4958677665544332211000ffeeddcc'

/** The file that the Google Cloud console downloads for a new key. */
export function formatKeyFile(changes: object = {}): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'example-project',
    private_key_id: KEY_ID,
    private_key: PRIVATE_KEY,
    client_email: SERVICE_ACCOUNT,
    client_id: CLIENT_ID,
    auth_uri: 'https://accounts.google.com/o/oauth2/auth',
    token_uri: 'https://oauth2.googleapis.com/token',
    auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
    client_x509_cert_url: `https://www.googleapis.com/robot/v1/metadata/x509/${SERVICE_ACCOUNT}`,
    universe_domain: 'googleapis.com',
    ...changes,
  })
}

/** A key of the same service account that Google does not have. */
export const formatForeignKeyFile = () =>
  formatKeyFile({ private_key: pem(OTHER_KEY).privateKeyPem })

export function createWorkspace(now: () => Date): Workspace {
  return {
    now,
    keys: [{ id: KEY_ID, publicKeyPem: pem(KEY).publicKeyPem, isDisabled: false }],
    delegatedScopes: [MEET_SCOPE, CALENDAR_SCOPE],
    enabledApis: ['meet', 'calendar'],
    users: [],
    conferences: [],
    events: [],
    pageSize: 100,
    pageGeneration: 0,
    tokenGeneration: 0,
  }
}

export function addUser(workspace: Workspace, address: string): WorkspaceUser {
  const user = { address, isSuspended: false, hasMeet: true }
  workspace.users.push(user)
  return user
}

type NewConference = {
  /** The title of its event; null for a meeting without an event. */
  title?: string | null
  visibility?: CalendarEvent['visibility']
  endAt?: Date
  texts?: readonly string[]
}

/** Adds a conference of ten minutes that has ended, with its event, and with a transcript of its lines. */
export function addConference(
  workspace: Workspace,
  user: WorkspaceUser,
  {
    title = 'Weekly review',
    visibility = 'default',
    endAt = workspace.now(),
    texts,
  }: NewConference = {},
): Conference {
  const number = workspace.conferences.length + 1
  const id = `conf-${number}`
  const letters = String(number)
    .padStart(4, '0')
    .replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
  const meetingCode = `abc-${letters}-xyz`
  const startAt = new Date(endAt.getTime() - 600_000)
  const participants: Conference['participants'] = [
    { id: '101', kind: 'signedinUser', name: 'Ada Lovelace' },
    { id: '102', kind: 'anonymousUser', name: 'Grace Hopper' },
    { id: '103', kind: 'phoneUser', name: '+44 ••• ••• ••12' },
  ]
  const said = texts ?? ['Good morning, everybody.', `This is meeting number ${number}.`]
  const lines = said.map((text, i) => ({
    participant: `conferenceRecords/${id}/participants/${participants[i % 3]?.id ?? ''}`,
    text,
    startAt: new Date(startAt.getTime() + 10_000 + i * 5_000),
    endAt: new Date(startAt.getTime() + 14_000 + i * 5_000),
  }))
  const transcript: WorkspaceTranscript = {
    id: `transcript-${number}`,
    state: 'FILE_GENERATED',
    startAt: new Date(startAt.getTime() + 5_000),
    endAt,
    lines,
  }
  const conference = {
    id,
    organizer: user.address,
    space: `space-${number}`,
    meetingCode,
    startAt,
    endAt,
    participants,
    transcripts: [transcript],
  }
  workspace.conferences.push(conference)
  if (title !== null)
    workspace.events.push({
      id: `event-${number}`,
      calendar: user.address,
      title,
      visibility,
      startAt,
      meetingCode,
    })
  return conference
}
