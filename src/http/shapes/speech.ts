import { z } from 'zod'
import { Count } from './common.ts'

/** Speech recognition on the node that sent the response. */
export const SpeechStatusResponse = z.object({
  isOn: z.boolean(),
  state: z.enum(['installed', 'absent', 'outdated', 'damaged']),
  runtime: z.enum(['native', 'webassembly']).nullable(),
  sizeBytes: Count,
  problem: z.string().nullable(),
  endpointUrl: z.string().nullable(),
  installation: z.object({
    phase: z.enum(['none', 'running', 'done', 'failed']),
    detail: z.string().nullable(),
    fix: z.string().nullable(),
  }),
})

export type WireSpeechStatus = z.input<typeof SpeechStatusResponse>
