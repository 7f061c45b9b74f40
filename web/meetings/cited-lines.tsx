import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { lineElementId, goToLine } from './meeting/transcript/line-elements.ts'

interface CitedLinesProps {
  segmentNumbers: readonly number[]
  /** The statement that the lines support. It distinguishes the page's links for screen readers. */
  statement: string
  /** The meeting of the lines, on pages that are not the meeting's own. */
  meetingId?: string
}

const MAX_LINKS = 5
const MAX_STATEMENT_LENGTH = 80

/** Links that show the cited lines in the transcript. */
export function CitedLines({ segmentNumbers, statement, meetingId }: CitedLinesProps) {
  const places = findPlaces(segmentNumbers).slice(0, MAX_LINKS)
  const [first] = places
  if (first === undefined) return null
  const about = statement.slice(0, MAX_STATEMENT_LENGTH)
  const link = (number: number, label: string, name = label) => (
    <LineLink meetingId={meetingId} number={number} ariaLabel={`${name}: ${about}`}>
      {label}
    </LineLink>
  )
  if (places.length === 1) {
    return link(first, segmentNumbers.length === 1 ? 'Show the line' : 'Show the lines')
  }
  return (
    <span>
      Show the lines{' '}
      {places.map((number, i) => (
        <Fragment key={number}>
          {i > 0 && ' '}
          {link(number, String(i + 1), `Show the lines, place ${i + 1}`)}
        </Fragment>
      ))}
    </span>
  )
}

/** The first line of each place in the transcript. Consecutive lines are one place. */
function findPlaces(segmentNumbers: readonly number[]): number[] {
  const sorted = segmentNumbers.toSorted((a, b) => a - b)
  return sorted.filter((number, i) => i === 0 || number > (sorted[i - 1] ?? number) + 1)
}

interface LineLinkProps {
  /** Undefined on the meeting's own page. */
  meetingId: string | undefined
  number: number
  ariaLabel?: string
  className?: string
  children: ReactNode
}

/** A link that opens the transcript at a line and highlights it. */
export function LineLink(props: LineLinkProps) {
  const { meetingId, number, ariaLabel, className = 'small-link', children } = props
  const hash = lineElementId(number)
  const shown = { hash, className, 'aria-label': ariaLabel, children }
  if (meetingId !== undefined) {
    return <Link to="/meetings/$meetingId" params={{ meetingId }} {...shown} />
  }
  // The page scrolls only the transcript, so that the link stays in view. This works on a second click too, when the
  // line is already in the URL.
  return (
    <Link
      from="/meetings/$meetingId"
      to="."
      search
      resetScroll={false}
      hashScrollIntoView={false}
      onClick={() => goToLine(number)}
      {...shown}
    />
  )
}
