import { z } from 'zod'
import { Instant, InstantInput, NextCursor, NullableText } from './common.ts'
import { createCursorParameterSchema, PageSizeParameter } from './query-parameters.ts'
import { AUDIT_ACTIONS, AUDIT_EXPORT_FORMATS } from './values.ts'

export const AuditEntry = z
  .object({
    id: z.string().meta({ examples: ['1042'] }),
    at: Instant,
    actor: z
      .string()
      .meta({ examples: ['user:usr_4fJq0Zb1y9nB4Q2wKxT5'] })
      .describe(
        'Who did it: `user:` or `token:` and an id, `command line`, `upkeep`, `sign-in provider`, or `nobody` before sign-in',
      ),
    actorName: NullableText.describe('Current name of the user or token'),
    actorEmail: NullableText.describe(
      'Current email address of the user, or the last one of a removed user',
    ),
    // Not the list of actions, so that a client of an older version can read newer entries.
    action: z.string().meta({ examples: ['role changed'] }),
    object: NullableText.meta({ examples: ['usr_9hT2kQm4xV7cLb0RzY3W'] }).describe(
      'Id of what was changed',
    ),
    objectName: NullableText.describe('Current name of the user or token of that id'),
    objectEmail: NullableText.describe(
      'Current email address of the user of that id, or the last one of a removed user',
    ),
    detail: NullableText.meta({ examples: ['member → admin'] }).describe(
      'What changed, if there is more to say',
    ),
    ip: NullableText.meta({ examples: ['192.0.2.7'] }).describe('IP address of the caller'),
  })
  .meta({ id: 'AuditEntry' })

const filter = {
  actor: z.string().min(1).max(200).optional().describe('Only what this actor did'),
  action: z.enum(AUDIT_ACTIONS).optional().describe('Only this action'),
  object: z.string().min(1).max(500).optional().describe('Only changes of the object with this id'),
  from: InstantInput.optional().describe('Only from this time on'),
  to: InstantInput.optional().describe('Only before this time'),
}

export const AuditQuery = z.object({
  ...filter,
  limit: PageSizeParameter,
  cursor: createCursorParameterSchema(100),
})
export const AuditExportQuery = z.object({
  ...filter,
  format: z
    .enum(AUDIT_EXPORT_FORMATS)
    .meta({ default: 'csv' })
    .optional()
    .describe('`csv`, or `jsonl` for one JSON object on each line'),
})
export const AuditResponse = z.object({ entries: z.array(AuditEntry), nextCursor: NextCursor })

export type ApiAuditEntry = z.input<typeof AuditEntry>
