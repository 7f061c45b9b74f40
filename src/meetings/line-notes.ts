import { sql } from 'kysely'
import { mayAccess, requireAccess } from '../access/subjects.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db, Tx } from '../db/database.ts'
import { countRows } from '../db/query-helpers.ts'
import { ServiceError } from '../errors.ts'
import { cleanText } from '../language/clean-text.ts'
import { newOrderedId } from '../lib/crypto.ts'
import type { Clock } from '../lib/time/clock.ts'
import { requireMeeting } from './record/meeting-store.ts'

type LineRef = { meetingId: string; segmentNumber: number }
type CommentRef = { meetingId: string; commentId: string }

/** Comments on lines of a transcript, seen by everyone who may read the meeting, and a person's own bookmarks. */
export type LineNotes = ReturnType<typeof createLineNotes>

type Parts = {
  db: Db
  clock: Clock
  /** Tells open consoles that the comments of a meeting have changed. */
  onCommentsChanged(meetingId: string): void
}

/** A line that a person has marked. Only that person sees the mark. */
type Bookmark = { segmentNumber: number; createdAt: Date }

type StoredComment = {
  id: string
  segmentNumber: number
  /** The author's current name. If the author was removed, the name from when the comment was written. */
  author: string
  text: string
  createdAt: Date
  editedAt: Date | null
}

/** A comment, and what its reader may do with it. */
export type Comment = StoredComment & { canEdit: boolean; canDelete: boolean }

/** Who writes a comment: a person (also with a personal API key) or a service token. */
export type CommentAuthor = { userId: string; name: string } | { tokenId: string; name: string }

export type CommentCaller = { viewer: Viewer; author: CommentAuthor }

const MAX_COMMENTS_PER_MEETING = 500

export const MAX_COMMENT_LENGTH = 2_000

const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/u

type NewComment = { meetingId: string; segmentNumber: number; text: string }

type CommentRow = Awaited<ReturnType<ReturnType<typeof createCommentQuery>['execute']>>[number]

export function createLineNotes({ db, clock, onCommentsChanged }: Parts) {
  return {
    listComments: (caller: CommentCaller, meetingId: string) => listComments(db, caller, meetingId),
    /** `beforeCommit` runs in the transaction that stores the comment. */
    async addComment(
      caller: CommentCaller,
      comment: LineRef & { text: string },
      beforeCommit: (tx: Tx, comment: Comment) => Promise<void>,
    ): Promise<Comment> {
      const added = await addComment(db, caller, comment, clock.now(), beforeCommit)
      onCommentsChanged(comment.meetingId)
      return added
    },
    async changeComment(
      caller: CommentCaller,
      change: CommentRef & { text: string },
    ): Promise<Comment> {
      const changed = await changeComment(db, caller, change, clock.now())
      onCommentsChanged(change.meetingId)
      return changed
    },
    async deleteComment(caller: CommentCaller, comment: CommentRef) {
      await deleteComment(db, caller, comment)
      onCommentsChanged(comment.meetingId)
    },
    listBookmarks: (viewer: Viewer, meetingId: string) => listBookmarks(db, viewer, meetingId),
    saveBookmark: (viewer: Viewer, line: LineRef) => saveBookmark(db, viewer, line, clock.now()),
    deleteBookmark: (viewer: Viewer, line: LineRef) => deleteBookmark(db, viewer, line),
  }
}

/** The viewer's bookmarks in a meeting, in the order of the lines. A service token has none. */
async function listBookmarks(db: Db, viewer: Viewer, meetingId: string): Promise<Bookmark[]> {
  await requireMeeting(db, meetingId)
  if (viewer.kind !== 'user') return []
  return db
    .selectFrom('line_bookmark as b')
    .leftJoin('set_aside_segment as aside', (join) =>
      join
        .onRef('aside.meeting_id', '=', 'b.meeting_id')
        .onRef('aside.number', '=', 'b.segment_number'),
    )
    .select((eb) => eb.fn.coalesce('aside.nearest', 'b.segment_number').as('segmentNumber'))
    .select((eb) => eb.fn.min('b.created_at').as('createdAt'))
    .where('b.user_id', '=', viewer.userId)
    .where('b.meeting_id', '=', meetingId)
    .groupBy('segmentNumber')
    .orderBy('segmentNumber')
    .execute()
}

