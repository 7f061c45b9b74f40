import { z } from 'zod'
import { Count } from './common.ts'

const day = z.iso.date('Must be a date such as 2026-11-15')

export const TaskUsageCsvQuery = z.object({
  from: day.optional().describe('First day (UTC); default 29 days before the last'),
  to: day.optional().describe('Last day (UTC); default today'),
})
export const TaskUsageQuery = TaskUsageCsvQuery.extend({
  format: z.enum(['json', 'csv']).meta({ default: 'json' }).optional().describe('Media type'),
})

const date = z.string().meta({ format: 'date' })
const tokens = {
  executions: Count,
  inputTokens: Count.describe('As counted by the provider, including cached tokens'),
  cachedInputTokens: Count,
  outputTokens: Count,
  costUsd: z
    .number()
    .min(0)
    .nullable()
    .describe('Cost of the executions with a known price; null when there are none'),
  unpriced: Count.describe('Executions without a known price'),
  estimated: Count.describe(
    'Executions whose provider did not report all tokens; the rest is estimated',
  ),
}

export const TaskUsageResponse = z.object({
  from: date.describe('First day'),
  to: date.describe('Last day'),
  usage: z.array(
    z.object({ day: date, task: z.string(), model: z.string(), ...tokens }).meta({
      id: 'Usage',
    }),
  ),
  total: z.object(tokens),
})

export type ApiTaskUsage = z.input<typeof TaskUsageResponse>
