import { ServiceError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { dayOf, type UsageRow } from '../../tasks/usage.ts'
import type { Door } from '../doors.ts'
import { UsageAnswer, UsageQuery } from '../shapes/usage.ts'
import type { App } from '../type-provider.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const COUNTS = [
  'executions',
  'inputTokens',
  'cachedInputTokens',
  'outputTokens',
  'costUsd',
  'unpriced',
] as const

type Parts = { usage(from: string, to: string): Promise<UsageRow[]>; clock: Clock }

/** What language models have used. */
export function usageRoutes(app: App, door: Door, { usage, clock }: Parts): void {
  app.get(
    `${door.prefix}/usage`,
    {
      config: { ...door.read, alsoProduces: ['text/csv'] },
      schema: {
        summary: 'Tokens and cost by day, task and model',
        tags: ['Tasks'],
        querystring: UsageQuery,
        response: { 200: UsageAnswer },
      },
    },
    async (request, reply) => {
      const { to = dayOf(clock.now()), format } = request.query
      const { from = daysBefore(to, DEFAULT_DAYS - 1) } = request.query
      if (from > to) {
        throw new ServiceError('invalid_request', {
          details: [{ path: 'from', message: 'Must not be later than to' }],
        })
      }
      const rows = await usage(from, to)
      if (format === 'csv') {
        return reply
          .type('text/csv; charset=utf-8')
          .serializer((text: string) => text)
          .send(toCsv(rows) as never)
      }
      return { from, to, usage: rows.map(toWire), total: totalOf(rows) }
    },
  )
}

function toWire({ taskName: task, ...row }: UsageRow) {
  return { task, ...row }
}

function totalOf(rows: readonly UsageRow[]) {
  const total = (count: (typeof COUNTS)[number]) =>
    rows.reduce((sum, row) => sum + (row[count] ?? 0), 0)
  const isPriced = rows.some(({ costUsd }) => costUsd !== null)
  return {
    executions: total('executions'),
    inputTokens: total('inputTokens'),
    cachedInputTokens: total('cachedInputTokens'),
    outputTokens: total('outputTokens'),
    costUsd: isPriced ? total('costUsd') : null,
    unpriced: total('unpriced'),
  }
}

/** Names of tasks and models have no commas, quotes or line breaks. */
function toCsv(rows: readonly UsageRow[]): string {
  const head = ['day', 'task', 'model', ...COUNTS].join(',')
  const lines = rows.map((row) =>
    [row.day, row.taskName, row.model, ...COUNTS.map((count) => row[count] ?? '')]
      .map((cell) => (/[",\n\r]/.test(String(cell)) ? JSON.stringify(cell) : cell))
      .join(','),
  )
  return `${[head, ...lines].join('\r\n')}\r\n`
}

function daysBefore(day: string, count: number): string {
  return dayOf(new Date(Date.parse(day) - count * DAY_MS))
}
