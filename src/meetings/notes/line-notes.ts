import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { deleteBookmark, listBookmarks, saveBookmark, type Bookmark } from './bookmarks.ts'
import {
  addComment,
  changeComment,
  deleteComment,
  listComments,
  type Comment,
  type CommentCaller,
} from './comments.ts'

type LineRef = { meetingId: string; segmentNumber: number }
type CommentRef = { meetingId: string; commentId: string }

/** Comments on lines of a transcript, which everyone who may read the meeting sees, and a person's own bookmarks. */
export interface LineNotes {
  listComments(caller: CommentCaller, meetingId: string): Promise<Comment[]>
  /** `beforeCommit` runs in the transaction that stores the comment. */
  addComment(
    caller: CommentCaller,
    comment: LineRef & { text: string },
    beforeCommit: (tx: Tx, comment: Comment) => Promise<void>,
  ): Promise<Comment>
  changeComment(caller: CommentCaller, change: CommentRef & { text: string }): Promise<Comment>
  deleteComment(caller: CommentCaller, comment: CommentRef): Promise<void>
  listBookmarks(viewer: Viewer, meetingId: string): Promise<Bookmark[]>
  saveBookmark(viewer: Viewer, line: LineRef): Promise<void>
  deleteBookmark(viewer: Viewer, line: LineRef): Promise<void>
}

type Parts = {
  db: Db
  clock: Clock
  /** Tells open consoles that the comments of a meeting have changed. */
  onCommentsChanged(meetingId: string): void
}

export function createLineNotes({ db, clock, onCommentsChanged }: Parts): LineNotes {
  return {
    listComments: (caller, meetingId) => listComments(db, caller, meetingId),
    async addComment(caller, comment, beforeCommit) {
      const added = await addComment(db, caller, comment, clock.now(), beforeCommit)
      onCommentsChanged(comment.meetingId)
      return added
    },
    async changeComment(caller, change) {
      const changed = await changeComment(db, caller, change, clock.now())
      onCommentsChanged(change.meetingId)
      return changed
    },
    async deleteComment(caller, comment) {
      await deleteComment(db, caller, comment)
      onCommentsChanged(comment.meetingId)
    },
    listBookmarks: (viewer, meetingId) => listBookmarks(db, viewer, meetingId),
    saveBookmark: (viewer, line) => saveBookmark(db, viewer, line, clock.now()),
    deleteBookmark: (viewer, line) => deleteBookmark(db, viewer, line),
  }
}
