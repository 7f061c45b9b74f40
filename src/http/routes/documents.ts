import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { Documents } from '../../projects/documents.ts'
import { contentDisposition } from '../../projects/names.ts'
import { isAmong, type Conditions } from '../../projects/versions.ts'
import type { Door } from '../doors.ts'
import { DoneAnswer } from '../shapes/account.ts'
import { DocumentAnswer, DocumentParams } from '../shapes/projects.ts'
import type { App } from '../type-provider.ts'

const tags = ['Projects']
const WRITE_ERRORS = ['document_not_found', 'path_taken', 'precondition_failed'] as const
/** As much as the index reads of a file. */
const MAX_DOCUMENT = 1024 * 1024

/** Documents as they are, in and out. */
export function documentRoutes(
  app: App,
  door: Door,
  { documents }: { documents: Documents },
): void {
  const url = pathBehind(door)

  app.get(
    url,
    {
      config: {
        ...door.read,
        produces: 'text/markdown',
        bare: { 304: 'It is the one that If-None-Match names' },
        mayFail: ['document_not_found'],
      },
      schema: { summary: 'One document, as it is', tags, params: DocumentParams },
    },
    async (request, reply) => {
      const { projectId, '*': path } = request.params
      const document = await documents.read(projectId, path)
      const { content, etag, modifiedAt, isText } = document
      if (etag !== null) void reply.header('etag', etag)
      const { 'if-none-match': known } = request.headers
      if (known !== undefined && isAmong(etag, known)) return reply.code(304).send()
      void reply.header('last-modified', modifiedAt.toUTCString()).type(mediaType(path, isText))
      // Whatever a browser might take for a page or a program of its own is only ever saved.
      if (!isText) void reply.header('content-disposition', contentDisposition(nameOf(path)))
      return reply.header('content-length', document.size).send(content)
    },
  )

  app.delete(
    url,
    {
      config: { ...door.change, mayFail: WRITE_ERRORS },
      schema: {
        summary: 'Remove a document',
        tags,
        params: DocumentParams,
        response: { 200: DoneAnswer },
      },
    },
    async (request) => {
      const { projectId, '*': path } = request.params
      await documents.remove(projectId, path, conditionsOf(request))
      return { success: true as const }
    },
  )

  // A scope of its own: nowhere else is a body anything but JSON.
  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    const text = { parseAs: 'buffer', bodyLimit: MAX_DOCUMENT } as const
    scope.addContentTypeParser(['text/markdown', 'text/plain'], text, (_request, body, done) => {
      done(null, body)
    })
    scope.addContentTypeParser('*', (_request, _payload, done) => {
      done(
        new ServiceError('unsupported_media_type', {
          text: 'A document must be sent as text',
          hint: 'Send the header Content-Type: text/markdown',
        }),
      )
    })
    putRoute(scope, door, documents)
  })
}

function pathBehind({ prefix }: Door): string {
  return `${prefix}/projects/:projectId/documents/*`
}

function putRoute(app: App, door: Door, documents: Documents): void {
  app.put(
    pathBehind(door),
    {
      config: {
        ...door.change,
        consumes: 'text/markdown',
        mayFail: WRITE_ERRORS,
        // Which names a file may have is told in full.
        takesAnyText: true,
      },
      bodyLimit: MAX_DOCUMENT,
      errorHandler: (error) => {
        // The limit is another one here than what the sentence of all other routes says.
        const isTooLarge = (error as { code?: string }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
        throw isTooLarge
          ? new ServiceError('body_too_large', { text: 'The document is larger than 1 MiB' })
          : error
      },
      schema: {
        summary: 'File a document',
        description:
          'The body is the text itself. If-Match and If-None-Match: * make sure that nothing is overwritten unseen.',
        tags,
        params: DocumentParams,
        response: { 200: DocumentAnswer, 201: DocumentAnswer },
      },
    },
    async (request, reply) => {
      const { projectId: project, '*': path } = request.params
      const text = textOf(request.body)
      const place = { project, path }
      const written = await documents.write(place, text, conditionsOf(request))
      void reply.header('etag', written.etag)
      return reply.code(written.isNew ? 201 : 200).send({ project, document: written.document })
    },
  )
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(body: unknown): string {
  // Without a body there is no content type either, and nobody who parsed it.
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  try {
    if (!bytes.includes(0)) return DECODER.decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  throw new ServiceError('invalid_request', {
    details: [{ path: 'body', message: 'Must be text in UTF-8' }],
  })
}

function conditionsOf({ headers }: FastifyRequest): Conditions {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] }
}

function mediaType(path: string, isText: boolean): string {
  if (!isText) return 'application/octet-stream'
  return /\.(?:md|markdown)$/i.test(path)
    ? 'text/markdown; charset=utf-8'
    : 'text/plain; charset=utf-8'
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
