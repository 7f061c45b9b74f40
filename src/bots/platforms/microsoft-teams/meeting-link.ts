import { z } from 'zod'
import { sha256 } from '../../../lib/crypto.ts'
import {
  isHostOrSubdomain,
  type ParsedLink,
  percentDecodeAscii,
  parsePastedLinkCandidates,
} from '../links.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { MeetingLink } from '../platform.ts'

/** The hosts of Teams by realm. Each realm numbers its meetings separately. */
const REALMS: ReadonlyArray<{
  has: (host: string) => boolean
  host: (given: string) => string
  name: (given: string) => string
}> = [
  {
    has: (host) => isHostOrSubdomain(host, 'teams.microsoft.com'),
    host: () => 'teams.microsoft.com',
    name: () => 'work',
  },
  {
    has: (host) => host === 'teams.cloud.microsoft',
    host: (given) => given,
    name: () => 'work',
  },
  { has: (host) => host === 'teams.live.com', host: (given) => given, name: () => 'live' },
  {
    has: (host) => /^[a-z0-9]+\.teams\.microsoft\.us$/.test(host),
    host: (given) => given,
    name: (given) => given,
  },
]

const TITLE = PLATFORM_INFO.microsoft_teams.title

const NUMBERED = /^\/meet\/(\d{10,15})\/?$/
const LAUNCHER = '/dl/launcher/launcher.html'
const LIGHT = '/light-meetings/launch'
/** A passcode in a link. It has only characters that every URL encoding leaves unchanged. */
const PASSCODE = /^[A-Za-z0-9_-]{1,128}$/

type LinkRoute = { path: string; query: string }
type TeamsHost = { host: string; realm: string }

/** The meeting that a link without a meeting number names. */
type MeetingThread = z.output<typeof threadShape>

const guid = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  .toLowerCase()

const threadShape = z.object({
  threadId: z.string().regex(/^19:[A-Za-z0-9_=-]{1,200}@thread\.(?:v2|tacv2|skype)$/),
  /** The timestamp of the channel message that announces the meeting; `0` for a meeting outside a channel. */
  messageId: z.string().regex(/^\d{1,20}$/),
  tenantId: guid,
  organizerId: guid.optional(),
})

const contextShape = z.object({ Tid: z.unknown().optional(), Oid: z.unknown().optional() })

const coordsShape = z.object({
  conversationId: z.unknown().optional(),
  messageId: z.union([z.string(), z.int().transform(String)]).default('0'),
  tenantId: z.unknown().optional(),
  organizerId: z.unknown().optional(),
})

/** The meeting that any kind of Microsoft Teams link leads to; null for any other text. */
export function parseMicrosoftTeamsLink(given: string): MeetingLink | null {
  for (const link of parsePastedLinkCandidates(given)) {
    const realm = REALMS.find(({ has }) => has(link.host))
    if (realm === undefined) continue
    const place = { host: realm.host(link.host), realm: realm.name(link.host) }
    for (const route of routesOf(link)) {
      const address = byNumber(route, place) ?? byThread(route, place)
      if (address !== null) return address
    }
  }
  return null
}

/** Where a link can name its meeting: the path, the fragment, or the address that the launcher opens. */
function routesOf({ path, query, fragment }: ParsedLink): LinkRoute[] {
  const launched = path === LAUNCHER ? /(?:^|&)url=(\/.*)$/.exec(query)?.[1] : undefined
  return [{ path, query }, ...[fragment, launched ?? ''].map(toRoute)]
}

function toRoute(text: string): LinkRoute {
  const border = text.indexOf('?')
  if (border < 0) return { path: text, query: '' }
  return { path: text.slice(0, border), query: text.slice(border + 1) }
}

function byNumber({ path, query }: LinkRoute, { host, realm }: TeamsHost): MeetingLink | null {
  const number = NUMBERED.exec(path)?.[1]
  if (number === undefined) return null
  const passcode = new URLSearchParams(query).get('p') ?? ''
  const meeting = { room: `${realm}/${number}`, label: `${TITLE} ${number}` }
  const url = `https://${host}/meet/${number}`
  if (passcode === '') return { url, ...meeting }
  return PASSCODE.test(passcode) ? { url: `${url}?p=${passcode}`, ...meeting, passcode } : null
}

function byThread({ path, query }: LinkRoute, { host }: TeamsHost): MeetingLink | null {
  const thread = path === LIGHT ? threadInCoords(query) : threadInPath(path, query)
  if (thread === null) return null
  const { threadId, messageId, tenantId, organizerId } = thread
  const context = JSON.stringify({ Tid: tenantId, Oid: organizerId })
  const room = roomOf(thread)
  return {
    url: `https://${host}/l/meetup-join/${encodeURIComponent(threadId)}/${messageId}?context=${encodeURIComponent(context)}`,
    room,
    label: `${TITLE} ${sha256(room).toString('hex').slice(0, 8)}`,
  }
}

/** All meetings of a channel share its thread, so the id of the announcing message identifies the meeting. */
function roomOf({ threadId, messageId }: MeetingThread): string {
  return threadId.startsWith('19:meeting_') ? threadId : `${threadId}/${messageId}`
}

function threadInPath(path: string, query: string): MeetingThread | null {
  const mark = '/l/meetup-join/'
  const start = path.lastIndexOf(mark)
  if (start < 0) return null
  const [threadId = '', messageId = '', ...rest] = path.slice(start + mark.length).split('/')
  if (rest.some((part) => part !== '')) return null
  return parseThreadFromLinkContext(
    percentDecodeAscii(threadId),
    messageId,
    new URLSearchParams(query).get('context') ?? '',
  )
}

function threadInCoords(query: string): MeetingThread | null {
  return parseThreadFromLightMeetingCoords(new URLSearchParams(query).get('coords') ?? '')
}

/** Parses a classic link, which has a JSON context. */
function parseThreadFromLinkContext(
  threadId: string,
  messageId: string,
  context: string,
): MeetingThread | null {
  const { data } = contextShape.safeParse(fromJson(context))
  if (data === undefined) return null
  return toThread({ threadId, messageId, tenantId: data.Tid, organizerId: data.Oid })
}

/** Parses the base64 of a light meeting link. Copying may have turned plus signs into spaces and dropped padding. */
function parseThreadFromLightMeetingCoords(coords: string): MeetingThread | null {
  const json = Buffer.from(coords.replaceAll(' ', '+'), 'base64').toString('utf8')
  const { data } = coordsShape.safeParse(fromJson(json))
  if (data === undefined) return null
  const { conversationId, messageId, tenantId, organizerId } = data
  return toThread({ threadId: conversationId, messageId, tenantId, organizerId })
}

function toThread(parts: Record<keyof MeetingThread, unknown>): MeetingThread | null {
  // Some link generators write an unknown organizer as null or as an empty string.
  const organizerId = parts.organizerId || undefined
  return threadShape.safeParse({ ...parts, organizerId }).data ?? null
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
