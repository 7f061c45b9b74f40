import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import { requireAccess } from '../../../access/subjects.ts'
import type { Db } from '../../../db/database.ts'
import type { ListingPage } from '../../../db/page-cursor.ts'
import {
  listDocuments,
  listSubfolders,
  listSavedMeetings,
  listPageOfProjects,
  LISTING_BATCH_SIZE,
  requireProjectExists,
} from '../../../projects/listing.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, type ApiRequest } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  DocumentsResponse,
  DocumentsQuery,
  Project,
  ProjectDocumentMetadata,
  ProjectsResponse,
  ProjectsQuery,
  SavedMeeting,
  SavedMeetingsResponse,
} from '../../shapes/projects.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Lists projects, their saved transcripts and their documents. document-routes.ts serves the texts. */
export function projectRoutes(app: FastifyApp, surface: ApiSurface, { db }: { db: Db }): void {
  const routes = defineRoutes(app, surface, 'Projects')

  routes.get('/projects/:projectId/documents', {
    subject: PROJECT_SUBJECT.read,
    summary: 'Documents of a project, by path',
    description:
      'Lists the documents of the whole project, or of one folder with the names of its subfolders.',
    query: DocumentsQuery,
    response: DocumentsResponse,
    handler: async (request, reply) => {
      const { projectId: project } = request.params
      const { folder } = request.query
      await requireProjectExists(db, project)
      const folders = folder === undefined ? undefined : await listSubfolders(db, project, folder)
      return sendWholeListOrPage(reply, request.query, {
        head: { project, ...(folders && { folders }) },
        name: 'documents',
        shape: ProjectDocumentMetadata,
        async read(limit, cursor) {
          await requireStillReadable(db, request, project, cursor)
          return listDocuments(db, { project, folder }, limit, cursor)
        },
      })
    },
  })

  routes.get('/projects', {
    subject: 'list',
    summary: 'Projects, by id',
    description: 'All of them, or one page with `limit` or `cursor`.',
    query: ProjectsQuery,
    response: ProjectsResponse,
    handler: async (request, reply) => {
      const viewer = request.viewer
      return sendWholeListOrPage(reply, request.query, {
        head: {},
        name: 'projects',
        shape: Project,
        read: (limit, cursor) => listPageOfProjects(db, viewer, limit, cursor),
      })
    },
  })

  routes.get('/projects/:projectId/meetings', {
    subject: PROJECT_SUBJECT.read,
    summary: 'Saved transcripts of a project, newest first',
    description: 'All of them, or one page with `limit` or `cursor`.',
    query: ProjectsQuery,
    response: SavedMeetingsResponse,
    handler: async (request, reply) => {
      const { projectId: project } = request.params
      await requireProjectExists(db, project)
      return sendWholeListOrPage(reply, request.query, {
        head: { project },
        name: 'meetings',
        shape: SavedMeeting,
        async read(limit, cursor) {
          await requireStillReadable(db, request, project, cursor)
          return listSavedMeetings(db, project, limit, cursor)
        },
      })
    },
  })
}

/** The pages of a whole list are read one after the other. The caller may lose access meanwhile. */
async function requireStillReadable(
  db: Db,
  request: ApiRequest,
  project: string,
  cursor: string | undefined,
): Promise<void> {
  if (cursor === undefined) return
  await requireAccess(db, request.viewer, { kind: 'project', id: project, action: 'read' })
}

/** A list in a response: the fields before it, its field name, and the shape and source of its items. */
type Listing<Item> = {
  head: Record<string, unknown>
  name: string
  shape: z.ZodType<Item>
  read(limit: number, cursor?: string): Promise<ListingPage<Item>>
}

/** Sends one page if the query has `limit` or `cursor`, otherwise the whole list. */
async function sendWholeListOrPage<Item>(
  reply: FastifyReply,
  { limit, cursor }: z.output<typeof ProjectsQuery>,
  listing: Listing<Item>,
): Promise<never> {
  if (limit === undefined && cursor === undefined)
    // Fastify does not encode a stream with the schema, so the generator encodes each item.
    return reply.type(JSON_TYPE).send(streamWholeList(listing)) as never
  const { items, nextCursor } = await listing.read(resolvePageSize(limit), cursor)
  return { ...listing.head, [listing.name]: items, nextCursor } as never
}

/** Streams a whole list page by page, so that it is never completely in memory. */
function streamWholeList<Item>({ head, name, shape, read }: Listing<Item>): Readable {
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
