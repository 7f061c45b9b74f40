import { createHmac } from 'node:crypto'
import type { Clock } from '../../../lib/time/clock.ts'

/** What a LiveKit server knows an application by. */
export type LivekitKey = { apiKey: string; apiSecret: string }

/** The token is only used to join. The server renews it while the bot is in the room. */
const LIFETIME_S = 600
/** How far the clock of the server may be behind. */
const CLOCK_TOLERANCE_S = 60

/** What a participant may do in a room, in the words of LiveKit. */
type Grants = Readonly<Record<string, boolean>>

/** The bot is a visible participant who listens and writes in the chat. */
const BOT_GRANTS: Grants = {
  canSubscribe: true,
  canPublish: false,
  canPublishData: true,
  hidden: false,
}

/** Makes the tokens with which the bot joins rooms. */
export type SignToken = (bot: { room: string; identity: string; name: string }) => string

type Participant = { room: string; identity: string; name: string; grants: Grants }

export function createTokenSigner(key: LivekitKey, clock: Clock): SignToken {
  return (bot) => createAccessToken(key, { ...bot, grants: BOT_GRANTS }, clock.now().getTime())
}

/** A token with which a participant joins a room. */
export function createAccessToken(
  { apiKey, apiSecret }: LivekitKey,
  { room, identity, name, grants }: Participant,
  nowMs: number,
): string {
  const now = Math.floor(nowMs / 1_000)
  const claims = {
    iss: apiKey,
    sub: identity,
    name,
    nbf: now - CLOCK_TOLERANCE_S,
    exp: now + LIFETIME_S,
    video: { room, roomJoin: true, ...grants },
  }
  const unsigned = `${toBase64Url({ alg: 'HS256', typ: 'JWT' })}.${toBase64Url(claims)}`
  return `${unsigned}.${createHmac('sha256', apiSecret).update(unsigned).digest('base64url')}`
}

function toBase64Url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
