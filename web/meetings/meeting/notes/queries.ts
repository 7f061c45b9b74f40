import { useQueryClient, useQuery } from '@tanstack/react-query'
import type { ApiBookmarks, ApiComment } from '../../../../src/http/shapes/meetings/line-notes.ts'
import { useApi, useApiQuery } from '../../../api/use-api.tsx'
import { useOnEventStreamOpen, useContentChanges } from '../../../api/event-stream-context.tsx'
import { useBatchedCallback } from '../../../api/use-batched-callback.ts'
import type { LineNotesStore } from './line-notes-store.ts'

const commentsKey = (meetingId: string) => ['comments', meetingId]
const bookmarksKey = (meetingId: string) => ['bookmarks', meetingId]

/** The comments of a meeting. Other people's comments appear while the page is open. */
export function useComments(meetingId: string) {
  const api = useApi()
  const queries = useQueryClient()
  const refresh = useBatchedCallback(() => {
    void queries.invalidateQueries({ queryKey: commentsKey(meetingId) })
  })
  useOnEventStreamOpen(refresh)
  useContentChanges('comments_changed', (changedId) => {
    if (changedId === meetingId) refresh()
  })
  return useQuery({
    queryKey: commentsKey(meetingId),
    queryFn: () => api.meetings.comments(meetingId),
  })
}

/** The signed-in user's bookmarks in a meeting. */
export const useBookmarks = (meetingId: string) =>
  useApiQuery(bookmarksKey(meetingId), (api) => api.meetings.bookmarks(meetingId))

/** Adds or removes a line's bookmark. The page shows it before the service has answered. */
export function useToggleBookmark(
  meetingId: string,
  notes: LineNotesStore,
): (segmentNumber: number) => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  const queryKey = bookmarksKey(meetingId)
  return async (segmentNumber) => {
    const isBookmarked = !notes.of(segmentNumber).isBookmarked
    notes.setProblem(segmentNumber, null)
    await queries.cancelQueries({ queryKey })
    const shown = queries.setQueryData<ApiBookmarks>(
      queryKey,
      (known) => known && withBookmark(known, segmentNumber, isBookmarked),
    )
    // One request at a time, so that the last one sent is also the last one stored.
    await notes.bookmarkQueueOf(segmentNumber).run(async () => {
      try {
        const change = isBookmarked ? api.meetings.saveBookmark : api.meetings.removeBookmark
        await change(meetingId, segmentNumber)
      } catch (error) {
        notes.setProblem(segmentNumber, error)
        await queries.invalidateQueries({ queryKey })
      }
      // The first read of the bookmarks was cancelled above.
      if (shown === undefined) await queries.invalidateQueries({ queryKey })
    })
  }
}

function withBookmark(known: ApiBookmarks, segmentNumber: number, isBookmarked: boolean) {
  const others = known.bookmarks.filter((mark) => mark.segmentNumber !== segmentNumber)
  const added = isBookmarked ? [{ segmentNumber, createdAt: new Date().toISOString() }] : []
  const bookmarks = [...others, ...added].toSorted((a, b) => a.segmentNumber - b.segmentNumber)
  return { ...known, bookmarks }
}

interface CommentChanges {
  add(segmentNumber: number, text: string): Promise<void>
  change(comment: ApiComment, text: string): Promise<void>
  remove(comment: ApiComment): Promise<void>
}

export function useCommentEditing(meetingId: string): CommentChanges {
  const api = useApi()
  const queries = useQueryClient()
  const readAgain = () => queries.invalidateQueries({ queryKey: commentsKey(meetingId) })
  return {
    async add(segmentNumber, text) {
      await api.meetings.addComment(meetingId, { segmentNumber, text })
      await readAgain()
    },
    async change({ commentId }, text) {
      await api.meetings.updateComment(meetingId, commentId, { text })
      await readAgain()
    },
    async remove({ commentId }) {
      await api.meetings.removeComment(meetingId, commentId)
      await readAgain()
    },
  }
}
