import type { FastifyRequest } from 'fastify'
import { ServiceError, invalidField } from '../../../errors.ts'
import type { DocumentStore } from '../../../projects/documents.ts'
import { isEtagInList, type Preconditions } from '../../../projects/files/concurrent-writes.ts'
import { formatContentDisposition } from '../../../projects/files/file-names.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { acceptOnlyEmptyBodies } from '../../pipeline/json-body.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import { DocumentResponse, DocumentParams } from '../../shapes/projects.ts'

const DOCUMENT_PATH = '/projects/:projectId/documents/*'
const WRITE_ERRORS = [
  'document_protected',
  'path_taken',
  'document_busy',
  'precondition_failed',
] as const
const MEDIA_TYPES = ['text/markdown', 'text/plain', 'application/octet-stream']
/** The largest document that a client may write; the search index has the same limit for files. */
const MAX_DOCUMENT_BYTES = 1024 * 1024

/** Reading, writing and removing documents as plain text. */
export function documentTextRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { documents }: { documents: DocumentStore },
): void {
  const routes = defineRoutes(app, surface, 'Projects')

  routes.get(DOCUMENT_PATH, {
    subject: PROJECT_SUBJECT.read,
    produces: 'text/markdown',
    alsoProduces: ['text/plain', 'application/octet-stream'],
    requestHeaders: ['If-None-Match'],
    responseHeaders: ['ETag', 'Last-Modified', 'Content-Disposition'],
    emptyResponses: { 304: 'The document is unchanged: its ETag is in If-None-Match' },
    allowsLongUrl: true,
    errorCodes: ['document_not_found'],
    summary: 'The text of one document',
    description: 'A file that is not UTF-8 text is sent as bytes.',
    params: DocumentParams,
    handler: async (request, reply) => {
      const { projectId, '*': path } = request.params
      const document = await documents.read(projectId, path)
      const { content, etag, modifiedAt, isText } = document
      if (etag !== null) void reply.header('etag', etag)
      const { 'if-none-match': etags } = request.headers
      if (etags !== undefined && isEtagInList(etag, etags)) return reply.code(304).send()
      void reply.header('last-modified', modifiedAt.toUTCString()).type(mediaType(path, isText))
      // A browser must download files that it could otherwise run as a page or script.
      if (!isText)
        void reply.header('content-disposition', formatContentDisposition(fileNameOf(path)))
      return reply.header('content-length', document.size).send(content)
    },
  })

  routes.delete(DOCUMENT_PATH, {
    subject: PROJECT_SUBJECT.edit,
    requestHeaders: ['If-Match', 'If-None-Match'],
    allowsLongUrl: true,
    errorCodes: ['document_not_found', ...WRITE_ERRORS],
    summary: 'Remove a document',
    description:
      'With If-Match only if you have seen its latest version. Transcripts cannot be removed.',
    params: DocumentParams,
    response: SuccessResponse,
    handler: async (request) => {
      const { projectId, '*': path } = request.params
      const conditions = readPreconditions(request)
      await documents.remove(projectId, path, conditions, readAuditActor(request))
    },
  })

  // Only this Fastify scope accepts bodies that are not JSON.
  void app.register(async (scope: FastifyApp) => {
    scope.removeAllContentTypeParsers()
    const text = { parseAs: 'buffer', bodyLimit: MAX_DOCUMENT_BYTES } as const
    scope.addContentTypeParser(MEDIA_TYPES, text, (_request, body, done) => {
      done(null, body)
    })
    acceptOnlyEmptyBodies(scope, documentNotText)
    putDocumentRoute(scope, surface, documents)
  })
}

function documentNotText(): ServiceError {
  return new ServiceError('unsupported_media_type', {
    text: 'The document was not sent as text',
    hint: 'Send the header Content-Type: text/markdown',
  })
}

function putDocumentRoute(app: FastifyApp, surface: ApiSurface, documents: DocumentStore): void {
  const routes = defineRoutes(app, surface, 'Projects')

  routes.put(DOCUMENT_PATH, {
    subject: PROJECT_SUBJECT.create,
    consumes: MEDIA_TYPES,
    requestHeaders: ['If-Match', 'If-None-Match'],
    responseHeaders: ['ETag'],
    allowsLongUrl: true,
    // The error of `documents.write` explains which file names are allowed.
    allowsUnstorableText: true,
    errorCodes: WRITE_ERRORS,
    summary: 'Create or replace a document',
    description:
      'The body is the text of the document, in UTF-8. Send If-Match or If-None-Match: * to avoid overwriting a change that you have not seen.',
    params: DocumentParams,
    status: [200, 201],
    response: DocumentResponse,
    bodyLimit: MAX_DOCUMENT_BYTES,
    tooLargeText: 'The document is larger than 1 MiB',
    handler: async (request, reply) => {
      const { projectId: project, '*': path } = request.params
      const text = decodeUtf8Body(request.body)
      const written = await documents.write(
        request.viewer,
        { project, path },
        text,
        readPreconditions(request),
      )
      void reply.header('etag', written.etag)
      return reply.code(written.isNew ? 201 : 200).send({ project, document: written.document })
    },
  })
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8Body(body: unknown): string {
  // A request without a body reaches no parser that makes a buffer.
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
  try {
    if (!bytes.includes(0)) return DECODER.decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  throw invalidField('body', 'Must be UTF-8 text without NUL characters')
}

/** Of a change that must not overwrite another one. */
export function readPreconditions({ headers }: FastifyRequest): Preconditions {
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
