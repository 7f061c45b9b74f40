import { z } from 'zod'
import { Instant, Ordinal } from '../common.ts'
import { MeetingParams } from './meeting-fields.ts'

export const EvidenceResponse = z.object({
  evidence: z.array(
    z
      .object({
        number: Ordinal,
        at: Instant,
        state: z.string().describe('The state that the bot recognised the page as'),
        marks: z.array(z.string()).describe('The page elements that identify the state'),
        survey: z
          .object({
            address: z.string().describe('URL of the page without query and fragment'),
            title: z.string(),
            language: z.string(),
            headings: z.array(z.string()),
            buttons: z.array(z.string()),
          })
          .describe('The texts of the page'),
        screenshot: z
          .string()
          .nullable()
          .describe('Path of the screenshot, a JPEG; null when there is none'),
      })
      .meta({ id: 'Evidence' }),
  ),
})

export const ScreenshotParams = MeetingParams.extend({
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'Must be the number of a listed piece of evidence')
    .describe('`number` of a listed piece of evidence'),
})

export type ApiEvidence = z.input<typeof EvidenceResponse>['evidence'][number]
