import { Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts.ts'
import { displayName } from './speakers.ts'
import { lineId } from './line-id.ts'
import type { TranscriptStore } from './transcript-store.ts'
import { useTranscriptLines } from './use-transcript.ts'
import { highlightMatches } from './highlight-matches.ts'

interface FindBarProps {
  store: TranscriptStore
  onFound: (segmentNumber: number) => void
}

/** Finds words and names in the transcript; new lines join the hits as they come. */
export function FindBar({ store, onFound }: FindBarProps) {
  const { chunks } = useTranscriptLines(store)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => field.current?.focus() })

  const wanted = text.trim().toLocaleLowerCase()
  const hits = useMemo(() => {
    if (wanted === '') return []
    return chunks
      .flat()
      .filter((line) =>
        `${displayName(line.speaker)} ${line.text}`.toLocaleLowerCase().includes(wanted),
      )
      .map(({ segmentNumber }) => segmentNumber)
  }, [chunks, wanted])

  useEffect(() => highlightMatches(hits.map(lineId), wanted), [hits, wanted])

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
    <Group gap="xs" wrap="nowrap" role="search">
      <TextInput
        ref={field}
        aria-label="Find in the transcript"
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
        {wanted !== '' &&
          (hits.length === 0 ? 'Not found' : `${Math.max(at + 1, 0)}/${hits.length}`)}
      </Text>
      <Button
        size="xs"
        variant="default"
        px={8}
        aria-label="Previous hit"
        disabled={hits.length === 0}
        onClick={() => go(at - 1)}
      >
        ↑
      </Button>
      <Button
        size="xs"
        variant="default"
        px={8}
        aria-label="Next hit"
        disabled={hits.length === 0}
        onClick={() => go(at + 1)}
      >
        ↓
      </Button>
    </Group>
  )
}