/** Marks a line. Does nothing if the line is already marked. */
async function saveBookmark(
  db: Db,
  viewer: Viewer,
  { meetingId, segmentNumber }: { meetingId: string; segmentNumber: number },
  now: Date,
): Promise<void> {
  await requireLine(db, meetingId, segmentNumber)
  const userId = requirePerson(viewer)
  // Locks both rows. If the user or the meeting is being removed, nothing is stored and nothing fails.
  await sql`insert into line_bookmark (user_id, meeting_id, segment_number, created_at)
    select u.id, m.id, ${segmentNumber}::int, ${now}::timestamptz
    from app_user u, meeting m where u.id = ${userId} and m.id = ${meetingId}
    for key share on conflict do nothing`.execute(db)
}

async function deleteBookmark(
  db: Db,
  viewer: Viewer,
  { meetingId, segmentNumber }: { meetingId: string; segmentNumber: number },
): Promise<void> {
  await requireMeeting(db, meetingId)
  await db
    .deleteFrom('line_bookmark')
    .where('user_id', '=', requirePerson(viewer))
    .where('meeting_id', '=', meetingId)
    .where((eb) =>
      eb.or([
        eb('segment_number', '=', segmentNumber),
        eb('segment_number', 'in', (query) =>
          query
            .selectFrom('set_aside_segment')
            .select('number')
            .where('meeting_id', '=', meetingId)
            .where('nearest', '=', segmentNumber),
        ),
      ]),
    )
    .execute()
}

function requirePerson(viewer: Viewer): string {
  if (viewer.kind === 'user') return viewer.userId
  throw new ServiceError('forbidden', {
    hint: 'Bookmarks belong to people: use a personal API key',
  })
}

/** Reads the comments of a meeting in the order of the lines, oldest first for each line. */
export async function readCommentsOfMeeting(db: Db, meetingId: string): Promise<StoredComment[]> {
  const rows = await createCommentQuery(db, meetingId).execute()
  return rows.map(toStoredComment)
}

async function listComments(
  db: Db,
  { viewer, author }: CommentCaller,
  meetingId: string,
): Promise<Comment[]> {
  await requireMeeting(db, meetingId)
  const rows = await createCommentQuery(db, meetingId).execute()
  const subject = { kind: 'meeting', id: meetingId, action: 'manage' } as const
  const isOwner = rows.length > 0 && (await mayAccess(db, viewer, subject))
  return rows.map((row) => {
    const canEdit = isAuthor(row, author)
    return { ...toStoredComment(row), canEdit, canDelete: canEdit || isOwner }
  })
}

function addComment(
  db: Db,
  { viewer, author }: CommentCaller,
  { meetingId, segmentNumber, text }: NewComment,
  now: Date,
  beforeCommit: (tx: Tx, comment: Comment) => Promise<void>,
): Promise<Comment> {
  const cleaned = cleanCommentText(text)
  return db.transaction().execute(async (tx) => {
    await lockReadableMeeting(tx, viewer, meetingId)
    await requireLine(tx, meetingId, segmentNumber)
    const comments = tx.selectFrom('line_comment').where('meeting_id', '=', meetingId)
    if ((await countRows(comments)) >= MAX_COMMENTS_PER_MEETING)
      throw new ServiceError('too_many_comments')
    const id = newOrderedId('comment', now)
    await tx
      .insertInto('line_comment')
      .values({
        id,
        meeting_id: meetingId,
        segment_number: segmentNumber,
        author_id: 'userId' in author ? author.userId : null,
        token_id: 'tokenId' in author ? author.tokenId : null,
        author_name: author.name,
        text: cleaned,
        created_at: now,
        edited_at: null,
      })
      .execute()
    const stored = { id, segmentNumber, author: author.name, text: cleaned, createdAt: now }
    const comment = { ...stored, editedAt: null, canEdit: true, canDelete: true }
    await beforeCommit(tx, comment)
    return comment
  })
}

