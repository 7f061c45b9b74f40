import { Button, Text } from '@mantine/core'
import { memo, useState } from 'react'
import type { WireMeetingDetail, WireSegment } from '../../src/http/shapes/meetings.ts'
import { ErrorBox } from '../ui/error-box.tsx'
import { Waiting } from '../ui/waiting.tsx'
import { counted, STATUSES } from '../meetings/words.ts'
import { Evolving } from './evolving.tsx'
import { Line } from './line.tsx'
import type { Speakers } from './speakers.ts'
import type { TranscriptStore } from './transcript-store.ts'
import { useLines } from './use-transcript.ts'
import type { Follow } from './use-follow.ts'

interface TranscriptProps {
  meeting: WireMeetingDetail
  store: TranscriptStore
  speakers: Speakers
  follow: Follow
  /** The line that the address or the search points to. */
  target: number | null
}

/** Everything stays in the page, so that the browser's own search finds it; what is out of sight costs nothing. */
export function Transcript({ meeting, store, speakers, follow, target }: TranscriptProps) {
  const lines = useLines(store)
  const { area, content, onScroll } = follow
  const { isActive } = STATUSES[meeting.status]
  const isEmpty = !isActive && lines.isLoaded && lines.count === 0
  return (
    <div className="transcript-frame">
      <div
        ref={area}
        className={isEmpty ? 'transcript transcript-empty' : 'transcript'}
        role="log"
        aria-label="Transcript"
        aria-live="polite"
        aria-relevant="additions"
        tabIndex={0}
        onScroll={onScroll}
      >
        <div ref={content}>
          {lines.chunks.map((chunk, i) => (
            <Chunk
              key={chunk[0]?.segmentNumber}
              lines={chunk}
              speakers={speakers}
              before={lines.chunks[i - 1]?.at(-1)?.speaker ?? null}
              target={chunk.some(({ segmentNumber }) => segmentNumber === target) ? target : null}
            />
          ))}
          <Evolving store={store} speakers={speakers} />
          {lines.error !== null && <ErrorBox error={lines.error} />}
          {!lines.isLoaded && lines.error === null && <Waiting what="Loading the transcript" />}
          {lines.isLoaded && lines.count === 0 && (
            <Text c="dimmed" p="md">
              {isActive ? 'Nobody has said anything yet.' : 'Nothing was said.'}
            </Text>
          )}
        </div>
      </div>
      {isActive && <JumpButton count={lines.count} follow={follow} />}
    </div>
  )
}

interface ChunkProps {
  lines: readonly WireSegment[]
  speakers: Speakers
  /** Who spoke last before this chunk. */
  before: string | null
  target: number | null
}

const Chunk = memo(function Chunk({ lines, speakers, before, target }: ChunkProps) {
  return (
    <div className="chunk">
      {lines.map((line, i) => (
        <Line
          key={line.segmentNumber}
          line={line}
          hue={speakers.hueOf(line.speaker)}
          isTurn={line.speaker !== (i === 0 ? before : lines[i - 1]?.speaker)}
          isTarget={line.segmentNumber === target}
        />
      ))}
    </div>
  )
})

function JumpButton({ count, follow }: { count: number; follow: Follow }) {
  const [seen, setSeen] = useState(count)
  const { isFollowing } = follow
  if (isFollowing && seen !== count) setSeen(count)
  if (isFollowing) return null
  const news = Math.max(0, count - seen)
  return (
    <Button className="jump" size="xs" onClick={follow.follow}>
      {news > 0 ? `${counted(news, 'new line')} · jump to live` : 'Jump to live'}
    </Button>
  )
}
