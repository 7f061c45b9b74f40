import { z } from 'zod'
import { RequestWarnings } from './common.ts'
import { OFFICIAL_MODES } from './values.ts'

const officialTranscripts = z
  .enum(OFFICIAL_MODES)
  .describe(
    'What happens when the official transcript of a meeting that a bot attended is found. `keep`: it is stored, and nothing changes; `fill`: its lines fill the times at which nothing was recorded; `replace`: its lines replace those of the time that it covers',
  )
  .meta({ examples: ['fill'] })

export const TranscriptSettingsResponse = z.object({
  project: z.string(),
  officialTranscripts,
  warnings: RequestWarnings,
})

export const UpdateTranscriptSettingsBody = z
  .object({ officialTranscripts })
  .meta({ examples: [{ officialTranscripts: 'replace' }] })

/** The JSON form of the response, for the console. */
export type ApiTranscriptSettings = z.input<typeof TranscriptSettingsResponse>
