import { z } from 'zod'
import { OVER_REASONS, type OverReason } from '../platform.ts'
import { problemsOf } from './check.ts'

/** A meeting as data; scripts/README.md describes the format. */
export type Script = z.output<typeof SCRIPT>
export type Step = z.output<typeof STEP>
export type Repeat = z.output<typeof REPEAT>
export type Say = Extract<Step, { do: 'say' }>
export type Words = z.output<typeof WORDS>

/** Ids within a repetition hold placeholders. */
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
    because: z.enum(Object.keys(OVER_REASONS) as [OverReason, ...OverReason[]]),
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

const SCRIPT = z.strictObject({
  about: z.string().min(1),
  people: z.array(z.strictObject({ id: ID, name: NAME, isHost: z.boolean().exactOptional() })),
  steps: z.array(z.discriminatedUnion('do', [STEP, REPEAT])).min(1),
})

/** Throws with every problem of a script: a script that passes can be played to its end. */
export function parseScript(raw: unknown): Script {
  const { data, error } = SCRIPT.safeParse(raw)
  if (error) throw new Error(z.prettifyError(error))
  const problems = problemsOf(data)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return data
}
