import { Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { lineElementId } from './line-elements.ts'
import type { TranscriptStore } from './transcript-store.ts'
import { useTranscriptLines } from './use-transcript.ts'
import { speakerDisplayName } from '../../speakers/speaker.ts'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'

interface FindBarProps {
  store: TranscriptStore
  onFound: (segmentNumber: number) => void
}

/** Finds words and speaker names in the transcript. New lines are searched as they arrive. */
export function FindBar({ store, onFound }: FindBarProps) {
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
