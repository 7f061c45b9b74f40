import { z } from 'zod'
import { PLATFORM_END_REASONS, type PlatformEndReason } from '../../platform.ts'

/** A practice meeting as data; scripts/README.md describes the format. */
export type MeetingScript = z.output<typeof SCRIPT_SCHEMA>
export type ScriptStep = z.output<typeof STEP>
export type RepeatStep = z.output<typeof REPEAT>
export type SayStep = Extract<ScriptStep, { do: 'say' }>
export type PlaceholderWords = z.output<typeof WORDS>

/** Ids inside a repetition may contain placeholders. */
const ID = z.string().regex(/^[a-z0-9{}-]{1,40}$/)
const NAME = z.string().min(1)
const AT = z.number().min(0)
const TIMES = z.int().min(1).max(1_000)
const WORDS = z.record(z.string(), z.array(z.string()).min(1))

const STEP = z.discriminatedUnion('do', [
  z.strictObject({ at: AT, do: z.literal('lobby') }),
  z.strictObject({ at: AT, do: z.literal('admitted') }),
  z.strictObject({ at: AT, do: z.literal('join'), who: z.array(ID).min(1) }),
  z.strictObject({ at: AT, do: z.literal('leave'), who: z.array(ID).min(1) }),
  z.strictObject({
    at: AT,
    do: z.literal('caption'),
    captionId: ID,
    speaker: ID,
    text: z.string(),
    version: z.int().exactOptional(),
    isFinal: z.boolean().exactOptional(),
    isGone: z.boolean().exactOptional(),
    twinOf: ID.exactOptional(),
  }),
  z.strictObject({
    at: AT,
    do: z.literal('say'),
    captionId: ID,
    speaker: ID,
    via: z.array(z.string().min(1)).default([]),
    text: z.string().min(1),
    more: z.strictObject({ times: TIMES, words: WORDS, text: z.string().min(1) }).exactOptional(),
    isVersioned: z.boolean().default(false),
  }),
  z.strictObject({ at: AT, do: z.literal('captions lost'), detail: z.string() }),
  z.strictObject({ at: AT, do: z.literal('captions back') }),
  z.strictObject({
    at: AT,
    do: z.literal('over'),
    because: z.enum(
      Object.keys(PLATFORM_END_REASONS) as [PlatformEndReason, ...PlatformEndReason[]],
    ),
    detail: z.string().exactOptional(),
  }),
])

const REPEAT = z.strictObject({
  at: AT,
  do: z.literal('repeat'),
  times: TIMES,
  first: z.int().min(1).default(1),
  every: z.number().positive(),
  words: WORDS.default({}),
  steps: z.array(STEP).min(1),
})

export const SCRIPT_SCHEMA = z.strictObject({
  about: z.string().min(1),
  people: z.array(z.strictObject({ id: ID, name: NAME, isHost: z.boolean().exactOptional() })),
  steps: z.array(z.discriminatedUnion('do', [STEP, REPEAT])).min(1),
})
