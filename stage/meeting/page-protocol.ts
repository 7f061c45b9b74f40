import { z } from 'zod'
import type { Knobs } from './knobs.ts'

/** Every screen a guest can be shown; both platforms have all of them. */
export const SCREENS = [
  'splash',
  'prejoin',
  'lobby',
  'host-absent',
  'call',
  'denied',
  'no-answer',
  'blocked',
  'captcha',
  'sign-in',
  'bad-code',
  'removed',
  'ended',
  'left',
  'away',
] as const
export type Screen = (typeof SCREENS)[number]

/** Somebody in the meeting, with the names that the platforms' own parts use for people. */
export type StagedParticipant = {
  id: string
  name: string
  isHost: boolean
  isSelf: boolean
  deviceId: string
  mri: string
  sourceId: number
}

/** What a page is told. */
export type StageEvent =
  | {
      kind: 'welcome'
      guest: string
      room: string
      title: string
      callId: string
      deviceId: string
      knobs: Knobs
    }
  | { kind: 'screen'; screen: Screen }
  | { kind: 'people'; people: readonly StagedParticipant[] }
  | { kind: 'row'; rowId: string; speaker: StagedParticipant; text: string }
  | { kind: 'row gone'; rowId: string }
  | { kind: 'captions'; areUp: boolean }
  | { kind: 'connection'; isLost: boolean }
  | { kind: 'chat'; from: StagedParticipant; text: string; messageId: string }
  | { kind: 'bytes'; channel: string; base64: string }
  | { kind: 'go'; url: string }

/** What a page tells. */
export const PAGE_ACTIONS = [
  'opened',
  'knocked',
  'entered',
  'captions on',
  'captions off',
  'left',
] as const
export type PageAction = (typeof PAGE_ACTIONS)[number]

export const PAGE_REPORT = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('deed'),
    guest: z.string(),
    did: z.enum(PAGE_ACTIONS),
    name: z.string().default(''),
  }),
  /** A data channel of the page has opened; the key tells it from others with the same label. */
  z.strictObject({
    kind: z.literal('channel'),
    guest: z.string(),
    label: z.string(),
    channel: z.string(),
  }),
  z.strictObject({
    kind: z.literal('bytes'),
    guest: z.string(),
    channel: z.string(),
    base64: z.string(),
  }),
  z.strictObject({ kind: z.literal('language'), guest: z.string(), language: z.string() }),
  z.strictObject({ kind: z.literal('chat'), guest: z.string(), text: z.string() }),
])
export type PageReport = z.output<typeof PAGE_REPORT>
