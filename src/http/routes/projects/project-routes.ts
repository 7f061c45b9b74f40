import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Db } from '../../../db/database.ts'
import type { ListingPage } from '../../../db/page-cursor.ts'
import {
  listDocuments,
  listSubfolders,
  listSavedMeetings,
  listPageOfAllProjects,
  LISTING_BATCH_SIZE,
  requireProjectExists,
} from '../../../projects/listing.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'
import {
  DocumentsResponse,
  DocumentsQuery,
  Project,
  ProjectDocumentMetadata,
  ProjectParams,
  ProjectsResponse,
  ProjectsQuery,
  SavedMeeting,
  SavedMeetingsResponse,
} from '../../shapes/projects.ts'
import type { FastifyApp } from '../../fastify-app.ts'

const tags = ['Projects']
const JSON_TYPE = 'application/json; charset=utf-8'

/** Lists projects, their saved transcripts and their documents. The texts are served by document-routes.ts. */
export function projectRoutes(app: FastifyApp, surface: ApiSurface, { db }: { db: Db }): void {
  const config = surface.read
  documentListRoute(app, surface, db)

  app.get(
    `${surface.prefix}/projects`,
    {
      config,
      schema: {
        summary: 'Projects, by id',
        description: 'All of them, or one page with `limit` or `cursor`.',
        tags,
        querystring: ProjectsQuery,
        response: { 200: ProjectsResponse },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query
      const read = (most: number, from?: string) => listPageOfAllProjects(db, most, from)
      if (limit === undefined && cursor === undefined) {
        // Fastify does not encode a stream by the schema, so the list is encoded here.
        return reply.type(JSON_TYPE).send(streamWholeList({}, 'projects', Project, read) as never)
      }
      const { items: projects, nextCursor } = await read(resolvePageSize(limit), cursor)
      return { projects, nextCursor }
    },
  )

  app.get(
    `${surface.prefix}/projects/:projectId/meetings`,
    {
      config: { ...config, errorCodes: ['project_not_found'] },
      schema: {
        summary: 'Saved transcripts of a project, newest first',
        description: 'All of them, or one page with `limit` or `cursor`.',
        tags,
        params: ProjectParams,
        querystring: ProjectsQuery,
        response: { 200: SavedMeetingsResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project } = request.params
      const { limit, cursor } = request.query
      await requireProjectExists(db, project)
      const read = (most: number, from?: string) => listSavedMeetings(db, project, most, from)
      if (limit === undefined && cursor === undefined) {
        return reply
          .type(JSON_TYPE)
          .send(streamWholeList({ project }, 'meetings', SavedMeeting, read) as never)
      }
      const { items: meetings, nextCursor } = await read(resolvePageSize(limit), cursor)
      return { project, meetings, nextCursor }
    },
  )
}

function documentListRoute(app: FastifyApp, surface: ApiSurface, db: Db): void {
  app.get(
    `${surface.prefix}/projects/:projectId/documents`,
    {
      config: { ...surface.read, errorCodes: ['project_not_found'] },
      schema: {
        summary: 'Documents of a project, by path',
        description:
          'Those of the whole project, or of one folder with the names of its subfolders.',
        tags,
        params: ProjectParams,
        querystring: DocumentsQuery,
        response: { 200: DocumentsResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project } = request.params
      const { folder, limit, cursor } = request.query
      await requireProjectExists(db, project)
      const folders = folder === undefined ? undefined : await listSubfolders(db, project, folder)
      const head = { project, ...(folders && { folders }) }
      const read = (most: number, from?: string) =>
        listDocuments(db, { project, folder }, most, from)
      if (limit === undefined && cursor === undefined) {
        return reply
          .type(JSON_TYPE)
          .send(streamWholeList(head, 'documents', ProjectDocumentMetadata, read) as never)
      }
      const { items: documents, nextCursor } = await read(resolvePageSize(limit), cursor)
      return { ...head, documents, nextCursor }
    },
  )
}

/** Streams a whole list page by page, so that it is never completely in memory. */
function streamWholeList<Item>(
  head: Record<string, unknown>,
  name: string,
  shape: z.ZodType<Item>,
  read: (limit: number, cursor?: string) => Promise<ListingPage<Item>>,
): Readable {
  return Readable.from(
    (async function* pages() {
      yield JSON.stringify({ ...head, [name]: [] }).slice(0, -2)
      let cursor: string | undefined
      do {
        const { items, nextCursor } = await read(LISTING_BATCH_SIZE, cursor)
        const texts = items.map((item) => JSON.stringify(shape.encode(item)))
        if (texts.length > 0) yield (cursor === undefined ? '' : ',') + texts.join(',')
        cursor = nextCursor ?? undefined
      } while (cursor !== undefined)
      yield '],"nextCursor":null}'
    })(),
  )
}
