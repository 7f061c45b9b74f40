import { Readable } from 'node:stream'
import { z } from 'zod'
import type { AuditEntry as Entry, AuditLog } from '../../../accounts/audit.ts'
import { toCsvLine } from '../../../lib/text/csv.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { AuditEntry, AuditExportQuery, AuditQuery, AuditResponse } from '../../shapes/audit.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'
import type { AuditExportFormat } from '../../shapes/values.ts'

const WHO_MAY =
  'Needs a key that is not restricted to scopes or projects: a service token, or a personal token of an admin. It stops working when its creator is no longer an admin.'

const EXPORTS: Record<
  AuditExportFormat,
  { mediaType: string; head: string; line(entry: Entry): string }
> = {
  csv: {
    mediaType: 'text/csv',
    head: toCsvLine(Object.keys(AuditEntry.shape)),
    line: (entry) => toCsvLine(Object.values(toApiEntry(entry)).map((value) => value ?? '')),
  },
  jsonl: {
    mediaType: 'application/x-ndjson',
    head: '',
    line: (entry) => `${JSON.stringify(toApiEntry(entry))}\n`,
  },
}

/** The audit log, for admins and for programs with an admin's key. */
export function auditRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { auditLog }: { auditLog: AuditLog },
): void {
  const routes = defineRoutes(app, surface, 'Account')

  routes.get('/audit', {
    summary: 'The audit log, newest first',
    description: `Sign-ins and changes of people, API tokens, projects, share links, bot accounts and backups. ${WHO_MAY}`,
    query: AuditQuery,
    response: AuditResponse,
    handler: async (request) => {
      const { limit, cursor, ...filter } = request.query
      const { items, nextCursor } = await auditLog.list(filter, resolvePageSize(limit), cursor)
      return { entries: items, nextCursor }
    },
  })

  routes.get('/audit/export', {
    produces: EXPORTS.csv.mediaType,
    alsoProduces: [EXPORTS.jsonl.mediaType],
    responseHeaders: ['Content-Disposition'],
    summary: 'All matching entries of the audit log as a file',
    description: `The newest first. ${WHO_MAY}`,
    query: AuditExportQuery,
    handler: async (request, reply) => {
      const { format = 'csv', ...filter } = request.query
      const { mediaType } = EXPORTS[format]
      return reply
        .type(`${mediaType}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="audit.${format}"`)
        .send(Readable.from(writeEntries(format, auditLog.stream(filter))))
    },
  })
}

async function* writeEntries(
  format: AuditExportFormat,
  entries: AsyncIterable<Entry>,
): AsyncGenerator<string> {
  const { head, line } = EXPORTS[format]
  if (head !== '') yield head
  for await (const entry of entries) yield line(entry)
}

/** The entry with its fields in the order of the shape, which is the order of the columns. */
function toApiEntry(entry: Entry): Record<string, string | null> {
  return z.encode(AuditEntry, entry)
}
