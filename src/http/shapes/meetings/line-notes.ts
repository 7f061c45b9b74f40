import { z } from 'zod'
import { MAX_COMMENT_LENGTH } from '../../../meetings/line-notes.ts'
import { Instant, MeetingId, Ordinal, RequestWarnings } from '../common.ts'

const LINE_TEXT = 'The number of the line in the transcript'
const CommentText = z
  .string()
  .trim()
  .min(1)
  .max(MAX_COMMENT_LENGTH)
  .meta({ pattern: '\\S', examples: ['Ask Ben about the price'] })
  .describe('Plain text; line breaks are kept')

const Comment = z
  .object({
    commentId: z.string(),
    segmentNumber: Ordinal.describe(LINE_TEXT),
    author: z
      .string()
      .describe('The name of the person, or of the service token')
      .meta({ examples: ['Ada'] }),
    text: z.string().meta({ examples: ['Ask Ben about the price'] }),
    createdAt: Instant,
    editedAt: Instant.nullable().describe('Null when it was never changed'),
    canEdit: z.boolean().describe('Whether the caller wrote it'),
    canDelete: z.boolean().describe('Whether the caller wrote it or is an owner of the project'),
  })
  .meta({ id: 'Comment' })

export const CommentsResponse = z.object({
  meetingId: MeetingId,
  comments: z.array(Comment).describe('In the order of the lines'),
})
export const AddCommentBody = z
  .object({
    segmentNumber: z.int().min(1).max(999_999_999).describe(LINE_TEXT),
    text: CommentText,
  })
  .meta({ examples: [{ segmentNumber: 12, text: 'Ask Ben about the price' }] })
export const UpdateCommentBody = z
  .object({ text: CommentText })
  .meta({ examples: [{ text: 'Ask Ben about the price' }] })
export const CommentResponse = z.object({ comment: Comment, warnings: RequestWarnings })
export const BookmarksResponse = z.object({
  meetingId: MeetingId,
  bookmarks: z
    .array(z.object({ segmentNumber: Ordinal.describe(LINE_TEXT), createdAt: Instant }))
    .describe('In the order of the lines'),
})
export type ApiComment = z.input<typeof Comment>
export type ApiBookmarks = z.input<typeof BookmarksResponse>
