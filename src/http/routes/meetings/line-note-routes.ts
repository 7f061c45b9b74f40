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
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { requireViewer } from '../../pipeline/access/caller.ts'
import { MEETING_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { addIdempotentPostRoute } from '../../pipeline/idempotency.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  AddCommentBody,
  BookmarkParams,
  BookmarksResponse,
  CommentParams,
  CommentResponse,
  CommentsResponse,
  UpdateCommentBody,
} from '../../shapes/meetings/line-notes.ts'
import { MeetingParams } from '../../shapes/meetings/meeting-fields.ts'

type Parts = { notes: LineNotes }

const TAGS = ['Meetings']
/** Everyone who may read a meeting may comment and bookmark its lines. */
const subject = MEETING_SUBJECT.read

/** Comments and bookmarks on lines of a transcript. */
export function lineNoteRoutes(app: FastifyApp, surface: ApiSurface, parts: Parts): void {
  commentListRoutes(app, surface, parts)
  commentChangeRoutes(app, surface, parts)
  bookmarkRoutes(app, surface, parts)
}

function commentListRoutes(app: FastifyApp, surface: ApiSurface, { notes }: Parts): void {
  const url = `${surface.prefix}/meetings/:meetingId/comments`

  app.get(
    url,
    {
      config: { ...surface.read, subject, errorCodes: ['meeting_not_found'] },
      schema: {
        summary: 'Comments on lines of a transcript',
        description: 'Everyone who may read the meeting sees them. A meeting has at most 500.',
        tags: TAGS,
        params: MeetingParams,
        response: { 200: CommentsResponse },
      },
    },
    async (request) => {
      const { meetingId } = request.params
      const comments = await notes.listComments(readCaller(request), meetingId)
      return { meetingId, comments: comments.map(toApiComment) }
    },
  )

  addIdempotentPostRoute(app, url, {
    config: {
      ...surface.change,
      subject,
      errorCodes: ['meeting_not_found', 'line_not_found', 'too_many_comments'],
    },
    schema: {
      summary: 'Comment on a line',
      description: 'Everyone who may read the meeting may comment, and sees it.',
      tags: TAGS,
      params: MeetingParams,
      body: AddCommentBody,
    },
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
}

function commentChangeRoutes(app: FastifyApp, surface: ApiSurface, { notes }: Parts): void {
  const url = `${surface.prefix}/meetings/:meetingId/comments/:commentId`
  const config = {
    ...surface.change,
    subject,
    errorCodes: ['meeting_not_found', 'comment_not_found', 'forbidden'],
  } as const

  app.patch(
    url,
    {
      config,
      schema: {
        summary: 'Change a comment',
        description: 'Only its author may.',
        tags: TAGS,
        params: CommentParams,
        body: UpdateCommentBody,
        response: { 200: CommentResponse },
      },
    },
    async (request) => {
      const change = { ...request.params, text: request.body.text }
      return { comment: toApiComment(await notes.changeComment(readCaller(request), change)) }
    },
  )

  app.delete(
    url,
    {
      config,
      schema: {
        summary: 'Delete a comment',
        description: 'Its author and owners of the project may. This cannot be undone.',
        tags: TAGS,
        params: CommentParams,
        response: { 200: SuccessResponse },
      },
    },
    async (request) => {
      await notes.deleteComment(readCaller(request), request.params)
      return { success: true as const }
    },
  )
}

function bookmarkRoutes(app: FastifyApp, surface: ApiSurface, { notes }: Parts): void {
  const url = `${surface.prefix}/meetings/:meetingId/bookmarks`

  app.get(
    url,
    {
      config: { ...surface.read, subject, errorCodes: ['meeting_not_found'] },
      schema: {
        summary: 'Your bookmarks in a transcript',
        description: 'Only you see them. A service token has none.',
        tags: TAGS,
        params: MeetingParams,
        response: { 200: BookmarksResponse },
      },
    },
    async (request) => {
      const { meetingId } = request.params
      return { meetingId, bookmarks: await notes.listBookmarks(requireViewer(request), meetingId) }
    },
  )

  app.put(
    `${url}/:segmentNumber`,
    {
      config: {
        ...surface.change,
        subject,
        errorCodes: ['meeting_not_found', 'line_not_found', 'forbidden'],
      },
      schema: {
        summary: 'Bookmark a line',
        description:
          'Only you see it. A line that you already bookmarked stays so. Service tokens cannot bookmark.',
        tags: TAGS,
        params: BookmarkParams,
        response: { 200: SuccessResponse },
      },
    },
    async (request) => {
      await notes.saveBookmark(requireViewer(request), request.params)
      return { success: true as const }
    },
  )

  app.delete(
    `${url}/:segmentNumber`,
    {
      config: { ...surface.change, subject, errorCodes: ['meeting_not_found', 'forbidden'] },
      schema: {
        summary: 'Remove a bookmark',
        description: 'Succeeds also when the line has none.',
        tags: TAGS,
        params: BookmarkParams,
        response: { 200: SuccessResponse },
      },
    },
    async (request) => {
      await notes.deleteBookmark(requireViewer(request), request.params)
      return { success: true as const }
    },
  )
}

function readCaller(request: FastifyRequest): CommentCaller {
  return { viewer: requireViewer(request), author: readAuthor(request) }
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
