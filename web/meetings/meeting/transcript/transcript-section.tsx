import { Title } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { isActiveStatus } from '../../meeting-labels.ts'
import { FindBar } from './find-bar.tsx'
import { scrollToLine } from './line-elements.ts'
import type { RenderLineActions } from './transcript-line.tsx'
import type { TranscriptStore } from './transcript-store.ts'
import { TranscriptView } from './transcript-view.tsx'
import { useAutoScroll } from './use-auto-scroll.ts'
import { useTranscriptLines } from './use-transcript.ts'

interface TranscriptSectionProps {
  meeting: ApiMeetingDetail
  store: TranscriptStore
  /** Renders the actions of a line. Must be the same function each time, or every line is rendered again. */
  renderLineActions?: RenderLineActions
}

/** The transcript with its search. Opens at the URL's line, or, while the meeting is live, at its end. */
export function TranscriptSection({ meeting, store, renderLineActions }: TranscriptSectionProps) {
  const hashed = useHashLine()
  const [found, setFound] = useState<{ line: number; hashed: number | null } | null>(null)
  const isActive = isActiveStatus(meeting.status)
  const [startsAtEnd] = useState(() => hashed === null && isActive)
  const follow = useAutoScroll(startsAtEnd)
  const { isLoaded } = useTranscriptLines(store)
  const { pause } = follow
  // Shows the find bar's line until the URL's fragment changes, then the fragment's line.
  const target = found && found.hashed === hashed ? found.line : hashed

  useEffect(() => {
    if (!isLoaded || target === null) return
    pause()
    scrollToLine(target)
  }, [isLoaded, target, pause])
  useShortcuts({
    f: () => (follow.isFollowing ? follow.pause() : follow.resume()),
    '[': () => focusTurn(-1, pause),
    ']': () => focusTurn(1, pause),
  })
  return (
    <section className="reading" aria-label="Transcript and search">
      <div className="reading-header">
        {!isActive && (
          <Title order={2} fz="1.125rem">
            Transcript
          </Title>
        )}
        <FindBar store={store} onFound={(line) => setFound({ line, hashed })} />
      </div>
      <TranscriptView
        meeting={meeting}
        store={store}
        autoScroll={follow}
        targetSegmentNumber={target}
        renderLineActions={renderLineActions}
      />
    </section>
  )
}

/** The line number in the URL's fragment: `#line-12`. */
function useHashLine(): number | null {
  const hash = useLocation({ select: (location) => location.hash })
  const [, digits] = /^line-(\d{1,7})$/.exec(hash) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Focuses the timestamp of the previous or next speaker change. */
function focusTurn(by: 1 | -1, pause: () => void): void {
  const turns = [...document.querySelectorAll<HTMLElement>('.transcript .turn .line-time[href]')]
  const at = turns.findIndex((turn) => turn === document.activeElement)
  const next = at < 0 ? turns.at(by < 0 ? -1 : 0) : turns[at + by]
  if (!next) return
  pause()
  next.focus()
  next.scrollIntoView({ block: 'center' })
}
