import { z } from 'zod'
import { Count, Instant, MeetingId, Ordinal } from '../common.ts'
import { createIntegerParameterSchema, createLimitParameterSchema } from '../query-parameters.ts'

/** What the bot does with the meeting chat, in a start request. */
export const ChatOptionsInput = z.object({
  notice: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .meta({ pattern: '\\S' })
    .nullable()
    .optional()
    .describe(
      'Posted when the bot is admitted; `{name}` becomes its name; null: nothing. Default the setting HANSARD_CHAT_NOTICE',
    ),
  commands: z
    .boolean()
    .meta({ default: true })
    .optional()
    .describe(
      'Whether “hansard leave”, “hansard pause” and “hansard resume” in the chat are obeyed',
    ),
  store: z
    .boolean()
    .meta({ default: false })
    .optional()
    .describe('Whether the chat messages are stored with the meeting'),
})

export const DEFAULT_CHAT_LIMIT = 1_000

export const ChatQuery = z.object({
  after: createIntegerParameterSchema(0)
    .optional()
    .describe('Only messages after this message number'),
  limit: createLimitParameterSchema(DEFAULT_CHAT_LIMIT)
    .optional()
    .describe(`How many to return; a number above ${DEFAULT_CHAT_LIMIT} counts as that`),
})

export const ChatResponse = z.object({
  meetingId: MeetingId,
  isStored: z.boolean().describe('Whether the meeting was started with `chat.store`'),
  messages: z
    .array(
      z
        .object({
          messageNumber: Ordinal,
          author: z
            .string()
            .describe('Display name; empty when the platform did not say it')
            .meta({ examples: ['Ada'] }),
          text: z.string(),
          timestamp: Instant.describe('When the bot received it'),
        })
        .meta({ id: 'ChatMessage' }),
    )
    .describe('Oldest first'),
  total: Count.describe('Stored messages of the meeting'),
})

/** The JSON form of the response, with times as text, for the console. */
export type ApiChat = z.input<typeof ChatResponse>
