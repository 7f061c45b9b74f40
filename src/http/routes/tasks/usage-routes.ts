import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import type { Viewer } from '../../../access/viewer.ts'
import { invalidField } from '../../../errors.ts'
import { toCsvLine } from '../../../lib/text/csv.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { DAY_MS } from '../../../lib/time/durations.ts'
import { formatUtcDate, type UsageRow } from '../../../ai/usage.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { TaskUsageCsvQuery, TaskUsageQuery, TaskUsageResponse } from '../../shapes/usage.ts'

const DEFAULT_DAYS = 30
const COUNT_FIELDS = [
  'executions',
  'inputTokens',
  'cachedInputTokens',
  'outputTokens',
  'costUsd',
  'unpriced',
  'estimated',
] as const

type Parts = {
  usage(viewer: Viewer, from: string, to: string): Promise<UsageRow[]>
  clock: Clock
}

const CSV_TYPE = 'text/csv'

/** Token usage and cost of language models. */
export function modelUsageRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { usage, clock }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Tasks')

  routes.get('/usage', {
    subject: 'list',
    alsoProduces: [CSV_TYPE],
    summary: 'Tokens and cost by day, task and model',
    description:
      'Of the last 30 days by default. Generated clients that expect JSON get CSV from `/usage/csv`.',
    query: TaskUsageQuery,
    response: TaskUsageResponse,
    handler: async (request, reply) => {
      const { from, to } = resolveDays(request.query, clock.now())
      const rows = await usage(request.viewer, from, to)
      if (request.query.format === 'csv') return sendCsv(reply, rows) as never
      return { from, to, usage: rows.map(toUsageRow), total: sumUsage(rows) }
    },
  })

  routes.get('/usage/csv', {
    subject: 'list',
    produces: CSV_TYPE,
    summary: 'Tokens and cost by day, task and model, as CSV',
    description: 'The same as `/usage` with `format=csv`.',
    query: TaskUsageCsvQuery,
    handler: async (request, reply) => {
      const { from, to } = resolveDays(request.query, clock.now())
      return sendCsv(reply, await usage(request.viewer, from, to))
    },
  })
}

function resolveDays(
  query: z.output<typeof TaskUsageCsvQuery>,
  now: Date,
): { from: string; to: string } {
  const { to = formatUtcDate(now) } = query
  const { from = daysBefore(to, DEFAULT_DAYS - 1) } = query
  if (from <= to) return { from, to }
  throw invalidField('from', 'Must not be later than to')
}

function sendCsv(reply: FastifyReply, rows: readonly UsageRow[]): FastifyReply {
  return reply
    .type(`${CSV_TYPE}; charset=utf-8`)
    .serializer((text: string) => text)
    .send(toCsv(rows))
}

function toUsageRow({ taskName: task, ...row }: UsageRow) {
  return { task, ...row }
}

function sumUsage(rows: readonly UsageRow[]) {
  const total = (count: (typeof COUNT_FIELDS)[number]) =>
    rows.reduce((sum, row) => sum + (row[count] ?? 0), 0)
  const isPriced = rows.some(({ costUsd }) => costUsd !== null)
  return {
    executions: total('executions'),
    inputTokens: total('inputTokens'),
    cachedInputTokens: total('cachedInputTokens'),
    outputTokens: total('outputTokens'),
    costUsd: isPriced ? total('costUsd') : null,
    unpriced: total('unpriced'),
    estimated: total('estimated'),
  }
}

function toCsv(rows: readonly UsageRow[]): string {
  const head = toCsvLine(['day', 'task', 'model', ...COUNT_FIELDS])
  const lines = rows.map((row) =>
    toCsvLine(
      [row.day, row.taskName, row.model, ...COUNT_FIELDS.map((count) => row[count] ?? '')].map(
        String,
      ),
    ),
  )
  return [head, ...lines].join('')
}

function daysBefore(day: string, count: number): string {
  return formatUtcDate(new Date(Date.parse(day) - count * DAY_MS))
}
