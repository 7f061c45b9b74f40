import { useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  WireBookmarks,
  WireComment,
  WireComments,
} from '../../../../src/http/shapes/meetings/line-notes.ts'
import { useApi } from '../../../api/app-state.tsx'
import { useCommentChanges, useOnEventStreamOpen } from '../../../api/event-stream-context.tsx'
import { useBatchedCallback } from '../../../api/use-batched-callback.ts'
import { meetingApiPath } from '../../queries.ts'
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
  useCommentChanges((changedId) => {
    if (changedId === meetingId) refresh()
  })
  return useQuery({
    queryKey: commentsKey(meetingId),
    queryFn: () => api.get<WireComments>(`${meetingApiPath(meetingId)}/comments`),
  })
}

/** The signed-in user's bookmarks in a meeting. */
export function useBookmarks(meetingId: string) {
  const api = useApi()
  return useQuery({
    queryKey: bookmarksKey(meetingId),
    queryFn: () => api.get<WireBookmarks>(`${meetingApiPath(meetingId)}/bookmarks`),
  })
}

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
    const line = `${meetingApiPath(meetingId)}/bookmarks/${segmentNumber}`
    notes.setProblem(segmentNumber, null)
    await queries.cancelQueries({ queryKey })
    const shown = queries.setQueryData<WireBookmarks>(
      queryKey,
      (known) => known && withBookmark(known, segmentNumber, isBookmarked),
    )
    // One request at a time, so that the last one sent is also the last one stored.
    await notes.bookmarkQueueOf(segmentNumber).run(async () => {
      try {
        await (isBookmarked ? api.put(line, {}) : api.delete(line))
      } catch (error) {
        notes.setProblem(segmentNumber, error)
        await queries.invalidateQueries({ queryKey })
      }
      // The first read of the bookmarks was cancelled above.
      if (shown === undefined) await queries.invalidateQueries({ queryKey })
    })
  }
}

function withBookmark(known: WireBookmarks, segmentNumber: number, isBookmarked: boolean) {
  const others = known.bookmarks.filter((mark) => mark.segmentNumber !== segmentNumber)
  const added = isBookmarked ? [{ segmentNumber, createdAt: new Date().toISOString() }] : []
  const bookmarks = [...others, ...added].toSorted((a, b) => a.segmentNumber - b.segmentNumber)
  return { ...known, bookmarks }
}

interface CommentChanges {
  add(segmentNumber: number, text: string): Promise<void>
  change(comment: WireComment, text: string): Promise<void>
  remove(comment: WireComment): Promise<void>
}

export function useCommentEditing(meetingId: string): CommentChanges {
  const api = useApi()
  const queries = useQueryClient()
  const path = `${meetingApiPath(meetingId)}/comments`
  const pathOf = ({ commentId }: WireComment) => `${path}/${encodeURIComponent(commentId)}`
  const readAgain = () => queries.invalidateQueries({ queryKey: commentsKey(meetingId) })
  return {
    async add(segmentNumber, text) {
      await api.post(path, { segmentNumber, text })
      await readAgain()
    },
    async change(comment, text) {
      await api.patch(pathOf(comment), { text })
      await readAgain()
    },
    async remove(comment) {
      await api.delete(pathOf(comment))
      await readAgain()
    },
  }
}
