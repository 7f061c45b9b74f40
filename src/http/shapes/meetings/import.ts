import { z } from 'zod'
import { DEFAULT_PROJECT } from '../../../access/registered-projects.ts'
import { TimeZoneInput } from '../time-zone.ts'
import { Count, InstantText, MeetingId, ProjectId, RequestWarnings } from '../common.ts'
import { IMPORT_FORMATS, MEETING_PLATFORMS } from '../values.ts'
import { MeetingStatusField, NullableDocumentPath, RecapLanguageInput } from './meeting-fields.ts'

export const ImportTranscriptBody = z
  .object({
    content: z.string().describe('The text of the file, at most 20 MiB and 20,000 segments'),
    fileName: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('Gives a title, and for some products the start, if the file has none'),
    format: z
      .enum(IMPORT_FORMATS)
      .optional()
      .describe('Without it the format is recognised by the content'),
    title: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ pattern: '\\S' })
      .optional()
      .describe('Label for the meeting; default the title in the file, or its name'),
    project: ProjectId.meta({ default: DEFAULT_PROJECT })
      .optional()
      .describe('Project to save the transcript into'),
    startedAt: InstantText.optional().describe(
      'When the meeting started; default the start in the file. Without one the meeting ends now',
    ),
    timeZone: TimeZoneInput.optional().describe(
      'Time zone of dates in the file that name none; by default the time zone of the service',
    ),
    recapLanguage: RecapLanguageInput,
  })
  .meta({
    examples: [
      {
        content: 'WEBVTT\n\n00:00:01.500 --> 00:00:04.000\n<v Ada>Good morning.\n',
        fileName: 'weekly.vtt',
        startedAt: '2026-11-15T08:30:00Z',
      },
    ],
  })

export const ImportTranscriptResponse = z.object({
  meetingId: MeetingId,
  status: MeetingStatusField,
  platform: z.enum(MEETING_PLATFORMS),
  project: z.string(),
  documentPath: NullableDocumentPath,
  segmentCount: Count,
  format: z.enum(IMPORT_FORMATS).describe('The format that was read'),
  warnings: RequestWarnings,
})

export type ApiImportedTranscript = z.input<typeof ImportTranscriptResponse>
