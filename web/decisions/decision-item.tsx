import type { ApiListedDecision } from '../../src/http/shapes/meetings/recap-items.ts'
import { useProjectRights } from '../access/queries.ts'
import { CitedMeeting, LineLink } from '../meetings/cited-lines.tsx'
import { shortenText } from '../meetings/recap-items/item-fields.tsx'
import { Statement } from '../meetings/recap-items/statement.tsx'

interface DecisionItemProps {
  decision: ApiListedDecision
  /** Names that the form suggests. */
  names: readonly string[]
  /** True if nothing above the decision names its meeting. */
  namesMeeting?: boolean
}

/** A decision in a list of several meetings. The speaker's name, or that of the meeting, links to the line. */
export function DecisionItem({ decision, names, namesMeeting = false }: DecisionItemProps) {
  const { meetingId, project, text, speaker, segmentNumbers } = decision
  const { canEdit } = useProjectRights(project)
  const label = speaker || 'Transcript'
  return (
    <Statement
      meetingId={meetingId}
      kind="decision"
      statement={decision}
      canEdit={canEdit}
      names={names}
      citation={
        namesMeeting ? (
          <CitedMeeting {...decision} />
        ) : (
          <LineLink
            meetingId={meetingId}
            number={segmentNumbers[0] ?? 1}
            className="citation"
            ariaLabel={`${label}: ${shortenText(text)}`}
          >
            <bdi>{label}</bdi>
          </LineLink>
        )
      }
    />
  )
}

/** The speakers of decisions, each once. */
export function listSpeakers(decisions: readonly ApiListedDecision[]): string[] {
  return [...new Set(decisions.flatMap(({ speaker }) => speaker || []))].toSorted()
}
