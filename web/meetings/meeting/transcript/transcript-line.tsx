import { memo } from 'react'
import type { WireSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { LineNotesOf } from '../notes/line-notes.tsx'
import { lineElementId } from './line-id.ts'
import { speakerDisplayName, speakerInitials } from './speakers.ts'

interface TranscriptLineProps {
  line: WireSegment
  hue: number
  /** True if the previous line of the transcript is from another speaker, or there is a gap before this line. */
  isTurn: boolean
  isTarget: boolean
}

/** The timestamp links to the line. It is not in the tab order, because a transcript can have ten thousand lines. */
export const TranscriptLine = memo(function Line({
  line,
  hue,
  isTurn,
  isTarget,
}: TranscriptLineProps) {
  const { segmentNumber, speaker, text, timestamp } = line
  const id = lineElementId(segmentNumber)
  return (
    <div id={id} className={`line hue-${hue}${isTurn ? ' turn' : ''}${isTarget ? ' target' : ''}`}>
      <a href={`#${id}`} className="line-time" tabIndex={-1}>
        <TimeOfDay at={timestamp} />
      </a>
      <div className="line-body">
        {isTurn && <SpeakerName name={speakerDisplayName(speaker)} />}
        <p className="line-text" dir="auto">
          {text}
        </p>
      </div>
      <LineNotesOf segmentNumber={segmentNumber} />
    </div>
  )
})

export function SpeakerName({ name }: { name: string }) {
  return (
    <span className="speaker">
      <span className="avatar" aria-hidden>
        {speakerInitials(name)}
      </span>
      <bdi>{name}</bdi>
    </span>
  )
}
