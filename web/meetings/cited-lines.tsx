import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { ApiListedAction } from '../../src/http/shapes/meetings/actions.ts'
import type { ApiSegment } from '../../src/http/shapes/meetings/transcript.ts'
import { Name, meetingPage } from '../ui/links.tsx'
import { formatHourAndMinute, HourAndMinute, Time } from '../ui/format/time.tsx'
import { rememberFollowedLink } from './followed-links.ts'
import { lineElementId, goToLine } from './meeting/transcript/line-elements.ts'

/** Who said a line, and when. */
export type CitedLine = Pick<ApiSegment, 'speaker' | 'timestamp'>

interface CitedLinesProps {
  segmentNumbers: readonly number[]
  /** The statement that the lines support. It distinguishes the page's links for screen readers. */
  statement: string
  /** The cited lines by their number. A line that is not loaded yet is missing. */
  lines: ReadonlyMap<number, CitedLine>
}

const MAX_LINKS = 5
const MAX_STATEMENT_LENGTH = 80

/** Links to the lines of this page's transcript that support a statement, such as "Ada Lang 12:04". */
export function CitedLines({ segmentNumbers, statement, lines }: CitedLinesProps) {
  const places = findPlaces(segmentNumbers)
    .map((number) => ({ number, line: lines.get(number) }))
    .map((place) => ({ ...place, label: describePlace(place) }))
    // Two places of the same person in the same minute look like one.
    .filter(({ label }, i, all) => all.findIndex((other) => other.label === label) === i)
    .slice(0, MAX_LINKS)
  return (
    <span className="citations">
      {places.map(({ number, line, label }, i) => (
        <Fragment key={number}>
          {i > 0 && ' '}
          <LineLink
            meetingId={undefined}
            number={number}
            className="citation"
            ariaLabel={`${label}: ${shortenStatement(statement)}`}
          >
            {line === undefined ? (
              label
            ) : (
              <>
                <bdi>{line.speaker}</bdi> <HourAndMinute at={line.timestamp} />
              </>
            )}
          </LineLink>
        </Fragment>
      ))}
    </span>
  )
}

function describePlace({ number, line }: { number: number; line: CitedLine | undefined }): string {
  if (line === undefined) return `Line ${number}`
  return `${line.speaker} ${formatHourAndMinute(line.timestamp)}`.trim()
}

/** The first line of each place in the transcript. Consecutive lines are one place. */
function findPlaces(segmentNumbers: readonly number[]): number[] {
  const sorted = segmentNumbers.toSorted((a, b) => a - b)
  return sorted.filter((number, i) => i === 0 || number > (sorted[i - 1] ?? number) + 1)
}

function shortenStatement(statement: string): string {
  return statement.slice(0, MAX_STATEMENT_LENGTH)
}

type CitedMeetingProps = Pick<
  ApiListedAction,
  'text' | 'segmentNumbers' | 'meetingId' | 'meetingTitle' | 'meetingStartedAt'
>

/** On a page about several meetings: the meeting in which something was said, as a link to the line. */
export function CitedMeeting(props: CitedMeetingProps) {
  const { text, segmentNumbers, meetingId, meetingTitle, meetingStartedAt } = props
  return (
    <span className="cited-meeting">
      <LineLink
        meetingId={meetingId}
        number={segmentNumbers[0] ?? 1}
        className="citation"
        ariaLabel={`${meetingTitle}: ${shortenStatement(text)}`}
      >
        <Name>{meetingTitle}</Name>
      </LineLink>
      , <Time at={meetingStartedAt} show="day" />
    </span>
  )
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
    return (
      <Link
        {...meetingPage(meetingId)}
        onClick={(event) => rememberFollowedLink(event.currentTarget)}
        {...shown}
      />
    )
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
      onClick={(event) => {
        rememberFollowedLink(event.currentTarget)
        goToLine(number)
      }}
      {...shown}
    />
  )
}
