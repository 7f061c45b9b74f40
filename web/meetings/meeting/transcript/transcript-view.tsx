import { Fragment, useState, type ReactNode, memo } from 'react'
import { Text, Button } from '@mantine/core'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { isActiveStatus } from '../../meeting-labels.ts'
import { GapMark } from './gap-mark.tsx'
import type { ChunkedTranscriptLines, TranscriptStore } from './transcript-store.ts'
import type { AutoScroll } from './use-auto-scroll.ts'
import { useGradualChunks } from './use-gradual-chunks.ts'
import { useTranscriptLines, usePartialCaptions } from './use-transcript.ts'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import { ErrorBox, LoadingIndicator } from '../../../ui/feedback/feedback.tsx'
import { formatCountWithNoun } from '../../../ui/format/format-text.ts'
import '../editing/editing.css'
import { useCanEditMeeting, useOpenEditDialog } from '../editing/edit-dialogs.tsx'
import { lineElementId } from './line-elements.ts'
import { TimeOfDay } from '../../../ui/format/time.tsx'

interface TranscriptViewProps {
  meeting: ApiMeetingDetail
  store: TranscriptStore
  autoScroll: AutoScroll
  /** The line to highlight, from the URL or from the find bar. */
  targetSegmentNumber: number | null
  renderLineActions: RenderLineActions | undefined
}

/** Keeps all lines in the page, so that the browser's own search finds them. Off-screen chunks are not painted. */
export function TranscriptView({
  meeting,
  store,
  autoScroll,
  targetSegmentNumber,
  renderLineActions,
}: TranscriptViewProps) {
  const lines = useTranscriptLines(store)
  const { scrollArea, content, onScroll } = autoScroll
  const isActive = isActiveStatus(meeting.status)
  const targetChunk = findChunk(lines.chunks, targetSegmentNumber)
  const { isRendered, isComplete } = useGradualChunks(lines.chunks.length, () =>
    targetChunk >= 0 ? targetChunk : autoScroll.isFollowing ? lines.chunks.length - 1 : 0,
  )
  return (
    <div className="transcript-frame">
      <div
        ref={scrollArea}
        className="transcript"
        role="log"
        aria-label="Transcript"
        aria-live="polite"
        aria-relevant="additions"
        aria-busy={!isComplete && lines.count > 0}
        tabIndex={0}
        onScroll={onScroll}
      >
        <div ref={content}>
          {lines.chunks.map((chunk, i) =>
            isRendered(i) || i === targetChunk ? (
              <Chunk
                key={chunk[0]?.segmentNumber}
                lines={chunk}
                before={lines.chunks[i - 1]?.at(-1)?.speaker ?? null}
                gapsBefore={lines.gapsBefore}
                renderLineActions={renderLineActions}
                target={i === targetChunk ? targetSegmentNumber : null}
              />
            ) : (
              <div key={chunk[0]?.segmentNumber} className="chunk-pending" />
            ),
          )}
          {lines.gapsAtEnd.map((gap) => (
            <GapMark key={gap.startedAt} gap={gap} />
          ))}
          <PartialCaptions store={store} />
          <ErrorBox error={lines.error} />
          {!lines.isLoaded && lines.error === null && (
            <LoadingIndicator label="Loading the transcript" />
          )}
          {isActive && lines.isLoaded && lines.count === 0 && (
            <Text c="dimmed" p="md">
              No transcript yet. It appears here when someone speaks.
            </Text>
          )}
        </div>
      </div>
      {isActive && <JumpToLiveButton count={lines.count} follow={autoScroll} />}
    </div>
  )
}

/** The index of the chunk with a line. -1 if there is none. */
function findChunk(chunks: ChunkedTranscriptLines['chunks'], segmentNumber: number | null): number {
  if (segmentNumber === null) return -1
  return chunks.findIndex((chunk) => chunk.some((line) => line.segmentNumber === segmentNumber))
}

interface ChunkProps {
  lines: readonly ApiSegment[]
  /** The speaker of the line before this chunk. */
  before: string | null
  gapsBefore: ChunkedTranscriptLines['gapsBefore']
  target: number | null
  renderLineActions: RenderLineActions | undefined
}

