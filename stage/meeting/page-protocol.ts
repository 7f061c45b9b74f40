import { z } from 'zod'
import type { Knobs } from './knobs.ts'

/** Every screen that a page can show. Both platforms have all of them. */
export const SCREENS = [
  'splash',
  'prejoin',
  'lobby',
  'host-absent',
  'call',
  'denied',
  'no-answer',
  'blocked',
  'bot-detected',
  'captcha',
  'sign-in',
  'bad-code',
  'removed',
  'emptied',
  'ended',
  'left',
  'away',
] as const
export type Screen = (typeof SCREENS)[number]

/** Prompts with which the stage can cover the lobby or the call. Their answers are in `pages/common/prompts.js`. */
export const PROMPTS = [
  'recorded',
  'notes',
  'shared',
  'consent',
  'still-there',
  'devices-off',
  'breakout',
  'tip',
] as const
export type Prompt = (typeof PROMPTS)[number]

/** Prompts whose answer a page reports. The page itself asks about a second device (knob `accountElsewhere`). */
const ANSWERED_PROMPTS = [...PROMPTS, 'second-device'] as const

/** A participant, with the ids that the wires of both platforms use. */
export type StagedParticipant = {
  id: string
  name: string
  isHost: boolean
  isSelf: boolean
  deviceId: string
  mri: string
  sourceId: number
}

/** What the stage sends to a page. */
export type StageEvent =
  | {
      kind: 'welcome'
      page: string
      room: string
      title: string
      callId: string
      deviceId: string
      knobs: Knobs
    }
  | { kind: 'screen'; screen: Screen }
  | { kind: 'prompt'; prompt: Prompt; isDeaf: boolean }
  | { kind: 'people'; people: readonly StagedParticipant[] }
  | { kind: 'row'; rowId: string; speaker: StagedParticipant; text: string }
  | { kind: 'row gone'; rowId: string }
  | { kind: 'captions'; areAvailable: boolean }
  | { kind: 'connection'; isLost: boolean }
  | {
      kind: 'sound'
      soundId: string
      speaker: StagedParticipant
      sampleRate: number
      base64: string
    }
  | { kind: 'tracks'; areLost: boolean }
  | { kind: 'chat'; from: StagedParticipant; text: string; messageId: string; by: Knobs['chatBy'] }
  | { kind: 'bytes'; channel: string; base64: string }
  | { kind: 'go'; url: string }

/** What a page reports to the stage. */
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
    kind: z.literal('action'),
    page: z.string(),
    action: z.enum(PAGE_ACTIONS),
    name: z.string().default(''),
  }),
  /** The page opened a data channel. `channel` is unique, `label` is not. */
  z.strictObject({
    kind: z.literal('channel'),
    page: z.string(),
    label: z.string(),
    channel: z.string(),
  }),
  z.strictObject({
    kind: z.literal('bytes'),
    page: z.string(),
    channel: z.string(),
    base64: z.string(),
  }),
  z.strictObject({ kind: z.literal('language'), page: z.string(), language: z.string() }),
  z.strictObject({ kind: z.literal('chat'), page: z.string(), text: z.string() }),
  z.strictObject({ kind: z.literal('played'), page: z.string(), soundId: z.string() }),
  z.strictObject({
    kind: z.literal('answer'),
    page: z.string(),
    prompt: z.enum(ANSWERED_PROMPTS),
    answer: z.string(),
  }),
])
export type PageReport = z.output<typeof PAGE_REPORT>
