import { z } from 'zod'

const day = z.iso.date('Must be a date such as 2026-11-15')

export const TaskUsageQuery = z.object({
  from: day.optional().describe('First day (UTC); default 29 days before the last'),
  to: day.optional().describe('Last day; default today'),
  format: z.enum(['json', 'csv']).optional(),
})

const tokens = {
  executions: z.int(),
  inputTokens: z.int(),
  cachedInputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z
    .number()
    .nullable()
    .describe('Cost of the executions with a known price; null when there are none'),
  unpriced: z.int().describe('Executions without a known price'),
  estimated: z
    .int()
    .describe('Executions whose provider did not report all tokens; the rest is estimated'),
}

export const TaskUsageResponse = z.object({
  from: z.string(),
  to: z.string(),
  usage: z.array(
    z.object({ day: z.string(), task: z.string(), model: z.string(), ...tokens }).meta({
      id: 'Usage',
    }),
  ),
  total: z.object(tokens),
})

export type WireTaskUsage = z.input<typeof TaskUsageResponse>
