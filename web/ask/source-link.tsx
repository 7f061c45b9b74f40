import { Link } from '@tanstack/react-router'
import { createContext, use, type ReactNode } from 'react'
import type { ApiAnswerCitation } from '../../src/http/shapes/ask.ts'
import { LineLink } from '../meetings/cited-lines.tsx'

/** The meeting whose page shows the answer. Links to its lines stay on the page. Null on other pages. */
export const MeetingOfPageContext = createContext<string | null>(null)

interface SourceLinkProps {
  source: ApiAnswerCitation
  className: string
  ariaLabel?: string
  children: ReactNode
}

/** A link to the transcript or document line that an answer comes from. */
export function SourceLink({ source, className, ariaLabel, children }: SourceLinkProps) {
  const { kind, meetingId, segmentNumber, project, path, line } = source
  const meetingOfPage = use(MeetingOfPageContext)
  if (kind === 'segment' && meetingId !== null) {
    return (
      <LineLink
        meetingId={meetingId === meetingOfPage ? undefined : meetingId}
        number={segmentNumber ?? 1}
        className={className}
        {...(ariaLabel !== undefined && { ariaLabel })}
      >
        {children}
      </LineLink>
    )
  }
  return (
    <Link
      to="/projects/$projectId/$"
      params={{ projectId: project, _splat: path ?? '' }}
      hash={`L${line ?? 1}`}
      className={className}
      aria-label={ariaLabel}
    >
      {children}
    </Link>
  )
}

/** Who said it and where: "Ana Ribeiro, Weekly sync". */
export function describeSource({ speaker, title }: ApiAnswerCitation): string {
  return speaker === null || speaker === '' ? title : `${speaker}, ${title}`
}
