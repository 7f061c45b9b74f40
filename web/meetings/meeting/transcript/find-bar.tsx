import { Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts.ts'
import { speakerDisplayName } from '../../speakers/speaker.ts'
import { lineElementId } from './line-id.ts'
import type { TranscriptStore } from './transcript-store.ts'
import { useTranscriptLines } from './use-transcript.ts'
import { highlightMatches } from './highlight-matches.ts'

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
    <Group gap="xs" wrap="nowrap" role="search" flex="1 1 220px" miw={0}>
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
