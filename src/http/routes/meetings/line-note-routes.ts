import { strict as assert } from 'node:assert'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../../db/database.ts'
import type {
  Comment,
  CommentAuthor,
  CommentCaller,
  LineNotes,
} from '../../../meetings/line-notes.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, type ApiRequest } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  AddCommentBody,
  BookmarksResponse,
  CommentResponse,
  CommentsResponse,
  UpdateCommentBody,
} from '../../shapes/meetings/line-notes.ts'

type Parts = { notes: LineNotes }

/** Everyone who may read a meeting may comment and bookmark its lines. */
const subject = MEETING_SUBJECT.read

/** Comments and bookmarks on lines of a transcript. */
export function lineNoteRoutes(app: FastifyApp, surface: ApiSurface, { notes }: Parts): void {
  const routes = defineRoutes(app, surface, 'Meetings')

  routes.get('/meetings/:meetingId/comments', {
    subject,
    summary: 'Comments on lines of a transcript',
    description: 'Everyone who may read the meeting sees them. A meeting has at most 500.',
    response: CommentsResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      const comments = await notes.listComments(readCaller(request), meetingId)
      return { meetingId, comments: comments.map(toApiComment) }
    },
  })

  routes.idempotentPost('/meetings/:meetingId/comments', {
    subject,
    errorCodes: ['line_not_found', 'too_many_comments'],
    summary: 'Comment on a line',
    description: 'Everyone who may read the meeting may comment, and sees it.',
    body: AddCommentBody,
    status: 201,
    response: CommentResponse,
    run(request, beforeCommit: (tx: Db, comment: Comment) => Promise<void>) {
      const { meetingId } = request.params
      const { segmentNumber, text } = request.body
      return notes.addComment(
        readCaller(request),
        { meetingId, segmentNumber, text },
        (tx, comment) => beforeCommit(tx, comment),
      )
    },
    toResponse: (comment) => ({ comment: toApiComment(comment) }),
  })

  routes.patch('/meetings/:meetingId/comments/:commentId', {
    subject,
    errorCodes: ['comment_not_found', 'forbidden'],
    summary: 'Change a comment',
    description: 'Only its author may.',
    body: UpdateCommentBody,
    response: CommentResponse,
    handler: async (request) => {
      const change = { ...request.params, text: request.body.text }
      return { comment: toApiComment(await notes.changeComment(readCaller(request), change)) }
    },
  })

  routes.delete('/meetings/:meetingId/comments/:commentId', {
    subject,
    errorCodes: ['comment_not_found', 'forbidden'],
    summary: 'Delete a comment',
    description: 'Its author and owners of the project may. This cannot be undone.',
    response: SuccessResponse,
    handler: async (request) => {
      await notes.deleteComment(readCaller(request), request.params)
    },
  })

  routes.get('/meetings/:meetingId/bookmarks', {
    subject,
    summary: 'Your bookmarks in a transcript',
    description: 'Only you see them. A service token has none.',
    response: BookmarksResponse,
    handler: async (request) => {
      const { meetingId } = request.params
      return { meetingId, bookmarks: await notes.listBookmarks(request.viewer, meetingId) }
    },
  })

  routes.put('/meetings/:meetingId/bookmarks/:segmentNumber', {
    subject,
    errorCodes: ['line_not_found', 'forbidden'],
    summary: 'Bookmark a line',
    description:
      'Only you see it. A line that you already bookmarked stays so. Service tokens cannot bookmark.',
    response: SuccessResponse,
    handler: async (request) => {
      await notes.saveBookmark(request.viewer, request.params)
    },
  })

  routes.delete('/meetings/:meetingId/bookmarks/:segmentNumber', {
    subject,
    errorCodes: ['forbidden'],
    summary: 'Remove a bookmark',
    description: 'Succeeds if the line has none, too.',
    response: SuccessResponse,
    handler: async (request) => {
      await notes.deleteBookmark(request.viewer, request.params)
    },
  })
}

function readCaller(request: ApiRequest): CommentCaller {
  return { viewer: request.viewer, author: readAuthor(request) }
}

/** A personal API key writes in its person's name, a service token in its own. */
function readAuthor({ signedIn, token }: FastifyRequest): CommentAuthor {
  if (token === null) {
    assert(signedIn)
    return { userId: signedIn.user.id, name: signedIn.user.name }
  }
  const { kind, creatorId, createdBy } = token
  if (kind === 'personal' && creatorId !== null)
    return { userId: creatorId, name: createdBy ?? token.name }
  return { tokenId: token.id, name: token.name }
}

function toApiComment({ id, ...comment }: Comment) {
  return { commentId: id, ...comment }
}
