import { z } from 'zod'
import { EDIT_KINDS } from '../../../meetings/editing/edit-history.ts'
import { Instant, MeetingId, Ordinal, RequestWarnings, NullableText } from '../common.ts'

/** Longer names are cut after cleaning, like names from platforms. */
const MAX_RAW_NAME_CHARS = 20_000

export const RenameSpeakerBody = z
  .object({
    from: z
      .string()
      .min(1)
      .max(MAX_RAW_NAME_CHARS)
      .describe('The name that the transcript shows')
      .meta({ examples: ['Speaker 2'] }),
    to: z
      .string()
      .min(1)
      .max(MAX_RAW_NAME_CHARS)
      .describe(
        'The new name. Control characters are removed, and at most 200 characters stay. If another speaker has it, both are shown as one',
      )
      .meta({ examples: ['Grace Hopper'] }),
  })
  .meta({ examples: [{ from: 'Speaker 2', to: 'Grace Hopper' }] })
export const RenameSpeakerResponse = z.object({
  meetingId: MeetingId,
  from: z.string().meta({ examples: ['Speaker 2'] }),
  to: z
    .string()
    .describe('The name as it is stored')
    .meta({ examples: ['Grace Hopper'] }),
  warnings: RequestWarnings,
})

export const EditsResponse = z.object({
  edits: z
    .array(
      z.object({
        editNumber: Ordinal.describe('Counts from 1 in each meeting'),
        kind: z.enum(EDIT_KINDS).meta({ examples: ['speaker'] }),
        from: NullableText.describe(
          'Null for a meeting that had no title; a start is in ISO 8601',
        ).meta({ examples: ['Speaker 2'] }),
        to: NullableText.meta({ examples: ['Grace Hopper'] }),
        at: Instant,
        by: z
          .string()
          .describe('Name of the person or API token at that time')
          .meta({ examples: ['Ada'] }),
        canUndo: z
          .boolean()
          .describe(
            'Whether it is the newest change of its kind that was not undone; other changes cannot be undone',
          ),
      }),
    )
    .describe('Newest first, at most 500'),
})

export const UndoEditResponse = z.object({ success: z.literal(true), meetingId: MeetingId })

export type ApiMeetingEdit = z.input<typeof EditsResponse>['edits'][number]