/** Changes the text of a comment. Only its author may. */
function changeComment(
  db: Db,
  { viewer, author }: CommentCaller,
  { meetingId, commentId, text }: { meetingId: string; commentId: string; text: string },
  now: Date,
): Promise<Comment> {
  const cleaned = cleanCommentText(text)
  return db.transaction().execute(async (tx) => {
    await lockReadableMeeting(tx, viewer, meetingId)
    const before = await requireComment(tx, meetingId, commentId)
    if (!isAuthor(before, author)) throw new ServiceError('forbidden')
    await tx
      .updateTable('line_comment')
      .set({ text: cleaned, edited_at: now })
      .where('id', '=', commentId)
      .execute()
    const comment = { ...toStoredComment(before), text: cleaned, editedAt: now }
    return { ...comment, canEdit: true, canDelete: true }
  })
}

/** Deletes a comment. Its author and the project's owners may. */
async function deleteComment(
  db: Db,
  { viewer, author }: CommentCaller,
  { meetingId, commentId }: { meetingId: string; commentId: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockReadableMeeting(tx, viewer, meetingId)
    const comment = await requireComment(tx, meetingId, commentId)
    if (!isAuthor(comment, author))
      await requireAccess(tx, viewer, { kind: 'meeting', id: meetingId, action: 'manage' })
    await tx.deleteFrom('line_comment').where('id', '=', commentId).execute()
  })
}

/**
 * Locks a meeting while one of its comments changes, so that the limit holds and the caller's rights cannot change. The
 * meeting may have been moved since the request was allowed. Lines can still be stored.
 */
async function lockReadableMeeting(tx: Tx, viewer: Viewer, meetingId: string): Promise<void> {
  const { rows } = await sql`select 1 from meeting where id = ${meetingId}
    for no key update`.execute(tx)
  if (rows.length === 0) throw new ServiceError('meeting_not_found')
  await requireAccess(tx, viewer, { kind: 'meeting', id: meetingId, action: 'read' })
}

function createCommentQuery(db: Db, meetingId: string) {
  return db
    .selectFrom('line_comment as c')
    .leftJoin('app_user as u', 'u.id', 'c.author_id')
    .leftJoin('set_aside_segment as aside', (join) =>
      join
        .onRef('aside.meeting_id', '=', 'c.meeting_id')
        .onRef('aside.number', '=', 'c.segment_number'),
    )
    .select(['c.id', 'c.text'])
    .select((eb) => eb.fn.coalesce('aside.nearest', 'c.segment_number').as('segmentNumber'))
    .select(['c.author_id as authorId', 'c.token_id as tokenId'])
    .select((eb) => eb.fn.coalesce('u.name', 'c.author_name').as('author'))
    .select(['c.created_at as createdAt', 'c.edited_at as editedAt'])
    .where('c.meeting_id', '=', meetingId)
    .orderBy('segmentNumber')
    .orderBy('c.created_at')
    .orderBy('c.id')
}

async function requireComment(db: Db, meetingId: string, commentId: string): Promise<CommentRow> {
  const row = await createCommentQuery(db, meetingId)
    .where('c.id', '=', commentId)
    .executeTakeFirst()
  if (row !== undefined) return row
  await requireMeeting(db, meetingId)
  throw new ServiceError('comment_not_found')
}

function isAuthor(row: CommentRow, author: CommentAuthor): boolean {
  return 'userId' in author ? row.authorId === author.userId : row.tokenId === author.tokenId
}

function toStoredComment({ id, segmentNumber, author, text, createdAt, editedAt }: CommentRow) {
  return { id, segmentNumber, author, text, createdAt, editedAt }
}

/** Throws unless the meeting exists and has a line with this number. */
async function requireLine(db: Db, meetingId: string, segmentNumber: number): Promise<void> {
  const segment = await db
    .selectFrom('segment')
    .select('number')
    .where('meeting_id', '=', meetingId)
    .where('number', '=', segmentNumber)
    .executeTakeFirst()
  if (segment !== undefined) return
  await requireMeeting(db, meetingId)
  throw new ServiceError('line_not_found')
}

/**
 * Cleans a comment for storing: removes invisible characters, which could hide text or change its direction, and keeps
 * line breaks. Throws if nothing is left.
 */
export function cleanCommentText(raw: string): string {
  const lines = raw.split(LINE_END).map(cleanText)
  const text = lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  if (text === '') {
    const message = 'Must contain visible text'
    throw new ServiceError('invalid_request', { details: [{ path: 'text', message }] })
  }
  return text
}
