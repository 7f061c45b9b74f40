import { z } from 'zod'
import { Instant, Ordinal, NullableText } from '../common.ts'

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
        screenshot: NullableText.describe(
          'Path of the screenshot, a JPEG; null when there is none',
        ),
      })
      .meta({ id: 'Evidence' }),
  ),
})

export type ApiEvidence = z.input<typeof EvidenceResponse>['evidence'][number]
