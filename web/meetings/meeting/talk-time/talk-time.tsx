import './talk-time.css'
import { Text, Title } from '@mantine/core'
import { useThrottledValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { ApiMeetingDetail } from '../../../../src/http/shapes/meetings/meetings.ts'
import { formatDurationWithUnits } from '../../../../src/lib/time/duration-text.ts'
import { formatCountWithNoun } from '../../../ui/format/format-text.ts'
import { isActiveStatus } from '../../meeting-labels.ts'
import { speakerHueClass } from '../../speakers/speaker.ts'
import { SpeakerName } from '../../speakers/speaker-name.tsx'
import type { TranscriptStore } from '../transcript/transcript-store.ts'
import { useTranscriptLines } from '../transcript/use-transcript.ts'
import {
  computeTalkTime,
  formatMinutes,
  formatShare,
  splitOthers,
  type TalkTimeShare,
} from './talk-time-shares.ts'

const REFRESH_MS = 1_000

interface TalkTimeProps {
  meeting: ApiMeetingDetail
  store: TranscriptStore
}

/** How much each speaker spoke: in a live meeting counted from the page's lines, later by the service. */
export function TalkTime({ meeting, store }: TalkTimeProps) {
  if (isActiveStatus(meeting.status)) return <LiveTalkTime store={store} />
  return <TalkTimeOf shares={meeting.talkTime} />
}

function LiveTalkTime({ store }: { store: TranscriptStore }) {
  const chunks = useThrottledValue(useTranscriptLines(store).chunks, REFRESH_MS)
  const shares = useMemo(() => computeTalkTime(chunks), [chunks])
  return <TalkTimeOf shares={shares} />
}

/** A part of the bar: a speaker, or all speakers after the first five. */
type Part = Omit<TalkTimeShare, 'speaker'> & { key: string; name: string; hueClass: string }

function TalkTimeOf({ shares }: { shares: readonly TalkTimeShare[] }) {
  const [shownKey, setShownKey] = useState<string | null>(null)
  if (shares.length === 0) return null
  const { named, others } = splitOthers(shares)
  const parts: Part[] = named.map((share) => ({
    ...share,
    key: `speaker ${share.speaker}`,
    name: share.speaker,
    hueClass: speakerHueClass(share.speaker),
  }))
  if (others !== null) {
    const name = formatCountWithNoun(others.count, 'other')
    parts.push({ ...others, key: 'others', name, hueClass: 'talk-others' })
  }
  const shown = parts.find(({ key }) => key === shownKey)
  return (
    <section className="talk-time" aria-labelledby="talk-time">
      <Title order={2} size="h4" id="talk-time">
        Talk time
      </Title>
      <ul className="plain-list talk-bar" aria-label="Share of each speaker">
        {parts.map((part) => (
          <li key={part.key} style={{ flexGrow: Math.max(part.words, 1) }}>
            <button
              type="button"
              className={`talk-part ${part.hueClass}`}
              aria-label={describePart(part)}
              onMouseEnter={() => setShownKey(part.key)}
              onMouseLeave={() => setShownKey(null)}
              onFocus={() => setShownKey(part.key)}
              onBlur={() => setShownKey(null)}
            />
          </li>
        ))}
      </ul>
      {/* Screen readers get the same from the focused part of the bar. */}
      <Text size="sm" c="dimmed" className="talk-exact" aria-hidden>
        {shown === undefined ? describeAll(shares) : describePart(shown)}
      </Text>
      <ul className="plain-list talk-legend" aria-label="Speakers">
        {named.map((share) => (
          <LegendItem key={share.speaker} share={share} />
        ))}
        {others !== null && (
          <li className="talk-others">
            <span className="talk-others-name">
              <span className="talk-dot" aria-hidden />
              {formatCountWithNoun(others.count, 'other')}
            </span>
            <Figures {...others} />
          </li>
        )}
      </ul>
      {others !== null && (
        <details className="talk-all">
          <summary>Show all {shares.length} speakers</summary>
          <ul className="plain-list talk-legend" aria-label="All speakers">
            {shares.map((share) => (
              <LegendItem key={share.speaker} share={share} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function LegendItem({ share }: { share: TalkTimeShare }) {
  return (
    <li>
      <SpeakerName speaker={share.speaker} isSmall />
      <Figures {...share} />
    </li>
  )
}

function Figures({ share, seconds }: Pick<TalkTimeShare, 'share' | 'seconds'>) {
  return (
    <span className="talk-figures figures">
      {formatShare(share)} · {formatMinutes(seconds)}
    </span>
  )
}

function describePart({ name, share, seconds, words }: Part): string {
  const percent = (share * 100).toLocaleString('en', { maximumFractionDigits: 1 })
  return `${name}: ${percent}% of the words, about ${formatDurationWithUnits(seconds * 1000)}, ${formatCountWithNoun(words, 'word')}`
}

function describeAll(shares: readonly TalkTimeShare[]): string {
  const seconds = shares.reduce((sum, share) => sum + share.seconds, 0)
  return `${formatCountWithNoun(shares.length, 'speaker')}, about ${formatDurationWithUnits(seconds * 1000)} of speech`
}
