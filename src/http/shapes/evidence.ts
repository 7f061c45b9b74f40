import { z } from 'zod'
import { Instant } from './common.ts'
import { MeetingParams } from './meetings.ts'

export const EvidenceResponse = z.object({
  evidence: z.array(
    z
      .object({
        number: z.int(),
        at: Instant,
        state: z.string().describe('What the page was taken for'),
        marks: z.array(z.string()).describe('By which marks'),
        survey: z
          .object({
            address: z.string().describe('Without query and fragment'),
            title: z.string(),
            language: z.string(),
            headings: z.array(z.string()),
            buttons: z.array(z.string()),
          })
          .describe('The page in words'),
        screenshot: z.string().nullable().describe('Path of a JPEG'),
      })
      .meta({ id: 'Evidence' }),
  ),
})

export const ScreenshotParams = MeetingParams.extend({
  number: z.string().regex(/^[1-9]\d{0,8}$/, 'Must be a number of the list'),
})

export type WireEvidence = z.input<typeof EvidenceResponse>['evidence'][number]
