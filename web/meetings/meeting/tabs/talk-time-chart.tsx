import { Stack, Text, Title } from '@mantine/core'
import { useThrottledValue } from '@mantine/hooks'
import { useMemo } from 'react'
import {
  speakerDisplayName,
  computeSpeakerWordShares,
  type SpeakerWordShare,
  type SpeakerHues,
} from '../transcript/speakers.ts'
import { SpeakerName } from '../transcript/transcript-line.tsx'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { useTranscriptLines } from '../transcript/use-transcript.ts'

const SLOTS = 60
const REFRESH_MS = 1_000

/** Each speaker's share of the words, and when they spoke. */
export function TalkTimeChart({
  store,
  speakers,
}: {
  store: TranscriptStore
  speakers: SpeakerHues
}) {
  // Talk time is computed at most once a second, not per new line: a transcript can have ten thousand lines.
  const chunks = useThrottledValue(useTranscriptLines(store).chunks, REFRESH_MS)
  const shares = useMemo(() => computeSpeakerWordShares(chunks.flat(), SLOTS), [chunks])
  if (shares.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-labelledby="talk-time">
      <Title order={2} size="h4" id="talk-time">
        Talk time
      </Title>
      <Stack gap={10} component="ul" className="plain-list">
        {shares.map((row) => (
          <SpeakerRow key={row.speaker} row={row} hue={speakers.hueOf(row.speaker)} />
        ))}
      </Stack>
    </Stack>
  )
}

function SpeakerRow({ row, hue }: { row: SpeakerWordShare; hue: number }) {
  const { speaker, words, share, activityByTimeSlot } = row
  const name = speakerDisplayName(speaker)
  const spoken = activityByTimeSlot.flatMap((value, slot) => (value > 0 ? [slot] : []))
  const percent = Math.round(share * 100)
  return (
    <li className={`share hue-${hue}`}>
      <div className="share-head">
        <SpeakerName name={name} />
        <Text span size="sm" c="dimmed" className="one-line">
          {percent} % · {words.toLocaleString('en')} words
        </Text>
      </div>
      <progress className="share-bar" max={100} value={percent} aria-label={`Share of ${name}`} />
      <svg className="lane" viewBox={`0 0 ${SLOTS} 4`} preserveAspectRatio="none" aria-hidden>
        {spoken.map((slot) => (
          <rect key={slot} x={slot} width={1} height={4} />
        ))}
      </svg>
    </li>
  )
}
