import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../../errors.ts'
import type { Documents } from '../../../projects/documents.ts'
import { contentDisposition } from '../../../projects/files/file-names.ts'
import { isEtagInList, type Preconditions } from '../../../projects/files/etags.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { SuccessResponse } from '../../shapes/account.ts'
import { DocumentResponse, DocumentParams } from '../../shapes/projects.ts'
import type { FastifyApp } from '../../fastify-app.ts'

const tags = ['Projects']
const WRITE_ERRORS = ['document_not_found', 'path_taken', 'precondition_failed'] as const
/** As much as the index reads of a file. */
const MAX_DOCUMENT_BYTES = 1024 * 1024

/** Documents as they are, in and out. */
export function documentRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { documents }: { documents: Documents },
): void {
  const url = documentRoutePath(surface)

  app.get(
    url,
    {
      config: {
        ...surface.read,
        produces: 'text/markdown',
        emptyResponses: { 304: 'It is the one that If-None-Match names' },
        errorCodes: ['document_not_found'],
      },
      schema: { summary: 'One document, as it is', tags, params: DocumentParams },
    },
    async (request, reply) => {
      const { projectId, '*': path } = request.params
      const document = await documents.read(projectId, path)
      const { content, etag, modifiedAt, isText } = document
      if (etag !== null) void reply.header('etag', etag)
      const { 'if-none-match': known } = request.headers
      if (known !== undefined && isEtagInList(etag, known)) return reply.code(304).send()
      void reply.header('last-modified', modifiedAt.toUTCString()).type(mediaType(path, isText))
      // Whatever a browser might take for a page or a program of its own is only ever saved.
      if (!isText) void reply.header('content-disposition', contentDisposition(fileNameOf(path)))
      return reply.header('content-length', document.size).send(content)
    },
  )

  app.delete(
    url,
    {
      config: { ...surface.change, errorCodes: WRITE_ERRORS },
      schema: {
        summary: 'Remove a document',
        tags,
        params: DocumentParams,
        response: { 200: SuccessResponse },
      },
    },
    async (request) => {
      const { projectId, '*': path } = request.params
      await documents.remove(projectId, path, readPreconditions(request))
      return { success: true as const }
    },
  )

  // A scope of its own: nowhere else is a body anything but JSON.
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    const text = { parseAs: 'buffer', bodyLimit: MAX_DOCUMENT_BYTES } as const
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
    putDocumentRoute(scope, surface, documents)
  })
}

function documentRoutePath({ prefix }: ApiSurface): string {
  return `${prefix}/projects/:projectId/documents/*`
}

function putDocumentRoute(app: FastifyApp, surface: ApiSurface, documents: Documents): void {
  app.put(
    documentRoutePath(surface),
    {
      config: {
        ...surface.change,
        consumes: 'text/markdown',
        errorCodes: WRITE_ERRORS,
        // Which names a file may have is told in full.
        allowsUnstorableText: true,
      },
      bodyLimit: MAX_DOCUMENT_BYTES,
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
        response: { 200: DocumentResponse, 201: DocumentResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project, '*': path } = request.params
      const text = decodeUtf8Body(request.body)
      const place = { project, path }
      const written = await documents.write(place, text, readPreconditions(request))
      void reply.header('etag', written.etag)
      return reply.code(written.isNew ? 201 : 200).send({ project, document: written.document })
    },
  )
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8Body(body: unknown): string {
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

function readPreconditions({ headers }: FastifyRequest): Preconditions {
  return { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] }
}

function mediaType(path: string, isText: boolean): string {
  if (!isText) return 'application/octet-stream'
  return /\.(?:md|markdown)$/i.test(path)
    ? 'text/markdown; charset=utf-8'
    : 'text/plain; charset=utf-8'
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