const Chunk = memo(function Chunk({
  lines,
  before,
  gapsBefore,
  target,
  renderLineActions,
}: ChunkProps) {
  return (
    <div className="chunk">
      {lines.map((line, i) => {
        const gaps = gapsBefore.get(line.segmentNumber) ?? []
        const speakerBefore = i === 0 ? before : lines[i - 1]?.speaker
        return (
          <Fragment key={line.segmentNumber}>
            {gaps.map((gap) => (
              <GapMark key={gap.startedAt} gap={gap} />
            ))}
            <TranscriptLine
              line={line}
              isTurn={gaps.length > 0 || line.speaker !== speakerBefore}
              isTarget={line.segmentNumber === target}
              renderLineActions={renderLineActions}
            />
          </Fragment>
        )
      })}
    </div>
  )
})

function JumpToLiveButton({ count, follow }: { count: number; follow: AutoScroll }) {
  const [seen, setSeen] = useState(count)
  const { isFollowing } = follow
  if (isFollowing && seen !== count) setSeen(count)
  if (isFollowing) return null
  const news = Math.max(0, count - seen)
  return (
    <Button className="jump" size="xs" onClick={follow.resume}>
      {news > 0 ? `${formatCountWithNoun(news, 'new line')} · jump to live` : 'Jump to live'}
    </Button>
  )
}

/** Captions that may still change. Screen readers skip them and announce only the final line. */
function PartialCaptions({ store }: { store: TranscriptStore }) {
  const captions = usePartialCaptions(store)
  return (
    <div aria-live="off">
      {captions.map(({ captionId, speaker, text }) => (
        <div key={captionId} className="line turn evolving">
          <span className="line-time">now</span>
          <div className="line-body">
            <SpeakerName speaker={speaker} />
            <p className="line-text" dir="auto">
              {text}
            </p>
          </div>
        </div>
      ))}
    </div>
  )
}

/** Renders the buttons and the comments of a line. */
export type RenderLineActions = (line: ApiSegment) => ReactNode

interface TranscriptLineProps {
  line: ApiSegment
  /** True if another speaker said the previous line, or if there is a gap before this line. */
  isTurn: boolean
  isTarget: boolean
  renderLineActions?: RenderLineActions | undefined
}

/** The timestamp links to the line. It is not in the tab order, because a transcript can have ten thousand lines. */
const TranscriptLine = memo(function Line({
  line,
  isTurn,
  isTarget,
  renderLineActions,
}: TranscriptLineProps) {
  const { segmentNumber, speaker, text, timestamp, incomplete } = line
  const id = lineElementId(segmentNumber)
  return (
    <div id={id} className={`line${isTurn ? ' turn' : ''}${isTarget ? ' target' : ''}`}>
      <a href={`#${id}`} className="line-time" tabIndex={-1}>
        <TimeOfDay at={timestamp} />
      </a>
      <div className="line-body">
        {isTurn && <SpeakerButton speaker={speaker} />}
        <p className="line-text" dir="auto">
          {incomplete && <span className="line-incomplete">words missing</span>}
          {text}
        </p>
      </div>
      {renderLineActions?.(line)}
    </div>
  )
})

/**
 * A speaker's name in the transcript. Pressing it renames the speaker. It is a span, because the text of a button can't
 * be selected and copied. It is not a button for screen readers, because a transcript can have ten thousand lines: for
 * them, "Rename a speaker…" in the meeting's menu does the same.
 */
function SpeakerButton({ speaker }: { speaker: string }) {
  const open = useOpenEditDialog()
  const canEdit = useCanEditMeeting()
  if (open === null || !canEdit) return <SpeakerName speaker={speaker} />
  const rename = () => {
    // The user is selecting text to copy it.
    if (window.getSelection()?.isCollapsed === false) return
    open({ kind: 'speaker', speaker })
  }
  return (
    <span className="speaker-button" title="Rename this speaker" onClick={rename}>
      <SpeakerName speaker={speaker} />
    </span>
  )
}
