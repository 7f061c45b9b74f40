import { z } from 'zod'
import { Count, Instant, MeetingId, Ordinal, NullableText } from '../common.ts'
import {
  ACTION_ITEM_STATES,
  RECAP_DOCUMENT_STATES,
  RECAP_ITEM_SOURCES,
  RECAP_METHODS,
  RECAP_SECTIONS,
} from '../values.ts'

export const SegmentNumbers = z.array(Ordinal).describe('The segments it comes from')
export const Speaker = NullableText.describe('Null when the speaker is not known')
export const RecapItemId = z
  .string()
  .meta({ pattern: '^(?:item|action)_[0-9A-Za-z]+$', examples: ['item_4fJq0Zb1y9nB4Q2wKxT5'] })
export const EditedAt = Instant.nullable().describe(
  'When a person added or changed it; null if never',
)
export const Statement = z
  .object({
    id: RecapItemId,
    text: z.string(),
    speaker: Speaker,
    segmentNumbers: SegmentNumbers,
    editedAt: EditedAt,
  })
  .meta({ id: 'RecapStatement' })

const Decision = Statement.extend({
  reason: NullableText.describe('Why it was decided; null when nobody said it, and by rules'),
}).meta({ id: 'RecapDecision' })

const ActionId = z.string().meta({ pattern: '^action_[0-9A-Za-z]+$' })
export const DueDate = z.string().meta({ format: 'date' })

/** Something that a participant is to do. */
export const Action = z
  .object({
    actionId: ActionId,
    meetingId: MeetingId,
    text: z.string(),
    owner: NullableText.describe('Who does it; null when nobody was named').meta({
      examples: ['Ada'],
    }),
    dueText: NullableText.describe('The words that name the due date; null when none was said'),
    dueDate: DueDate.nullable().describe('Null when no due date is known'),
    state: z.enum(ACTION_ITEM_STATES),
    segmentNumbers: SegmentNumbers,
    source: z.enum(RECAP_ITEM_SOURCES).describe('What found it; `person`: a person added it'),
    createdAt: Instant,
    editedAt: EditedAt,
  })
  .meta({ id: 'Action' })

export const RecapResponse = z.object({
  meetingId: MeetingId,
  status: z
    .enum(['in_progress', 'completed'])
    .describe('`in_progress`: a newer recap of this meeting is being made'),
  method: z.enum(RECAP_METHODS).describe('`rules`: without a language model'),
  model: NullableText.describe('The language model; null for rules'),
  error: NullableText.describe(
    'Why the recap is by rules although a language model is configured, or that the model wrote in another language than it was asked to; else null',
  ),
  version: Ordinal.describe('Grows with every change'),
  madeAt: Instant,
  language: NullableText.describe('Language of the meeting; null when not known'),
  writtenLanguage: NullableText.describe(
    'Language of the texts; by rules that of the meeting; null when not known',
  ).meta({ examples: ['de'] }),
  title: NullableText.describe('A few words about the meeting, by a model; null by rules').meta({
    examples: ['Launch of the new search page'],
  }),
  sections: z
    .array(z.enum(RECAP_SECTIONS))
    .describe('The sections that it was made with, in the order in which they are shown'),
  summary: z
    .array(Statement.omit({ speaker: true }).meta({ id: 'RecapSentence' }))
    .describe('Three to six sentences, fewer when little was said, and those that people added'),
  decisions: z.array(Decision),
  actions: z.array(Action).describe('Without deleted ones'),
  openQuestions: z.array(Statement),
  topics: z.array(
    z.object({
      title: z.string(),
      startMs: Count.describe('Milliseconds since the start of the meeting'),
      endMs: Count,
      firstSegmentNumber: Ordinal,
      lastSegmentNumber: Ordinal,
    }),
  ),
  coverage: z
    .object({ segmentsRead: Count, segmentsTotal: Count })
    .describe('How much of the meeting was read; very long meetings are sampled'),
  droppedStatements: Count.describe(
    'Statements and topics of the model that are left out, because the segments they cite do not prove them',
  ),
  tokens: Count.describe('Tokens that the model has used'),
  costUsd: z.number().min(0).nullable().describe('Null when no cost is known'),
  documentState: z
    .enum(RECAP_DOCUMENT_STATES)
    .describe(
      'Whether the transcript document has the recap; `edited`: a person changed the document, so it was left as it is',
    ),
})

export const MakeRecapResponse = z.object({
  meetingId: MeetingId,
  status: z.literal('in_progress'),
})

/** The JSON form of the responses, with times as text, for the console. */
export type ApiRecap = z.input<typeof RecapResponse>
export type ApiAction = z.input<typeof Action>
