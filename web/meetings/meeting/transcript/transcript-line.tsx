import { memo, type ReactNode } from 'react'
import type { WireSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { TimeOfDay } from '../../../ui/format/time.tsx'
import { SpeakerButton } from '../editing/speaker-button.tsx'
import { lineElementId } from './line-id.ts'

/** Renders the buttons and the comments of a line. */
export type RenderLineActions = (line: WireSegment) => ReactNode

interface TranscriptLineProps {
  line: WireSegment
  /** True if another speaker said the previous line, or if there is a gap before this line. */
  isTurn: boolean
  isTarget: boolean
  renderLineActions?: RenderLineActions | undefined
}

/** The timestamp links to the line. It is not in the tab order, because a transcript can have ten thousand lines. */
export const TranscriptLine = memo(function Line({
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
