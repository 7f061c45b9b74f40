/** What the test server of Microsoft 365 knows. Tests change it while a service reads it. */

export const TENANT_ID = '3f2b8a1c-0d4e-4f5a-9b6c-7d8e9f0a1b2c'
export const CLIENT_ID = '9c1d2e3f-4a5b-4c6d-8e7f-0a1b2c3d4e5f'
export const CLIENT_SECRET = 'Qx8~the-value-of-the-client-secret'
export const ALL_PERMISSIONS = [
  'User.Read.All',
  'OnlineMeetings.Read.All',
  'OnlineMeetingTranscript.Read.All',
]

export type TenantUser = {
  id: string
  /** The user principal name. */
  address: string
  /** An application access policy with the client id is granted to this user. */
  hasPolicy: boolean
}

export type TenantTranscript = {
  id: string
  userId: string
  meetingId: string
  subject: string | null
  /** The link of the invitation; null for a meeting without one. */
  joinUrl: string | null
  createdAt: Date
  content: string
  /** Expired or deleted: its content gets a 404. */
  isGone: boolean
  /** Position in the list of changes. A higher one is listed again. */
  sequence: number
}

export type Tenant = {
  secrets: Array<{ value: string; expired: boolean }>
  certificates: Array<{ thumbprint: string; publicKeyPem: string }>
  permissions: string[]
  isAppDisabled: boolean
  hasTranscriptAccess: boolean
  hasSpeakerNames: boolean
  users: TenantUser[]
  transcripts: TenantTranscript[]
  /** How many transcripts a page of the list has. */
  pageSize: number
  /** Delta links with an older number are too old. */
  oldestDelta: number
  /** Access tokens with an older number are revoked. */
  tokenGeneration: number
  /** Microsoft's clock. */
  now(): Date
}

export function createTenant(now: () => Date): Tenant {
  return {
    now,
    secrets: [{ value: CLIENT_SECRET, expired: false }],
    certificates: [],
    permissions: [...ALL_PERMISSIONS],
    isAppDisabled: false,
    hasTranscriptAccess: true,
    hasSpeakerNames: true,
    users: [],
    transcripts: [],
    pageSize: 10,
    oldestDelta: 0,
    tokenGeneration: 0,
  }
}

export function addUser(tenant: Tenant, address: string): TenantUser {
  const number = String(tenant.users.length + 1).padStart(12, '0')
  const user = { id: `8b081ef6-4792-4def-b2c9-${number}`, address, hasPolicy: true }
  tenant.users.push(user)
  return user
}

type NewTranscript = {
  subject?: string | null
  content?: string
  joinUrl?: string | null
  createdAt?: Date
}

/** Adds a transcript like those of Teams: long ids in Base64, and a closed voice in each cue. */
export function addTranscript(
  tenant: Tenant,
  user: TenantUser,
  {
    subject = 'Weekly review',
    content,
    joinUrl = null,
    createdAt = tenant.now(),
  }: NewTranscript = {},
): TenantTranscript {
  const sequence = nextSequence(tenant)
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const transcript = {
    id: encode(`V2##${user.id}##transcript-${sequence}?`),
    userId: user.id,
    meetingId: encode(`1*${user.id}*0**19:meeting_${sequence}@thread.v2`),
    subject,
    joinUrl,
    createdAt,
    content: content ?? formatTeamsVtt(`This is meeting number ${sequence}.`),
    isGone: false,
    sequence,
  }
  tenant.transcripts.push(transcript)
  return transcript
}

/** Lists a transcript again in the next round, as Graph does for unrelated changes. */
export function listAgain(tenant: Tenant, transcript: TenantTranscript): void {
  transcript.sequence = nextSequence(tenant)
}

function nextSequence({ transcripts }: Tenant): number {
  return Math.max(0, ...transcripts.map(({ sequence }) => sequence)) + 1
}

/** A transcript as Graph returns it for `$format=text/vtt`. */
export function formatTeamsVtt(text: string, speaker = 'Ada Lovelace'): string {
  return [
    'WEBVTT',
    '',
    '00:00:00.000 --> 00:00:05.320',
    `<v ${speaker}>Good morning, everybody.</v>`,
    '',
    '00:00:06.000 --> 00:00:09.500',
    `<v Grace Hopper>${text}</v>`,
    '',
  ].join('\r\n')
}
