import { z } from 'zod'
import { RequestWarnings } from './common.ts'
import { OFFICIAL_MODES } from './values.ts'

const officialTranscripts = z
  .enum(OFFICIAL_MODES)
  .describe(
    'What happens when the official transcript of a meeting that a bot attended is found. `keep`: Hansard stores it, and the meeting stays as it is; `fill`: it adds lines where the bot recorded nothing; `replace`: it replaces the bot’s lines while it lasts',
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
