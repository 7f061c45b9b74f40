import { Title, Button, Group, Text, TextInput } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState, useMemo, useRef } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { isActiveStatus } from '../../meeting-labels.ts'
import { scrollToLine, lineElementId } from './line-elements.ts'
import { type RenderLineActions, TranscriptView } from './transcript-view.tsx'
import type { TranscriptStore } from './transcript-store.ts'
import { useAutoScroll } from './use-auto-scroll.ts'
import { useTranscriptLines } from './use-transcript.ts'
import { speakerDisplayName } from '../../speakers/speaker.ts'

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

interface FindBarProps {
  store: TranscriptStore
  onFound: (segmentNumber: number) => void
}

/** Finds words and speaker names in the transcript. New lines are searched as they arrive. */
function FindBar({ store, onFound }: FindBarProps) {
  const { chunks } = useTranscriptLines(store)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => field.current?.focus() })

  const searchText = text.trim().toLocaleLowerCase()
  const hits = useMemo(() => {
    if (searchText === '') return []
    return chunks
      .flat()
      .filter((line) =>
        `${speakerDisplayName(line.speaker)} ${line.text}`.toLocaleLowerCase().includes(searchText),
      )
      .map(({ segmentNumber }) => segmentNumber)
  }, [chunks, searchText])

  useEffect(() => highlightMatches(hits.map(lineElementId), searchText), [hits, searchText])

  const go = (to: number) => {
    const index = (to + hits.length) % Math.max(1, hits.length)
    const hit = hits[index]
    if (hit === undefined) return
    setAt(index)
    onFound(hit)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event.shiftKey ? at - 1 : at + 1)
    if (event.key === 'Escape') setText('')
  }

  return (
    <Group gap="xs" wrap="nowrap" role="search" flex="1 1 220px" miw={0} className="print-hidden">
      <TextInput
        ref={field}
        aria-label="Find in transcript"
        placeholder="Find (press /)"
        size="xs"
        flex="1 1 120px"
        miw={0}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(-1)
        }}
        onKeyDown={onKeyDown}
      />
      <Text size="sm" c="dimmed" role="status" className="one-line">
        {searchText !== '' &&
          (hits.length === 0 ? 'No results' : `${Math.max(at + 1, 0)}/${hits.length}`)}
      </Text>
      <Button
        size="xs"
        variant="default"
        px={8}
        aria-label="Previous result"
        disabled={hits.length === 0}
        onClick={() => go(at - 1)}
      >
        ↑
      </Button>
      <Button
        size="xs"
        variant="default"
        px={8}
        aria-label="Next result"
        disabled={hits.length === 0}
        onClick={() => go(at + 1)}
      >
        ↓
      </Button>
    </Group>
  )
}

const HIGHLIGHT_NAME = 'found'
const MAX_HIGHLIGHTED_LINES = 500

/** Highlights matches with the CSS Custom Highlight API. Without it, only the current line is marked. */
function highlightMatches(lineElementIds: readonly string[], searchText: string): () => void {
  if (typeof Highlight === 'undefined' || searchText === '') return () => {}
  const ranges = lineElementIds
    .slice(0, MAX_HIGHLIGHTED_LINES)
    .flatMap((id) => findRanges(document.getElementById(id), searchText))
  CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...ranges))
  return () => void CSS.highlights.delete(HIGHLIGHT_NAME)
}

function findRanges(line: HTMLElement | null, searchText: string): Range[] {
  const node = line?.querySelector('.line-text')?.firstChild
  if (!(node instanceof globalThis.Text)) return []
  const text = node.data.toLocaleLowerCase()
  const ranges: Range[] = []
  for (
    let at = text.indexOf(searchText);
    at >= 0;
    at = text.indexOf(searchText, at + searchText.length)
  ) {
    // Lowercasing can make a text longer, so a match may lie past the end of the original.
    if (at + searchText.length > node.length) break
    const range = new Range()
    range.setStart(node, at)
    range.setEnd(node, at + searchText.length)
    ranges.push(range)
  }
  return ranges
}
