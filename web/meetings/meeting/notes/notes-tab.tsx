import { Stack, Text } from '@mantine/core'
import type { ApiComment } from '../../../../src/http/shapes/meetings/line-notes.ts'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { QueryView } from '../../../ui/feedback/feedback.tsx'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { LineLink } from '../../cited-lines.tsx'
import { speakerDisplayName } from '../../speakers/speaker.ts'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { useLinesByNumber } from '../transcript/use-transcript.ts'
import { useMeetingNotes } from './notes-context.tsx'
import { useBookmarks, useComments } from './queries.ts'
import { Hint } from '../../../ui/text.tsx'
import { BookmarkIcon } from '../../../ui/icons.tsx'

/** All lines of a meeting with a comment or the reader's bookmark, in transcript order. */
export function NotesTab({ meeting: { meetingId } }: { meeting: ApiMeetingDetail }) {
  const comments = useComments(meetingId)
  const bookmarks = useBookmarks(meetingId)
  const context = useMeetingNotes()
  return (
    <QueryView query={comments} label="the comments">
      {(commentList) => (
        <QueryView query={bookmarks} label="your bookmarks">
          {(bookmarkList) =>
            context && (
              <NotedLines
                transcript={context.transcript}
                comments={commentList.comments}
                bookmarkedLines={bookmarkList.bookmarks.map((mark) => mark.segmentNumber)}
              />
            )
          }
        </QueryView>
      )}
    </QueryView>
  )
}

interface NotedLinesProps {
  transcript: TranscriptStore
  comments: readonly ApiComment[]
  bookmarkedLines: readonly number[]
}

function NotedLines({ transcript, comments, bookmarkedLines }: NotedLinesProps) {
  const lines = useLinesByNumber(transcript)
  const commentsByLine = Map.groupBy(comments, ({ segmentNumber }) => segmentNumber)
  const bookmarked = new Set(bookmarkedLines)
  const numbers = [...new Set([...bookmarked, ...commentsByLine.keys()])].toSorted((a, b) => a - b)
  if (numbers.length === 0) {
    return (
      <Hint>
        No bookmarks or comments yet. Point at a line of the transcript, or tap it, to add one. Only
        you see your bookmarks; everyone who can read this meeting sees comments.
      </Hint>
    )
  }
  return (
    <Stack gap="sm" component="ol" className="plain-list" aria-label="Bookmarks and comments">
      {numbers.map((number) => (
        <NotedLine
          key={number}
          number={number}
          line={lines.get(number)}
          isBookmarked={bookmarked.has(number)}
          comments={commentsByLine.get(number) ?? []}
        />
      ))}
    </Stack>
  )
}

interface NotedLineProps {
  number: number
  /** Undefined until the transcript is loaded. */
  line: ApiSegment | undefined
  isBookmarked: boolean
  comments: readonly ApiComment[]
}

function NotedLine({ number, line, isBookmarked, comments }: NotedLineProps) {
  return (
    <li className="noted-line">
      <Text span size="xs" c="dimmed" className="noted-line-head">
        {isBookmarked && (
          <span className="noted-line-bookmark" role="img" aria-label="Bookmarked">
            <BookmarkIcon isFilled />
          </span>
        )}
        {line && (
          <>
            <bdi>{speakerDisplayName(line.speaker)}</bdi> · <TimeOfDay at={line.timestamp} />
          </>
        )}
      </Text>
      <LineLink meetingId={undefined} number={number} className="noted-line-link">
        <bdi>{line?.text ?? `Line ${number}`}</bdi>
      </LineLink>
      {comments.map(({ commentId, author, text }) => (
        <p key={commentId} className="comment-text" dir="auto">
          <bdi className="comment-author">{author}</bdi>: {text}
        </p>
      ))}
    </li>
  )
}
