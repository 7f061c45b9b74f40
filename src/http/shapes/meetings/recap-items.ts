import { z } from 'zod'
import { Instant, InstantInput, NextCursor, RequestWarnings, NullableText } from '../common.ts'
import { createCursorParameterSchema, PageSizeParameter } from '../query-parameters.ts'
import { RECAP_ITEM_KINDS } from '../values.ts'
import { MeetingIdInput } from './meeting-fields.ts'
import { DueDateInput, PersonInput, SegmentNumbersInput, VisibleTextInput } from './recap-fields.ts'
import { EditedAt, RecapItemId, SegmentNumbers, Speaker, Statement } from './recap.ts'

const SpeakerInput = PersonInput.nullable()
  .optional()
  .describe('Who said it; null for nobody. Not for action items')
const OwnerInput = PersonInput.nullable()
  .optional()
  .describe('Who does it; null for nobody. Only for action items')
const ItemDueDate = DueDateInput.nullable()
  .optional()
  .describe('Null for no due date. Only for action items')

/** An entry of a recap, of any kind. */
const RecapItem = z
  .object({
    id: RecapItemId,
    kind: z.enum(RECAP_ITEM_KINDS),
    text: z.string(),
    speaker: Speaker,
    owner: NullableText.describe('Who does it; null when nobody was named'),
    dueDate: NullableText.describe('Null when no due date is known').meta({ format: 'date' }),
    segmentNumbers: SegmentNumbers,
    editedAt: EditedAt,
  })
  .meta({ id: 'RecapItem' })

export const AddRecapItemBody = z
  .object({
    kind: z.enum(RECAP_ITEM_KINDS),
    text: VisibleTextInput,
    segmentNumbers: SegmentNumbersInput,
    speaker: SpeakerInput,
    owner: OwnerInput,
    dueDate: ItemDueDate,
  })
  .meta({
    examples: [{ kind: 'decision', text: 'The release moves to Friday.', segmentNumbers: [12] }],
  })
export const UpdateRecapItemBody = z
  .object({
    text: VisibleTextInput.optional(),
    segmentNumbers: SegmentNumbersInput.optional(),
    speaker: SpeakerInput,
    owner: OwnerInput,
    dueDate: ItemDueDate,
  })
  .meta({ examples: [{ text: 'The release moves to Friday.' }] })
export const RecapItemResponse = z.object({ item: RecapItem, warnings: RequestWarnings })

/** A decision and the meeting where it was made. */
const ListedDecision = Statement.extend({
  meetingId: z.string().meta({ pattern: '^meeting_[0-9a-z]+_[0-9A-Za-z]+$' }),
  meetingTitle: z.string().meta({ examples: ['Planning'] }),
  project: z.string(),
  meetingStartedAt: Instant,
}).meta({ id: 'ListedDecision' })

export const DecisionsQuery = z.object({
  project: z.string().min(1).max(64).optional().describe('Only decisions of this project'),
  meetingId: MeetingIdInput.optional().describe('Only decisions of this meeting'),
  speaker: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name of the speaker')
    .meta({ examples: ['Ada'] }),
  from: InstantInput.optional().describe(
    'Only decisions of meetings that started at this time or later',
  ),
  to: InstantInput.optional().describe('Only decisions of meetings that started before this time'),
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(400),
})
export const DecisionsResponse = z.object({
  decisions: z.array(ListedDecision),
  nextCursor: NextCursor,
})

export type ApiListedDecision = z.input<typeof ListedDecision>
